import { createCertificateAuthority } from './certificates/certificate-authority.ts'
import { clientCertificate } from './client-certificate.ts'
import { createCluster } from './cluster.ts'
import { createDirectory } from './directory.ts'
import { createFaultBoard } from './faults/fault-board.ts'
import type { FaultChoice, FaultTarget } from './faults/fault.ts'
import type { EnclaveCloud } from './enclave-cloud.ts'
import { refuseUnknownOptions, type EnclaveOptions } from './enclave-options.ts'
import type { EnclaveFiles } from './files.ts'
import type { ForeignRequest } from './foreign-host.ts'
import { findLoopbackAddress, isLocalhost } from './http/loopback-address.ts'
import { type RecordedRequest, createRequestLog } from './http/request-log.ts'
import { createDeviceCodes } from './login/device-codes.ts'
import { federationAddresses, tenantedAddresses } from './login/login-addresses.ts'
import { appServiceTokenPath } from './managed-identity.ts'
import { enclaveProfile } from './profile.ts'
import { serveRoles } from './serve-roles.ts'
import { originAt, startServers } from './servers.ts'
import { type EnclaveAuthMode, type Settings, enclaveSettings } from './settings.ts'

export { type CertificateAuthority, createCertificateAuthority } from './certificates/certificate-authority.ts'
export { type EnclaveOptions } from './enclave-options.ts'
export { type Fault, type FaultChoice, type FaultKind, type FaultTarget, faultTable } from './faults/fault.ts'
export type { EnclaveCloud } from './enclave-cloud.ts'
export type { ForeignRequest } from './foreign-host.ts'
export type { RecordedRequest } from './http/request-log.ts'
export type { Role } from './roles.ts'
export { type EnclaveFiles, writeEnclaveFiles } from './files.ts'
export type { EnclaveAuthMode, Settings } from './settings.ts'

/** A running sovereign cloud. Every address is on loopback: 127.0.0.1, or ::1 on a machine without it. */
export interface Enclave extends EnclaveCloud {
  /** The host that nothing should contact, and the requests that reached it. */
  readonly foreign: { readonly origin: string; readonly received: readonly ForeignRequest[] }
  /** Every request that arrived, in order. */
  readonly requests: readonly RecordedRequest[]
  /** Resolves with the first request, past or future, that satisfies the predicate. */
  waitForRequest(predicate: (request: RecordedRequest) => boolean): Promise<RecordedRequest>
  clearRequests(): void
  /** The settings to use this enclave in one mode: {@link enclaveSettings}. */
  environment(mode: EnclaveAuthMode, files?: EnclaveFiles): Settings
  /**
   * Turns a fault on, or with `undefined` off. Without a target: the first one of the fault's row in `faultTable`, or all to turn off.
   * Resolves when it applies to the next connection.
   */
  setFault(fault: FaultChoice | undefined, target?: FaultTarget): Promise<void>
  /** Decides as the person would. Throws if no sign-in with the code is pending. */
  approveDeviceCode(userCode: string): void
  declineDeviceCode(userCode: string): void
  expireDeviceCode(userCode: string): void
  /** Closes every port and drops every connection, including those that hang. */
  close(): Promise<void>
}

/** Starts a sovereign cloud on loopback. */
export async function startEnclave(options: EnclaveOptions = {}): Promise<Enclave> {
  refuseUnknownOptions(options)
  const {
    federationService = false,
    tokenLifetimeSeconds = 3600,
    lenient = false,
    assertionsOnce = false,
    discovery = false,
  } = options
  const loopback = await findLoopbackAddress()
  // Some machines have the name in no hosts file.
  const isNamed = loopback === '127.0.0.1' || (await isLocalhost(loopback))
  const hostName = options.hostName ?? (isNamed ? 'localhost' : '[::1]')
  const faults = createFaultBoard(options.faults)
  const now = (): number => {
    const skew = faults.find('clock-skew', 'login')
    return (options.now ?? Date.now)() + (skew ? (skew.seconds ?? 3600) * 1000 : 0)
  }
  const log = createRequestLog()
  const ca = options.ca ?? (await createCertificateAuthority())
  const [servers, certificate] = await Promise.all([
    startServers({ ca, ports: options.ports ?? {}, hostName, loopback, discovery, faults, log, now }),
    clientCertificate(ca),
  ])

  // Without a default port, which some clients do not understand.
  const loginOrigin = new URL(`https://${hostName}:${servers.login.port}`).origin
  const resourceManagerEndpoint = `https://${hostName}:${servers['resource-manager'].port}/`
  const storageEndpoint = `https://${hostName}:${servers.storage.port}/`
  const managedIdentityOrigin = originAt('http', loopback, servers['managed-identity'].port)
  const directory = createDirectory({
    tenantId: options.tenantId,
    federationService,
    resourceManagerAudiences: lenient ? [resourceManagerEndpoint] : [],
  })
  const addresses = federationService
    ? federationAddresses(loginOrigin)
    : tenantedAddresses(loginOrigin, directory.tenantId)
  const profile = enclaveProfile({ directory, resourceManagerEndpoint, federationService, ...addresses })
  const deviceCodes = createDeviceCodes(options.deviceCode ?? {}, now)
  const cluster = await createCluster(directory.domain, now)
  const received: ForeignRequest[] = []
  const foreignOrigin = originAt('https', loopback, servers.foreign.port)
  await serveRoles(servers, {
    addresses,
    assertionsOnce,
    certificatePem: certificate.certificatePem,
    cluster,
    deviceCodes,
    directory,
    discovery,
    faults,
    federationService,
    foreignOrigin,
    lenient,
    origin: loginOrigin,
    now,
    profile,
    recordForeign: (request) => received.push(request),
    storageEndpoint,
    tokenLifetimeSeconds,
  })

  const enclave: Enclave = {
    ca,
    authorityHost: profile.authorityHost,
    resourceManagerEndpoint,
    resourceManagerAudience: profile.resourceManagerAudience,
    metadataEndpoint: profile.metadataEndpoint,
    vaultEndpoint: `https://${hostName}:${servers.vault.port}/`,
    storageEndpoint,
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
