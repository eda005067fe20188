import type { CloudProfile } from 'cloud-profile-service'
import { createCertificateAuthority } from './certificate-authority.ts'
import { createDirectory, type Directory, type Principal } from './directory.ts'
import type { withDefaults } from './enclave-options.ts'
import { createFaultBoard } from './faults/fault-board.ts'
import type { Role } from './http/exchange.ts'
import { createRequestLog } from './http/request-log.ts'
import type { RoleServer } from './http/role-server.ts'
import { createAssertionVerifier, createCluster } from './login/client-assertion.ts'
import { createDeviceCodes, type DeviceCodes } from './login/device-codes.ts'
import { createTokenIssuer, signingKey } from './login/token-issuer.ts'
import {
  cloudClaims,
  isFederationService,
  loginAddresses,
  loopbackCloud,
  roleOfHost,
  versionsOf,
} from './named-cloud.ts'
import { readSeed, seedStorage } from './seed.ts'
import { clientCertificate, findLoopback, originAt, startServers } from './servers.ts'
import type { AzuriteAddresses } from './storage/azurite.ts'
import { createStorageAccount } from './storage/storage-account.ts'

/** A request to the foreign host. Tests search its body for secrets. */
export type ForeignRequest = Readonly<Record<'method' | 'path' | 'body', string>>

/** The cloud, the directory, the clock and the faults, which all roles share. */
export type Context = Readonly<Awaited<ReturnType<typeof createContext>>>

/** Reads the seed, opens the ports, and makes the cloud and its directory. @param onOpen Called with each open port. */
export async function createContext(
  options: ReturnType<typeof withDefaults>,
  azurite: AzuriteAddresses | undefined,
  onOpen: (server: RoleServer) => unknown,
) {
  const { address: loopback, hostName: found } = await findLoopback()
  const hostName = options.hostName ?? found
  const faults = createFaultBoard(options.faults)
  /** Milliseconds since the epoch. */
  const now = (): number => {
    const skew = faults.find('clock-skew', 'login')
    return options.now() + (skew ? (skew.seconds ?? 3600) * 1000 : 0)
  }
  const log = createRequestLog()
  const content = await readSeed(options, { hasQueues: azurite !== undefined })
  const account = createStorageAccount(now, azurite)
  await seedStorage(account, content)
  const ca = options.ca ?? (await createCertificateAuthority())
  let openCloud: CloudProfile | undefined
  const roleAt = (host: string): Role | undefined => openCloud && roleOfHost(host, openCloud)
  const certificate = await clientCertificate(ca)
  const servers = await startServers({ ...options, ca, hostName, loopback, faults, log, now, roleAt })
  Object.values(servers).forEach(onOpen)

  // `URL` removes the default port, which some clients refuse.
  const at = (role: Role) => new URL(`https://${hostName}:${servers[role].port}/`).href
  // Clients use the host names of the cloud, which a proxy leads here, or loopback addresses.
  const usesHostNames = options.cloud !== undefined && !options.localServices
  const cloud = usesHostNames && options.cloud ? options.cloud : loopbackCloud(at, options)
  openCloud = cloud
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
  const tokenEndpoints = [tenantId, directory.domain, 'common', 'organizations'].map((each) =>
    addresses.of('token', each),
  )
  const audiences = [...tokenEndpoints, addresses.configurationIssuer(tenantId)]
  return {
    ...options,
    account,
    addresses,
    ca,
    certificate,
    cloud,
    cluster,
    content,
    deviceCodes,
    directory,
    faults,
    federationService,
    key,
    log,
    loginEndpoint,
    loopback,
    now,
    roleAt,
    servers,
    usesHostNames,
    /** The authority in a challenge. */
    authorizationUri: federationService ? loginEndpoint : loginEndpoint + tenantId,
    cloudClaims: usesHostNames ? cloudClaims(cloud) : {},
    foreignOrigin: originAt('https', loopback, servers.foreign.port),
    foreignRequests: [] as ForeignRequest[],
    /** Whether a host name belongs to the login authority of the cloud. By another name, a client takes it for another cloud's authority. */
    isAuthority: (host: string) => !usesHostNames || roleAt(host.replace(/:\d+$/, '')) === 'login',
    issuer: createTokenIssuer({ ...options, now, faults, directory, addresses, key, federationService }),
    refreshTokens: new Map<string, Principal>(),
    /** The blob endpoint of the account. */
    storageEndpoint: at('storage'),
    vaultEndpoint: at('vault'),
    verifyAssertion: createAssertionVerifier(certificate.certificatePem, cluster.trust, audiences, now),
    versions: options.versions ?? versionsOf(options.cloud),
  }
}
