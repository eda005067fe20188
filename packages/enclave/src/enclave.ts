import type { Socket } from 'node:net'
import { type Context, createContext, type ForeignRequest } from './context.ts'
import { type EnclaveOptions, withDefaults } from './enclave-options.ts'
import type { EnclaveAuthMode, EnclaveCloud, EnclaveFiles, Settings } from './environment.ts'
import { enclaveSettings } from './environment.ts'
import type { Fault, FaultTarget } from './faults/fault.ts'
import type { Role } from './http/exchange.ts'
import type { RecordedRequest } from './http/request-log.ts'
import { appServiceTokenPath } from './managed-identity.ts'
import { routesOf } from './routes.ts'
import { openAzurite } from './storage/azurite.ts'
import { discoveryNames, originAt } from './servers.ts'
export { type CertificateAuthority, createCertificateAuthority } from './certificate-authority.ts'
export { type EnclaveAuthMode, type EnclaveFiles, writeEnclaveFiles } from './environment.ts'
export { type Fault, type Fault as FaultChoice, type FaultKind, type FaultTarget, faultTable } from './faults/fault.ts'
export type { RecordedRequest } from './http/request-log.ts'
export { clientCertificate } from './servers.ts'
export { EnclaveError } from './enclave-error.ts'
export type { EnclaveOptions } from './enclave-options.ts'
export type { Role } from './http/exchange.ts'

// An enclave is a simulated sovereign cloud: one loopback server for each role, over one directory and one storage account. This package
// contacts nothing, writes files only by `writeEnclaveFiles`, and shares no code with the service that it tests.

/** How tests observe and change the enclave. */
export interface EnclaveControls {
  /** Every request that arrived, in order. */
  readonly requests: readonly RecordedRequest[]
  /** Resolves with the first request, past or future, that satisfies the predicate. */
  readonly waitForRequest: (predicate: (request: RecordedRequest) => boolean) => Promise<RecordedRequest>
  /**
   * Sets a fault, or clears faults with `undefined`. Resolves when the change applies to the next connection.
   *
   * @param target Default is the most common target of the fault, or for `undefined` every target.
   */
  readonly setFault: (fault: Fault | undefined, target?: FaultTarget) => Promise<void>
  /** Signs in as a person would. Throws if no sign-in with this code is pending. */
  readonly approveDeviceCode: (userCode: string) => void
  readonly declineDeviceCode: (userCode: string) => void
  readonly expireDeviceCode: (userCode: string) => void
}

export interface ServerAddress {
  readonly host: string
  readonly port: number
  /** Serves a connection of this process in place of a connection to the address. */
  readonly accept: (socket: Socket) => void
}

/** A running sovereign cloud. Every address is on loopback: 127.0.0.1, or ::1 on a machine without it. */
export interface Enclave extends EnclaveCloud, EnclaveControls {
  /** A host that no client should contact, and the requests that it received. */
  readonly foreign: { readonly origin: string; readonly received: readonly ForeignRequest[] }
  /** The server for a host name of the cloud. It has a certificate for this name. `undefined` for a host that the enclave doesn't serve. */
  addressOf(host: string): ServerAddress | undefined
  clearRequests(): void
  environment(mode: EnclaveAuthMode, files?: EnclaveFiles): Settings
  /** Closes every port and drops every connection, including those that hang. */
  close(): Promise<void>
}

export async function startEnclave(given: EnclaveOptions = {}): Promise<Enclave> {
  const options = withDefaults(given)
  const azurite = await openAzurite(options.azurite)
  // What keeps the process alive, from its opening on.
  const open: Pick<Enclave, 'close'>[] = [{ close: async () => azurite.stop() }]
  const close = async (): Promise<void> => void (await Promise.all(open.map((each) => each.close())))
  try {
    const context = await createContext(options, azurite.addresses, (server) => open.push(server))
    for (const [role, server] of Object.entries(context.servers)) server.serve(routesOf[role as Role](context))
    return toEnclave(context, close)
  } catch (error) {
    await close()
    throw error
  }
}

function toEnclave(context: Context, close: Enclave['close']): Enclave {
  const { ca, certificate, cloud, cluster, deviceCodes, directory, faults, log, loopback, roleAt, servers } = context
  const managedIdentityOrigin = originAt('http', loopback, servers['managed-identity'].port)
  const enclave: Enclave = {
    ...directory,
    ca,
    authorityHost: cloud.authorityHost,
    resourceManagerEndpoint: cloud.resourceManagerEndpoint,
    resourceManagerAudience: cloud.resourceManagerAudience,
    metadataEndpoint: cloud.metadataEndpoint ?? `${cloud.resourceManagerEndpoint}metadata/endpoints`,
    vaultEndpoint: context.vaultEndpoint,
    storageEndpoint: context.storageEndpoint,
    clientCertificatePem: certificate.certificatePem + certificate.privateKeyPem,
    managedIdentity: {
      clientId: directory.managedIdentity.clientId,
      appService: { endpoint: managedIdentityOrigin + appServiceTokenPath, header: directory.identityHeader },
      instanceMetadataHost: managedIdentityOrigin,
    },
    profile: { ...cloud, tenantId: directory.tenantId },
    foreign: { origin: context.foreignOrigin, received: context.foreignRequests },
    addressOf: (host) => {
      const role =
        roleAt(host) ?? (context.discovery && discoveryNames.includes(host.toLowerCase()) ? 'login' : undefined)
      return role === undefined ? undefined : { host: loopback, port: servers[role].port, accept: servers[role].accept }
    },
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
    close,
  }
  return enclave
}
