import { rm } from 'node:fs/promises'
import * as tls from 'node:tls'
import {
  startEnclave as startCloud,
  writeEnclaveFiles,
  type EnclaveAuthMode,
  type EnclaveControls,
  type FaultChoice,
  type FaultTarget,
} from './enclave.ts'
import { requireMode } from './environment.ts'
import type { Settings } from './environment.ts'
import type { CloudProfile } from 'cloud-profile-service'

export type { EnclaveAuthMode, FaultChoice, FaultTarget, RecordedRequest } from './enclave.ts'

export interface EnclaveOptions {
  /** The mode of `environment`. Default is `clientSecret`. */
  readonly mode?: EnclaveAuthMode | undefined
  /**
   * Whether TLS clients of this process trust the enclave until it is closed. Default is true. Needs Node 22.19 or 24.5; on an older Node,
   * run the tests in a child process with `environment`.
   */
  readonly trust?: boolean | undefined
  /** The cloud whose kind, audiences, suffixes and services it has. Its addresses are on loopback. Default is a private cloud. */
  readonly cloud?: CloudProfile | undefined
  /** Default is a random GUID. Ignored with a federation service, whose tenant is `adfs`. */
  readonly tenantId?: string | undefined
  /** The client id of the application. Default is a random GUID. */
  readonly clientId?: string | undefined
  /** A secret of the application, for a program with its own. The random one, which `environment` has, works too. */
  readonly clientSecret?: string | undefined
  /**
   * Accepts the resource manager endpoint and `https://storage.azure.com/` as audiences, for clients that request no other. Default is
   * false: a private cloud refuses them.
   */
  readonly lenient?: boolean | undefined
  /** The login authority is a federation service, as on an on-premises stack. Default is false. */
  readonly federationService?: boolean | undefined
  /** The interface versions of its services; `stack` ends them where an on-premises stack does. Default is `current`. */
  readonly versions?: 'current' | 'stack' | undefined
  /** Default is 3600. Under 300 no client caches a token. */
  readonly tokenLifetimeSeconds?: number | undefined
  /** Defaults are 900 and 1. */
  readonly deviceCode?: { readonly lifetimeSeconds?: number; readonly intervalSeconds?: number } | undefined
  /** Secrets of the key vault, by name. */
  readonly secrets?: Readonly<Record<string, string>> | undefined
  /**
   * The blob service of a running azurite, such as `http://127.0.0.1:10000`: it has the content of the storage account, and the enclave
   * checks the tokens in front of it. Default is the enclave's own block blobs.
   */
  readonly azurite?: string | undefined
  /** Active from the start. `setFault` changes them. */
  readonly faults?: readonly { readonly fault: FaultChoice; readonly target?: FaultTarget }[] | undefined
}

/** A running sovereign cloud on loopback. */
export interface Enclave extends EnclaveControls {
  readonly profile: CloudProfile
  /** The variables to use the enclave, for the library and for child processes. They trust its certificates by NODE_EXTRA_CA_CERTS. */
  readonly environment: Settings
  /** The variables for another mode. */
  environmentFor(mode: EnclaveAuthMode): Settings
  /** Addresses of its storage account and key vault, whose host names do not resolve outside of it. */
  readonly storageUrl: string
  readonly keyVaultUrl: string
  /** Closes every port, drops every connection, and removes its files. */
  close(): Promise<void>
  /** As {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

type Trust = Pick<typeof tls, 'getCACertificates' | 'setDefaultCACertificates'>

/** An older Node lacks the functions, and an import by name would fail there. */
const { getCACertificates, setDefaultCACertificates }: Partial<Trust> = tls

function requireTrust(): Trust {
  if (getCACertificates !== undefined && setDefaultCACertificates !== undefined) {
    return { getCACertificates, setDefaultCACertificates }
  }
  throw new Error(
    `trust needs Node 22.19 or 24.5, and this is Node ${process.versions.node}: pass trust: false, and run the application in a child process with environment`,
  )
}

/**
 * Starts a sovereign cloud on free ports of loopback, for the tests of applications. The same cloud as `cloud-profile enclave`.
 *
 * @throws {Error} if `trust` needs a newer Node, or a mode, a fault or its target does not exist.
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
  const { requests, waitForRequest, setFault, approveDeviceCode, declineDeviceCode, expireDeviceCode } = cloud
  return {
    profile: cloud.profile,
    environment: cloud.environment(mode, files),
    environmentFor: (other) => cloud.environment(other, files),
    storageUrl: cloud.storageEndpoint,
    keyVaultUrl: cloud.vaultEndpoint,
    requests,
    waitForRequest,
    setFault,
    approveDeviceCode,
    declineDeviceCode,
    expireDeviceCode,
    close,
    [Symbol.asyncDispose]: close,
  }
}
