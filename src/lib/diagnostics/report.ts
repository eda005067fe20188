import type { ErrorCode, NetworkRole, Warning } from '../errors.ts'
import type { Glyph } from '../endpoints/endpoint.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import type { ExplainedProfile, ProfileSource, SelectedBy } from '../profile/explained-profile.ts'
import type { TraceStep } from '../transport/attempt.ts'
import type { AddedAuthorities } from '../transport/certificate-authorities.ts'

export type { Glyph } from '../endpoints/endpoint.ts'

/** `pending` waits for a person; `warning` works but wants attention. */
export type ReportStatus = 'ok' | 'warning' | 'failed' | 'pending'

/** What an operator reads of a failure. `cause` and `fix` come from the findings catalogue. */
export interface Diagnosis {
  readonly code: ErrorCode
  readonly message: string
  readonly cause: string
  readonly fix: string
}

/** The one cause of a failed report. */
export interface RootCause extends Diagnosis {
  /** The hosts that this cause concerns, `host[:port]`; absent when it concerns none. */
  readonly hosts?: readonly string[]
  /** The values that show it, by name, such as `issuer` or `correlationId`. Never a secret. */
  readonly evidence?: Readonly<Record<string, string>>
  /** The ids of the failed checks that it explains; a failed token attempt is `token.acquired`. */
  readonly checks: readonly string[]
}

/** What a request passes on its way to an accepted token, in this order. */
export const layers = ['proxy', 'dns', 'tcp', 'tls', 'answer', 'token'] as const

export type Layer = (typeof layers)[number]

/** One endpoint and how far requests to it get: a row of the probe matrix. */
export interface MatrixRow {
  /** Of the endpoint, such as `authority` or `key-vault`. */
  readonly id: string
  /** For people, such as `Login authority`. */
  readonly name: string
  readonly role: NetworkRole
  /** `host[:port]`. */
  readonly host: string
  /** The worst check of each layer that was probed. */
  readonly layers: Readonly<
    Partial<Record<Layer, { readonly status: Check['status']; /** The id of the check. */ readonly check: string }>>
  >
  readonly certificate?: HostCertificate
}

/** One node of the connection diagram with the edge that leads to it. */
export interface DiagramNode {
  /** `workload`, `proxy`, or the id of an endpoint, as in {@link MatrixRow}. */
  readonly id: string
  /** For people, such as `Login authority`. */
  readonly name: string
  readonly glyph: Glyph
  /** `host[:port]`; absent where none is configured. */
  readonly host?: string
  /** `here` is this process; `none`: there is nothing to connect to. */
  readonly status: NodeStatus
  /** Of the connection that leads here. */
  readonly edge: Exclude<NodeStatus, 'here' | 'pending'>
  /** What is wrong, in two or three words. */
  readonly trouble?: string
}

export type NodeStatus = Check['status'] | 'pending' | 'here' | 'none'

/** Days before its expiry from which a certificate is a warning. */
export const renewalDays = 30

/** The certificate that a host presents. Names are shortened and hold no control characters. */
export interface HostCertificate {
  readonly subject: string
  readonly issuer: string
  /** ISO 8601. */
  readonly validFrom: string
  /** ISO 8601. */
  readonly validTo: string
}

/** One earlier diagnostics run. */
export interface HistoryEntry {
  /** ISO 8601. */
  readonly at: string
  readonly status: ReportStatus
  /** The code of its root cause, when it failed. */
  readonly code?: ErrorCode
  /** Milliseconds of its token attempt. */
  readonly durationMs?: number
}

/** Which process answers. */
export interface Instance {
  readonly hostName: string
  /** A number below 4,096 that distinguishes this process from the others behind one address; the label `process` of its metrics. */
  readonly process: string
  /** ISO 8601. */
  readonly startedAt: string
  /** What the platform calls this instance, shortened; absent where it names none. */
  readonly id?: string
}

/** One check of this environment. */
export interface Check extends Partial<Omit<Diagnosis, 'message'>> {
  /** Stable and dotted, such as `authority.tls`. The part before the first dot is its endpoint, or `token`. */
  readonly id: string
  readonly status: 'pass' | 'warn' | 'fail' | 'skip'
  /** What was found; for a skipped check, why it was skipped. */
  readonly message: string
  readonly durationMs: number
}

