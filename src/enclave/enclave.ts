import { type CertificateAuthority, createCertificateAuthority } from './certificates/certificate-authority.ts'
import { clientCertificate } from './client-certificate.ts'
import { type Cluster, type FederatedTokenOptions, createCluster } from './cluster.ts'
import { type Audiences, createDirectory } from './directory.ts'
import { createFaultBoard } from './faults/fault-board.ts'
import type { FaultChoice, FaultTarget } from './faults/fault.ts'
import type { EnclaveOptions } from './enclave-options.ts'
import type { EnclaveFiles } from './files.ts'
import type { ForeignRequest } from './foreign-host.ts'
import { type RecordedRequest, createRequestLog } from './http/request-log.ts'
import { createDeviceCodes } from './login/device-codes.ts'
import { federationAddresses, tenantedAddresses } from './login/login-addresses.ts'
import { appServiceTokenPath } from './managed-identity.ts'
import { type EnclaveProfile, enclaveProfile } from './profile.ts'
import { serveRoles } from './serve-roles.ts'
import { foreignOriginAt, startServers } from './servers.ts'
import { type EnclaveAuthMode, type Settings, enclaveSettings } from './settings.ts'

export { type CertificateAuthority, createCertificateAuthority } from './certificates/certificate-authority.ts'
export { type EnclaveOptions } from './enclave-options.ts'
export { type FaultSetting } from './faults/fault-board.ts'
export { type Fault, type FaultChoice, type FaultKind, type FaultTarget, faultTable } from './faults/fault.ts'
export type { FederatedTokenOptions } from './cluster.ts'
export type { ForeignRequest } from './foreign-host.ts'
export type { RecordedRequest } from './http/request-log.ts'
export type { EnclaveProfile } from './profile.ts'
export type { Role } from './roles.ts'
export { type EnclaveFiles, writeEnclaveFiles } from './files.ts'
export { formatShellCommand, platformCliCommands } from './platform-cli.ts'
export { type EnclaveAuthMode, type Settings, formatShellExports, quoteForShell } from './settings.ts'

/** A running sovereign cloud. Every address is on loopback; `localhost` must resolve to 127.0.0.1. */
export interface Enclave {
  readonly ca: CertificateAuthority
  /** `https://localhost:PORT/`, or with `adfs/` for a federation service. */
  readonly authorityHost: string
  readonly resourceManagerEndpoint: string
  readonly resourceManagerAudience: string
  /** Where metadata is served, without its query. */
  readonly metadataEndpoint: string
  readonly vaultEndpoint: string
  readonly storageEndpoint: string
  readonly audiences: Audiences
  readonly tenantId: string
  /** The tenant's GUID, also where `tenantId` is `adfs`: the command-line tool takes no other. */
  readonly directoryId: string
  readonly subscriptionId: string
  readonly clientId: string
  readonly clientSecret: string
  readonly username: string
  readonly password: string
  /** The application's certificate followed by its key. */
  readonly clientCertificatePem: string
  readonly managedIdentity: {
    readonly clientId: string
    readonly appService: { readonly endpoint: string; readonly header: string }
    /** For AZURE_POD_IDENTITY_AUTHORITY_HOST. Without a final slash. */
    readonly instanceMetadataHost: string
  }
  readonly profile: EnclaveProfile
  /** The host that nothing should contact, with all that reached it. */
  readonly foreign: { readonly origin: string; readonly received: readonly ForeignRequest[] }
  /** Every request that arrived, in order, whatever became of it. */
  readonly requests: readonly RecordedRequest[]
  /** Resolves with the first request, past or future, that satisfies the predicate. */
  waitForRequest(predicate: (request: RecordedRequest) => boolean): Promise<RecordedRequest>
  clearRequests(): void
  /** The settings to use this enclave in one mode: {@link enclaveSettings}. */
  environment(mode: EnclaveAuthMode, files?: EnclaveFiles): Settings
  issueFederatedToken(options?: FederatedTokenOptions): Promise<string>
  /**
   * Turns a fault on, or with `undefined` off. Without a target: the first one of the fault's row in `faultTable`, or all when turning
   * off. Resolves when the next connection will see it.
   */
  setFault(fault: FaultChoice | undefined, target?: FaultTarget): Promise<void>
  /** Decides as the person would. Throws when no sign-in with the code is waiting. */
  approveDeviceCode(userCode: string): void
  declineDeviceCode(userCode: string): void
  expireDeviceCode(userCode: string): void
  /** Closes every port and drops every connection, hanging ones too. */
  close(): Promise<void>
}

