import { rm } from 'node:fs/promises'
import * as tls from 'node:tls'
import { startEnclave as startCloud, writeEnclaveFiles, type EnclaveAuthMode, type EnclaveControls } from './enclave.ts'
import type { CloudOptions } from './enclave-options.ts'
import { requireMode, type Settings } from './environment.ts'
import type { CloudProfile } from 'cloud-profile-service'

export type { EnclaveAuthMode, FaultChoice, FaultTarget, RecordedRequest } from './enclave.ts'

export interface EnclaveOptions extends CloudOptions {
  /** The mode of `environment`. Default is `clientSecret`. */
  readonly mode?: EnclaveAuthMode | undefined
  /**
   * Whether TLS clients of this process trust the enclave until it is closed. Default is true, which needs Node 22.19 or 24.5. On an older
   * Node, run the tests in a child process with the variables of `environment`.
   */
  readonly trust?: boolean | undefined
}

declare global {
  /** For an application that compiles with an older TypeScript library. The types of Node declare it in the same way. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/** A running sovereign cloud on loopback. */
export interface Enclave extends EnclaveControls {
  readonly profile: CloudProfile
  /** The variables that the library or a child process needs to use the enclave, among them NODE_EXTRA_CA_CERTS. */
  readonly environment: Settings
  /** The variables for another mode. */
  environmentFor(mode: EnclaveAuthMode): Settings
  /** Loopback addresses of the storage account and the key vault. */
  readonly storageUrl: string
  readonly keyVaultUrl: string
  /** Closes every port and connection, and removes the files of the enclave. */
  close(): Promise<void>
  /** The same as {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

type Trust = Pick<typeof tls, 'getCACertificates' | 'setDefaultCACertificates'>

/** Not imported by name, because older Node versions don't have the functions. */
const { getCACertificates, setDefaultCACertificates }: Partial<Trust> = tls

function requireTrust(): Trust {
  if (getCACertificates !== undefined && setDefaultCACertificates !== undefined) {
    return { getCACertificates, setDefaultCACertificates }
  }
  throw new Error(
    `trust needs Node 22.19 or 24.5, and this is Node ${process.versions.node}: pass trust: false, and run the application in a child process with the variables of environment`,
  )
}

/**
 * Starts a sovereign cloud on free ports of loopback, for the tests of applications. `cloud-profile enclave` runs the same cloud.
 *
 * @throws {Error} if `trust` needs a newer Node, or if a mode, a fault or a target does not exist.
 */
export async function startEnclave({
  mode = 'clientSecret',
  trust = true,
  ...options
}: EnclaveOptions = {}): Promise<Enclave> {
  requireMode(mode)
  const trusted = trust ? requireTrust() : undefined
  const cloud = await startCloud({ ...options, localServices: true })
  const files = await writeEnclaveFiles(cloud).catch(async (error: unknown) => {
    await cloud.close()
    throw error
  })
  const certificate = cloud.ca.certificatePem
  trusted?.setDefaultCACertificates([...trusted.getCACertificates('default'), certificate])
  const close = async (): Promise<void> => {
    await cloud.close()
    const others = trusted?.getCACertificates('default').filter((each) => each.trim() !== certificate.trim())
    if (others !== undefined) trusted?.setDefaultCACertificates(others)
    await rm(files.directory, { recursive: true, force: true })
  }
  const { profile, requests, waitForRequest, setFault, approveDeviceCode, declineDeviceCode, expireDeviceCode } = cloud
  const controls = { requests, waitForRequest, setFault, approveDeviceCode, declineDeviceCode, expireDeviceCode }
  return {
    ...controls,
    profile,
    environment: cloud.environment(mode, files),
    environmentFor: (other) => cloud.environment(other, files),
    storageUrl: cloud.storageEndpoint,
    keyVaultUrl: cloud.vaultEndpoint,
    close,
    [Symbol.asyncDispose]: close,
  }
}