/** A sign-in that waits for a person. */
export interface SignIn {
  readonly userCode: string
  readonly verificationUri: string
  /** ISO 8601. */
  readonly expiresOn: string
}

/** The outcome of the last token attempt, without the token. */
export interface TokenResult {
  readonly status: 'acquired' | 'failed' | 'pending' | 'skipped'
  readonly scope: string
  /** ISO 8601, when acquired. */
  readonly expiresOn?: string
  readonly durationMs: number
  /** Whether the result was cached. */
  readonly cached: boolean
  readonly error?: Diagnosis
  readonly signIn?: SignIn
  /** The last requests of the attempt, in order: host and path, never a query, body or header. */
  readonly trace?: readonly TraceStep[]
}

/** Who the token says this workload is; before a token, what the settings say. */
export interface Identity {
  readonly tenantId?: string
  readonly clientId?: string
  readonly objectId?: string
  readonly subscriptionId?: string
}

/** The result of checking one profile. */
export interface SmokeTestResult {
  readonly profile: string
  readonly status: 'pass' | 'warn' | 'fail'
  readonly checks: readonly Check[]
  readonly warnings: readonly Warning[]
  /** What would be a warning if the profile were in use: the placeholders of a built-in. Counted by `--strict`. */
  readonly notes?: readonly Warning[]
  /** The root cause, if a token was requested and the report failed. */
  readonly rootCause?: RootCause
  /** The probe matrix, if a token was requested. */
  readonly hosts?: readonly MatrixRow[]
}

/** One run over several profiles. */
export interface SmokeTestRun {
  readonly status: 'pass' | 'warn' | 'fail'
  /** ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  readonly results: readonly SmokeTestResult[]
}

/** What this process runs on and trusts. */
export interface Runtime {
  readonly node: string
  readonly openssl: string
  readonly fips: boolean
  readonly trustStore: {
    /** How many certificate authorities connections trust. */
    readonly certificates: number
    /** Where they come from: `bundled`, and the variables that added some. */
    readonly sources: readonly string[]
    /** What became of each variable that is set to add some. */
    readonly added: readonly AddedAuthorities[]
  }
  /** Whether a proxy would be used, without its address. */
  readonly proxy: boolean
}

/** The body of `/api/diagnostics`. */
export interface DiagnosticsReport {
  readonly status: ReportStatus
  /** Of this build, such as `1.0.0`. */
  readonly version: string
  readonly instance: Instance
  /** Present when the status is `failed`. */
  readonly rootCause?: RootCause
  /** ISO 8601. */
  readonly checkedAt: string
  readonly cloud: Pick<
    CloudProfile,
    'name' | 'displayName' | 'environment' | 'authorityHost' | 'resourceManagerEndpoint' | 'resourceManagerAudience'
  > & {
    readonly disableInstanceDiscovery: boolean
    readonly placeholder: boolean
    readonly source: ProfileSource
    readonly selectedBy: SelectedBy
    /** The override variables that took effect, by name. */
    readonly overrides: readonly string[]
  }
  readonly authMode: string
  /** `AUTH_MODE`, or `detected:` and the variable that the host sets. */
  readonly authModeFrom: string
  /** Where the audience of the token comes from: `profile`, a variable, `derived from VARIABLE`, or `discovered`. */
  readonly audienceFrom: string
  readonly credential: string
  readonly token: TokenResult
  readonly identity: Identity
  /** Seconds that this machine's clock is ahead of the login authority's; absent without a response to compare. */
  readonly clockSkewSeconds?: number
  readonly checks: readonly Check[]
  /** The probe matrix: one row per endpoint that was probed. */
  readonly hosts?: readonly MatrixRow[]
  /** The connection diagram: this workload, the proxy, then every endpoint of the table, configured or not. */
  readonly diagram?: readonly DiagramNode[]
  readonly warnings: readonly Warning[]
  readonly smokeTest: SmokeTestRun | null
  /** Where this service answers as a metadata host; absent when it does not. */
  readonly metadataHost?: string
  readonly runtime: Runtime
  /** Earlier runs of this process, oldest first; only with `?history=true`. */
  readonly history?: readonly HistoryEntry[]
  /** Each field's value and origin; only with `?explain=true`. */
  readonly fields?: ExplainedProfile['fields']
}
