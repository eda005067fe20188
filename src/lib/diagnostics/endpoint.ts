import type { PipelineResponse } from '@azure/core-rest-pipeline'
import type { ChangeableField } from '../findings/finding.ts'
import type { NetworkRole } from '../errors.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import type { FieldPath } from '../profile/field-path.ts'
import type { IdentityProvider } from '../profile/identity-provider.ts'
import type { Settings } from '../settings/settings.ts'
import type { Env } from '../base/env.ts'
import type { SharedDocuments } from '../transport/exchange.ts'
import type { Document } from '../transport/guarded-client.ts'
import type { Layers } from './checks.ts'
import type { Glyph } from './report.ts'

/** A network place with a row in the probe matrix and a node in the connection diagram. */
export interface Endpoint {
  /** Stable; also the group of its checks, such as `key-vault.tls`. */
  readonly id: string
  /** For people, at the start of a line. */
  readonly name: string
  readonly glyph: Glyph
  /** The prefix of its network codes, such as `AUTHORITY`. */
  readonly role: NetworkRole
  /** The field of the profile with its address, or with the DNS suffix after its account. */
  readonly field?: ChangeableField
  /** The variable that names its account; absent if the profile names it. */
  readonly accountVariable?: string
  /** Whether the diagram shows it only where it is configured. Default is false. */
  readonly isOptional?: true
  /** `undefined` where nothing is configured. */
  readonly url: (profile: CloudProfile, settings: EndpointSettings) => string | undefined
  /** The checks beyond the connection to its host. Default is none. */
  readonly probe?: (probing: Probing) => Promise<void>
  /** The audiences that its challenge may name. Its tokens are for the first one. */
  readonly audiences?: readonly (FieldPath & ChangeableField)[]
  /** A request that wants a token, reads no data and changes nothing. */
  readonly request?: ProtectedRequest
}

export type EndpointSettings = Partial<Pick<Settings, 'keyVault' | 'storageAccount' | 'authMode' | 'injected'>>

export interface ProtectedRequest {
  /** Relative to the address, with a query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Reads why the service refused, as an identifier of the service. */
  readonly reason?: (document: Document) => string | undefined
  /** The API version of the request. */
  readonly version: string
  /** The role with the fewest rights that may make this request. */
  readonly leastRole?: string
}

/** An endpoint that is configured. */
export interface ConfiguredEndpoint extends Pick<
  Endpoint,
  'id' | 'name' | 'role' | 'field' | 'accountVariable' | 'probe'
> {
  readonly url: URL
  readonly protectedResource?: ProtectedResource
  /** Its protocol is not HTTP, and begins without TLS. */
  readonly isPlainTcp?: boolean
  /** The audience of its tokens, for a service of PLATFORM_SERVICES if the cloud publishes an audience. */
  readonly audience?: string | undefined
}

/** A configured endpoint that accepts tokens. */
export type ProtectedEndpoint = ConfiguredEndpoint & { readonly protectedResource: ProtectedResource }

export function isProtected(endpoint: ConfiguredEndpoint): endpoint is ProtectedEndpoint {
  return endpoint.protectedResource !== undefined
}

/** The request without a token, to read the challenge, and with one, to see whether it is accepted. */
export interface ProtectedResource extends Omit<ProtectedRequest, 'path'> {
  readonly url: URL
  /** The audience. A token for another one is withheld from this service. */
  readonly audience: string
  /** The audiences of the profile that a challenge may name. */
  readonly audiences: readonly string[]
  readonly audienceFields: readonly ChangeableField[]
}

/** The input of probes. Only hosts that the profile names are contacted. */
export interface ProbeContext {
  readonly profile: CloudProfile
  readonly endpoints: readonly ConfiguredEndpoint[]
  /** The login authority, with the address of the tenant's OpenID configuration. */
  readonly provider: IdentityProvider
  /** Read for proxy and trust settings. */
  readonly env: Env
  /** The deadline of the whole run. A check that it interrupts is failed or skipped. */
  readonly signal: AbortSignal
  /** Milliseconds of one layer. Default is 5000. */
  readonly timeoutMs?: number
  /** Milliseconds since the epoch. Default is `Date.now`. */
  readonly now?: () => number
  /** Further hosts (`host` or `host:port`) that the OpenID configuration may name as token endpoint. */
  readonly allowedTokenHosts?: readonly string[]
  /** Shares the OpenID configuration with the credential. Default is a separate request. */
  readonly documents?: SharedDocuments
}

/** The client of a probe, once proxy, DNS, TCP and TLS of its host are checked. */
export interface Probing {
  readonly endpoint: ConfiguredEndpoint
  readonly context: ProbeContext
  readonly layers: Pick<Layers, 'check'>
  /** One GET without credentials, never repeated or redirected, through the proxy of this host. Any status is a result. */
  readonly get: (
    url: URL,
    options?: { readonly headers?: Readonly<Record<string, string>>; readonly documents?: SharedDocuments | undefined },
  ) => Promise<PipelineResponse>
  /** The end of one layer. */
  readonly signal: () => AbortSignal
}
