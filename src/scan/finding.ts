import type { CloudName } from '../lib/clouds/cloud-service.ts'

export const levels = ['error', 'warning', 'note'] as const

export type Level = (typeof levels)[number]

export const ruleIds = [
  'HARDCODED_HOST',
  'HARDCODED_AUDIENCE',
  'HARDCODED_CLOUD_NAME',
  'PUBLIC_CLOUD_BY_DEFAULT',
] as const

export type RuleId = (typeof ruleIds)[number]

/** One place of a tree that binds it to one cloud. Holds nothing of the line but the value, so that no secret can travel with it. */
export interface Finding {
  readonly rule: RuleId
  readonly level: Level
  /** From the root of the scan, with `/`. */
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 code units. */
  readonly column: number
  /** The host, audience or name as it is written; for a construct, its name. */
  readonly value: string
  /** Whose the value is. */
  readonly cloud: CloudName
  /** The id of the service in the table of values; `cloud` for a name of a cloud. */
  readonly service: string
  /** The replacement. */
  readonly fix: string
}

/** A finding with what only the text report shows: its line, without secrets and around the value. */
export interface ShownFinding extends Finding {
  readonly excerpt: { readonly text: string; readonly from: number; readonly length: number }
}

/** The extent of the scan. */
export interface ScanCounts {
  files: number
  bytes: number
  binary: number
  vendored: number
  generated: number
  /** Findings with a `cloud-profile-ignore` comment. */
  ignored: number
}

export const noCounts = (): ScanCounts => ({
  files: 0,
  bytes: 0,
  binary: 0,
  vendored: 0,
  generated: 0,
  ignored: 0,
})

/** A file or folder that the scan could not read, or not check completely, and why. */
export interface Unchecked {
  readonly path: string
  readonly reason: string
}
