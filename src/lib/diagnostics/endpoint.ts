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

/** A host that the service contacts: a row in the probe matrix and a node in the connection diagram. */
export interface Endpoint {
  /** Stable. The ids of its checks begin with it: `key-vault.tls`. */
  readonly id: string
  /** For people, in sentence case. */
  readonly name: string
  readonly glyph: Glyph
  /** The prefix of its network codes, such as `AUTHORITY`. */
  readonly role: NetworkRole
  /** The profile field that sets the address, or the DNS suffix after the account name. */
  readonly field?: ChangeableField
  /** The variable with the account name. Absent if the profile has the whole address. */
  readonly accountVariable?: string
  /** Whether the diagram hides it unless it is configured. Default is false. */
  readonly isOptional?: true
  /** The address; `undefined` if none is configured. */
  readonly url: (profile: CloudProfile, settings: EndpointSettings) => string | undefined
  /** The checks beyond the connection to its host. Default is none. */
  readonly probe?: (probing: Probing) => Promise<void>
  /** The fields with the audiences that its challenge may name. Tokens are requested for the first. */
  readonly audiences?: readonly (FieldPath & ChangeableField)[]
  /** A request that needs a token, reads no data and changes nothing. */
  readonly request?: ProtectedRequest
}

export type EndpointSettings = Partial<Pick<Settings, 'keyVault' | 'storageAccount' | 'authMode' | 'injected'>>

export interface ProtectedRequest {
  /** Relative to the address, with a query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Returns the service's error code for a refusal. */
  readonly reason?: (document: Document) => string | undefined
  /** The API version. */
  readonly version: string
  /** The least privileged role that may make this request. */
  readonly leastRole?: string
}

/** An endpoint that has an address. */
export interface ConfiguredEndpoint extends Pick<
  Endpoint,
  'id' | 'name' | 'role' | 'field' | 'accountVariable' | 'probe'
> {
  readonly url: URL
  readonly protectedResource?: ProtectedResource
  /** Whether the protocol isn't HTTP and begins without TLS. Default is false. */
  readonly isPlainTcp?: boolean
  /** For a service of PLATFORM_SERVICES: the audience of its tokens, if the cloud publishes one. */
  readonly audience?: string | undefined
}

/** A configured endpoint that accepts tokens. */
export type ProtectedEndpoint = ConfiguredEndpoint & { readonly protectedResource: ProtectedResource }

export function isProtected(endpoint: ConfiguredEndpoint): endpoint is ProtectedEndpoint {
  return endpoint.protectedResource !== undefined
}

/** The request that reads the challenge of a service without a token, and later checks whether the service accepts a token. */
export interface ProtectedResource extends Omit<ProtectedRequest, 'path'> {
  readonly url: URL
  /** A token for another audience is withheld from this service. */
  readonly audience: string
  /** The audiences of the profile that a challenge may name. */
  readonly audiences: readonly string[]
  readonly audienceFields: readonly ChangeableField[]
}

/** The input of the probes, which contact only hosts that the profile names. */
export interface ProbeContext {
  readonly profile: CloudProfile
  readonly endpoints: readonly ConfiguredEndpoint[]
  /** The login authority, with the address of the tenant's OpenID configuration. */
  readonly provider: IdentityProvider
  /** The variables with proxy and trust settings. */
  readonly env: Env
  /** The deadline of the whole run. A check that it interrupts fails, and later checks are skipped. */
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

/** What a probe works with, after proxy, DNS, TCP and TLS of its host have passed. */
export interface Probing {
  readonly endpoint: ConfiguredEndpoint
  readonly context: ProbeContext
  readonly layers: Pick<Layers, 'check'>
  /** Sends one GET without credentials through the proxy of the host. There is no retry and no redirect. Any status is a result. */
  readonly get: (
    url: URL,
    options?: { readonly headers?: Readonly<Record<string, string>>; readonly documents?: SharedDocuments | undefined },
  ) => Promise<PipelineResponse>
  /** Aborts a layer at its deadline. */
  readonly signal: () => AbortSignal
}