/** Starts a sovereign cloud on loopback. */
export async function startEnclave(options: EnclaveOptions = {}): Promise<Enclave> {
  const { federationService = false, tokenLifetimeSeconds = 3600, assertionsOnce = false } = options
  const faults = createFaultBoard(options.faults)
  const now = (): number => {
    const skew = faults.find('clock-skew', 'login')
    return (options.now ?? Date.now)() + (skew ? (skew.seconds ?? 3600) * 1000 : 0)
  }
  const log = createRequestLog()
  const ca = options.ca ?? (await createCertificateAuthority())
  const [servers, certificate] = await Promise.all([
    startServers({ ca, ports: options.ports ?? {}, faults, log, now }),
    clientCertificate(ca),
  ])

  const loginOrigin = `https://localhost:${servers.login.port}`
  const resourceManagerEndpoint = `https://localhost:${servers['resource-manager'].port}/`
  const managedIdentityOrigin = `http://127.0.0.1:${servers['managed-identity'].port}`
  const directory = createDirectory({ tenantId: options.tenantId, federationService, resourceManagerEndpoint })
  const addresses = federationService
    ? federationAddresses(loginOrigin)
    : tenantedAddresses(loginOrigin, directory.tenantId)
  const profile = enclaveProfile({ directory, resourceManagerEndpoint, federationService, ...addresses })
  const deviceCodes = createDeviceCodes(options.deviceCode ?? {}, now)
  const cluster: Cluster = await createCluster(directory.domain, now)
  const received: ForeignRequest[] = []
  const foreignOrigin = foreignOriginAt(servers.foreign.port)
  await serveRoles(servers, {
    addresses,
    assertionsOnce,
    certificatePem: certificate.certificatePem,
    cluster,
    deviceCodes,
    directory,
    faults,
    federationService,
    foreignOrigin,
    loginOrigin,
    now,
    profile,
    recordForeign: (request) => received.push(request),
    tokenLifetimeSeconds,
  })

  const enclave: Enclave = {
    ca,
    authorityHost: profile.authorityHost,
    resourceManagerEndpoint,
    resourceManagerAudience: profile.resourceManagerAudience,
    metadataEndpoint: profile.metadataEndpoint,
    vaultEndpoint: `https://localhost:${servers.vault.port}/`,
    storageEndpoint: `https://localhost:${servers.storage.port}/`,
    audiences: directory.audiences,
    tenantId: directory.tenantId,
    directoryId: directory.directoryId,
    subscriptionId: directory.subscriptionId,
    clientId: directory.clientId,
    clientSecret: directory.clientSecret,
    username: directory.username,
    password: directory.password,
    clientCertificatePem: certificate.certificatePem + certificate.privateKeyPem,
    managedIdentity: {
      clientId: directory.managedIdentityClientId,
      appService: { endpoint: managedIdentityOrigin + appServiceTokenPath, header: directory.identityHeader },
      instanceMetadataHost: managedIdentityOrigin,
    },
    profile,
    foreign: { origin: foreignOrigin, received },
    requests: log.requests,
    waitForRequest: (predicate) => log.waitFor(predicate),
    clearRequests: () => log.clear(),
    environment: (mode, files) => enclaveSettings(enclave, mode, files),
    issueFederatedToken: (token) => cluster.issueToken(token),
    setFault: async (fault, target) => {
      const roles = faults.set(fault, target)
      await Promise.all(roles.map((role) => servers[role].applyFaults()))
    },
    approveDeviceCode: (userCode) => deviceCodes.decide(userCode, 'approved'),
    declineDeviceCode: (userCode) => deviceCodes.decide(userCode, 'declined'),
    expireDeviceCode: (userCode) => deviceCodes.decide(userCode, 'expired'),
    close: async () => {
      await Promise.all(Object.values(servers).map((server) => server.close()))
    },
  }
  return enclave
}
