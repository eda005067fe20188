export const levels = ['error', 'warning', 'note'] as const
export type Level = (typeof levels)[number]

/** The description of a rule, for its help and its page. */
export const rules = {
  HARDCODED_HOST: {
    title: 'Host of one cloud',
    about:
      'The text names a host or DNS suffix that one cloud publishes. In another cloud the request goes to the wrong cloud, or nowhere.',
  },
  HARDCODED_AUDIENCE: {
    title: 'Token audience of one cloud',
    about:
      'The text names an audience or scope that one cloud publishes. In another cloud the login authority refuses it, or the service refuses the token.',
  },
  HARDCODED_CLOUD_NAME: {
    title: 'Name of one cloud',
    about:
      'A setting, an argument or a default chooses a cloud by its name. A cloud without a well-known name can never be chosen there.',
  },
  PUBLIC_CLOUD_BY_DEFAULT: {
    title: 'Public cloud by default',
    about:
      'The construct names no cloud, so it reaches the public one. It is a warning where a variable of the process can still set the cloud: ' +
      'AZURE_AUTHORITY_HOST for credentials, ARM_ENVIRONMENT for providers.',
  },
  ENUMERATED_CLOUDS: {
    title: 'No third cloud can be reached',
    about:
      'A selection lists clouds and reaches no other: an `if government … else public`, a switch, a list of allowed names. A private cloud has no place in it.',
  },
} as const
export type RuleId = keyof typeof rules

/** A change of a file: bytes `start` to `end` become `newText`. */
export interface Change {
  readonly start: number
  readonly end: number
  readonly newText: string
}

export interface Edit extends Change {
  readonly oldText: string
  /** Whether `--fix` may write it: it compiles and means the same in the cloud that the code was written for. */
  readonly isCertain: boolean
  /** What the new text names of the module that `cloud-profile export` generates. */
  readonly members?: readonly string[]
}

/** What to write instead: a sentence, and where a place can take it, the change itself. */
export interface Fix {
  readonly text: string
  readonly edit?: Edit
}

/** A place that binds a tree to one cloud. It holds the value and no other text of the line, so that it cannot hold a secret. */
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
  readonly cloud: string
  /** The service of the value; `cloud` for the name of a cloud. */
  readonly service: string
  readonly fix: Fix
  /** The line without what may be a secret, and where in it the value stands. */
  readonly excerpt: { readonly text: string; readonly from: number; readonly length: number }
}

/** The extent of a scan. `ignored` counts the findings with a `cloud-profile-ignore` comment. */
export const noCounts = () => ({ files: 0, bytes: 0, binary: 0, vendored: 0, generated: 0, ignored: 0 })

/** A file or folder that was not read, or not checked completely, and why. */
export interface Unchecked {
  readonly path: string
  readonly reason: string
}
