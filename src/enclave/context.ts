import type { Directory, Principal } from './directory.ts'
import type { FaultBoard } from './faults/fault-board.ts'
import type { LoginAddresses } from './login/addresses.ts'
import type { VerifyAssertion } from './login/client-assertion.ts'
import type { DeviceCodes } from './login/device-codes.ts'
import type { SigningKey, TokenIssuer } from './login/token-issuer.ts'
import type { NamedCloud, VersionSet } from './named-cloud.ts'

/** A request to the foreign host, with its body: tests look for secrets in it. */
export interface ForeignRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** What the roles share: one cloud, one directory, one clock, one set of faults. */
export interface Context {
  readonly cloud: NamedCloud
  readonly directory: Directory
  readonly federationService: boolean
  readonly addresses: LoginAddresses
  /** The login endpoint of metadata. */
  readonly loginEndpoint: string
  /** The authority in a challenge: the login endpoint with the tenant. */
  readonly authorizationUri: string
  /** What the OpenID configuration says about the cloud. */
  readonly cloudClaims: Readonly<Record<string, string>>
  /** Whether the authority of the cloud has this host name. Others reach it as the authority of another cloud. */
  readonly isAuthority: (host: string) => boolean
  /** Whether instance discovery describes this authority. */
  readonly discovery: boolean
  /** Whether the answered scope is normalized. */
  readonly lenient: boolean
  readonly key: SigningKey
  readonly issuer: TokenIssuer
  readonly verifyAssertion: VerifyAssertion
  readonly deviceCodes: DeviceCodes
  readonly refreshTokens: Map<string, Principal>
  readonly versions: VersionSet
  /** The address of an azurite that has the content of the storage account. */
  readonly azurite: string | undefined
  /** The blob endpoint of the one storage account. */
  readonly storageEndpoint: string
  /** The certificate of the application. */
  readonly certificatePem: string
  /** Secrets of the vault, by name. */
  readonly secrets: Readonly<Record<string, string>>
  readonly faults: FaultBoard
  readonly foreignOrigin: string
  readonly received: ForeignRequest[]
  /** Milliseconds since the epoch. */
  readonly now: () => number
}
