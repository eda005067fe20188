import type { PipelineResponse } from '@azure/core-rest-pipeline'
import type { CredentialPlan } from '../auth/credential-plan.ts'
import type { TokenOutcome } from '../auth/token-cache.ts'
import type { Env } from '../base/env.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import type { ErrorCode, Evidence, NetworkFault } from '../errors.ts'
import type { ChangeableField, Layer } from '../findings/finding.ts'
import type { IdentityProvider } from '../profile/identity-provider.ts'
import type { TraceStep } from '../transport/attempt.ts'
import type { SharedDocuments } from '../transport/exchange.ts'
import type { Check as ReportedCheck, DiagnosticsReport, HostCertificate, MatrixRow } from './report.ts'

// What a diagnostics run is, in the order in which it is made: endpoints are probed, probes make checks, the facts of a run are collected by
// host, and the verdict says what they mean. `report.ts` declares the part that leaves the process.

/** A host that the service contacts: a row in the probe matrix and a node in the connection diagram. */
export interface Endpoint extends Pick<MatrixRow, 'id' | 'name' | 'role'> {
  readonly url: URL
  /** The profile field that sets the address, or the DNS suffix after the account name. */
  readonly field?: ChangeableField
  /** The variable with the account name. Absent if the profile has the whole address. */
  readonly accountVariable?: string
  /** The checks beyond the connection to its host. Default is none. */
  readonly probe?: (probing: Probing) => Promise<void>
  readonly protectedResource?: ProtectedResource
  /** Whether the protocol isn't HTTP and begins without TLS. Default is false. */
  readonly isPlainTcp?: boolean
  /** For a service of PLATFORM_SERVICES: the audience of its tokens, if the cloud publishes one. */
  readonly audience?: string | undefined
}

/** A request that needs a token, reads no data and changes nothing. Without a token, the response is a challenge. */
export interface ProtectedResource {
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  /** The least privileged role that may make this request. */
  readonly leastRole?: string
  /** The audiences of the profile that a challenge may name. A token for another audience than the first is withheld. */
  readonly audiences: readonly string[]
  readonly audienceFields: readonly ChangeableField[]
}

export type ProtectedEndpoint = Endpoint & Required<Pick<Endpoint, 'protectedResource'>>

/** The input of the probes, which contact only hosts that the profile names. */
export interface ProbeContext {
  readonly profile: CloudProfile
  readonly endpoints: readonly Endpoint[]
  /** The login authority, with the address of the tenant's OpenID configuration. */
  readonly provider: IdentityProvider
  readonly env: Env
  /** The deadline of the whole run. A check that it interrupts fails, and later checks are skipped. */
  readonly signal: AbortSignal
  /** For each layer. */
  readonly timeoutMs: number
  /** Further hosts (`host` or `host:port`) that the OpenID configuration may name as token endpoint. */
  readonly allowedTokenHosts?: readonly string[]
  /** Shares the OpenID configuration with the credential. Default is a separate request. */
  readonly documents?: SharedDocuments
}

/** What a probe works with, after proxy, DNS, TCP and TLS of its host have passed. */
export interface Probing {
  readonly endpoint: Endpoint
  readonly context: ProbeContext
  /** Runs one check, and returns its value. It is skipped after a failure; with `after failure`, only if no request can reach the host. */
  readonly check: <T = void>(
    name: string,
    observe: () => Observation<T> | Promise<Observation<T>>,
    afterFailure?: 'after failure',
  ) => Promise<T | undefined>
  /** Sends one GET without credentials through the proxy of the host. There is no retry and no redirect. Any status is a result. */
  readonly get: (url: URL, headers?: Readonly<Record<string, string>>) => Promise<PipelineResponse>
}

/** One check: what was observed, without its meaning. */
export interface Check extends Pick<ReportedCheck, 'id' | 'status' | 'message' | 'durationMs' | 'code'> {
  /** The id of the endpoint; absent if the check is about this machine only. */
  readonly endpoint?: string
  readonly layer?: Layer
  /** Whether this is the token attempt, whose failure needs an explanation most, or a check of the claims of its token. */
  readonly of?: 'attempt' | 'claims'
  readonly fault?: NetworkFault
  readonly evidence?: Evidence
  readonly certificate?: HostCertificate
  /** The profile fields that this check confirms. */
  readonly proves?: readonly ChangeableField[]
  readonly observed?: HostFacts
}

/** The result of a check that didn't fail. A failed check throws. */
export interface Observation<T = void> extends Pick<Check, 'message' | 'certificate' | 'proves' | 'observed'> {
  /** Default is `pass`. */
  readonly status?: Exclude<Check['status'], 'fail'>
  readonly code?: ErrorCode
  readonly evidence?: { readonly [K in keyof Evidence]: string | undefined }
  /** Values for later checks. */
  readonly value?: T
}

/** Facts about a host. The report doesn't contain them. */
export interface HostFacts {
  /** Seconds that the local clock is ahead of this host's. */
  readonly skewSeconds?: number
  readonly addresses?: readonly string[]
  /** The subjects of the certificates that the host sent. */
  readonly chain?: readonly string[]
  /** The path of the request. */
  readonly path?: string
  /** SHA-256 of an HTML page in place of the expected response. */
  readonly page?: string
  /** The cloud that the OpenID configuration of the tenant names. */
  readonly tenant?: Evidence
}

/** An endpoint with its checks, and with the facts from all checks on its host. */
export interface Host extends Endpoint, HostFacts {
  readonly checks: readonly Check[]
  /** With the checks of other endpoints on the same host. */
  readonly ofHost: readonly Check[]
}

/** The observations of one diagnostics run. */
export interface Run {
  readonly token: TokenOutcome
  readonly checks: readonly Check[]
  /** The audience that the token was requested for. Empty if the run failed. */
  readonly audience: string
  /** `undefined` if a variable of the auth mode is missing. */
  readonly plan: CredentialPlan | undefined
  readonly trace: readonly TraceStep[]
  readonly checkedAt: Date
  /** When the client certificate expires. ISO 8601. */
  readonly credentialExpiresOn?: string | undefined
}

/** A check with its meaning. */
export interface JudgedCheck extends Check, Pick<ReportedCheck, 'cause' | 'fix' | 'change'> {
  /** The diagram node that this check belongs to. A failure may blame another node. */
  readonly node: string
  /** Whether a failure of another node caused this failure. Its cell shows neither success nor failure. Default is false. */
  readonly isConsequence?: boolean
}

export interface Verdict
  extends Required<Pick<DiagnosticsReport, 'status' | 'hosts' | 'diagram'>>, Pick<DiagnosticsReport, 'rootCause'> {
  readonly checks: readonly JudgedCheck[]
}
