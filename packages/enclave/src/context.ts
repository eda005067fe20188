import type { CloudProfile } from 'cloud-profile-service'
import { createDirectory, type Directory, type Principal } from './directory.ts'
import type { CertificateAuthority } from './certificate-authority.ts'
import type { withDefaults } from './enclave-options.ts'
import type { FaultBoard } from './faults/fault-board.ts'
import type { ProtectedHandler, Role } from './http/exchange.ts'
import { createAssertionVerifier, createCluster } from './login/client-assertion.ts'
import { createDeviceCodes, type DeviceCodes } from './login/device-codes.ts'
import { createTokenIssuer, signingKey } from './login/token-issuer.ts'
import type { Content } from './seed.ts'
import { cloudClaims, isFederationService, loginAddresses, type VersionSet } from './named-cloud.ts'

/** A request to the foreign host. Tests search its body for secrets. */
export type ForeignRequest = Readonly<Record<'method' | 'path' | 'body', string>>

/** The cloud, the directory, the clock and the faults, which all roles share. */
export type Context = Readonly<Awaited<ReturnType<typeof createContext>>>

/** The cloud of an enclave with open ports. */
interface OpenCloud {
  readonly cloud: CloudProfile
  /** Whether clients use the host names of the cloud, not loopback addresses. */
  readonly usesHostNames: boolean
  readonly versions: VersionSet
  readonly roleAt: (host: string) => Role | undefined
  readonly faults: FaultBoard
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The certificate of the application. */
  readonly certificatePem: string
  readonly foreignOrigin: string
  readonly content: Content
  readonly account: ProtectedHandler
  /** The blob endpoint of the account. */
  readonly storageEndpoint: string
  readonly vaultEndpoint: string
  readonly ca: CertificateAuthority
}

export async function createContext(options: ReturnType<typeof withDefaults>, open: OpenCloud) {
  const { cloud, now, certificatePem, roleAt } = open
  const federationService = isFederationService(cloud)
  const directory: Directory = createDirectory({ ...options, cloud })
  const { tenantId } = directory
  const addresses = loginAddresses(cloud, tenantId)
  const { authorityHost } = addresses
  // The metadata of a federation service omits the final slash, and its challenge names no tenant.
  const loginEndpoint = federationService ? authorityHost.replace(/\/$/, '') : authorityHost
  const deviceCodes: DeviceCodes = createDeviceCodes(options.deviceCode, now)
  const cluster = await createCluster(cloud.federatedAudience, now)
  const key = await signingKey('access-token')
  return {
    ...options,
    ...open,
    addresses,
    cluster,
    deviceCodes,
    directory,
    federationService,
    key,
    loginEndpoint,
    /** The authority in a challenge. */
    authorizationUri: federationService ? loginEndpoint : loginEndpoint + tenantId,
    cloudClaims: open.usesHostNames ? cloudClaims(cloud) : {},
    /** Whether a host name belongs to the login authority of the cloud. By another name, a client takes it for another cloud's authority. */
    isAuthority: (host: string) => !open.usesHostNames || roleAt(host.replace(/:\d+$/, '')) === 'login',
    issuer: createTokenIssuer({ ...options, ...open, directory, addresses, key, federationService }),
    foreignRequests: [] as ForeignRequest[],
    refreshTokens: new Map<string, Principal>(),
    verifyAssertion: createAssertionVerifier({
      certificatePem,
      federation: cluster.trust,
      audiences: [
        ...[tenantId, directory.domain, 'common', 'organizations'].map((each) => addresses.of('token', each)),
        addresses.configurationIssuer(tenantId),
      ],
      now,
    }),
  }
}
