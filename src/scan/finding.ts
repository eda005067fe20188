import type { CloudName } from './services.ts'

export const levels = ['error', 'warning', 'note'] as const

export type Level = (typeof levels)[number]

export const ruleIds = [
  'HARDCODED_HOST',
  'HARDCODED_AUDIENCE',
  'HARDCODED_CLOUD_NAME',
  'PUBLIC_CLOUD_BY_DEFAULT',
] as const

export type RuleId = (typeof ruleIds)[number]

/**
 * A place in a tree that binds it to one cloud. It contains the value and no other text of the line, so that it cannot contain a secret.
 */
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
  /** The cloud that publishes the value. */
  readonly cloud: CloudName
  /** The id of the service in the table of values; `cloud` for a name of a cloud. */
  readonly service: string
  /** The replacement. */
  readonly fix: string
}

/** A finding with its line for the text report: the part around the value, without secrets. */
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
