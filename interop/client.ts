import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Enclave, EnclaveFiles, Role } from 'cloud-profile-enclave/enclave'

/** Whether the login authority of a mode has tenants, or is a federation service as on a stack. */
export type Authority = 'tenants' | 'federation service'

/** One run of a program. */
export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly input?: string
}

/** The inputs of a mode: a separate enclave, an empty home, and our exports. */
export interface Stage {
  readonly enclave: Enclave
  readonly files: EnclaveFiles
  /** An empty directory, which is also HOME. */
  readonly home: string
  /** Where what the client consists of is installed. */
  readonly cache: string
  /** The text of one of our exports, for the profile of the enclave with some fields changed. */
  readonly exported: (format: string, changes?: Readonly<Record<string, string>>) => Promise<string>
  /** As `exported`, written to a file of the home. @returns Its path. */
  readonly exportTo: (name: string, format: string) => Promise<string>
  /** Starts the service with PLATFORM_SERVE_METADATA, over https. @returns Its origin. */
  readonly metadataHost: () => Promise<string>
  /**
   * Runs a program in a bare environment that trusts the enclave's root, and approves each device code that it prints.
   *
   * @returns What it wrote to stdout.
   * @throws {Error} With the end of its output, when it ends with another status than 0.
   */
  readonly run: (command: string, args: readonly string[], options?: ProgramOptions) => Promise<string>
}

/** The name under which clients ask for the public instance discovery. */
// cloud-profile-ignore: the name that clients look up
export const discoveryName = 'login.microsoftonline.com'

/** One way in which a client is used. */
export interface Mode {
  readonly name: string
  readonly authority: Authority
  /**
   * The client requests a token for the resource manager endpoint, whatever audience the cloud publishes. Its enclave accepts that, as the
   * known clouds do. Default is an enclave that accepts only the published audiences.
   */
  readonly asksForEndpoint?: boolean
  /**
   * What the client does about the public instance discovery that it insists on: our metadata host answers in its place, or no host does
   * and the client stops there. Default is a client that does not ask. Both need a network namespace.
   */
  readonly discovery?: 'ours' | 'absent'
  /** Whether the client reaches a storage account by its name, which needs a network namespace. */
  readonly namesAccount?: boolean
  /** What was set, for people: the export, the variables, the options. */
  readonly set: string
  /** What must have been answered with 200 for the mode to count, by role. Default is a token and the resource manager. */
  readonly reaches?: readonly Role[]
  /** @throws {Error} When the client does not get through. */
  readonly run: (stage: Stage) => Promise<void>
}

/** A program of another project that is started from our exports. */
export interface Client {
  readonly name: string
  readonly version: string
  /** The exports that its modes use, by name: their headers say with which client they last ran. */
  readonly exports: readonly string[]
  /** Whether it runs in CI too. */
  readonly inCi: boolean
  /** What people meet who use it in such a cloud, as seen in real runs. */
  readonly traps: readonly string[]
  /** Brings everything into the cache, from the network. Not called again for the same stamp. */
  readonly install: (install: Installation) => Promise<void>
  readonly modes: readonly Mode[]
}

/** What an installation works with. */
export interface Installation {
  readonly cache: string
  readonly run: (command: string, args: readonly string[], options?: ProgramOptions) => Promise<string>
}

/** The variables from which the credential libraries of other tools read their credential. */
export function azureSecretOf({ clientId, clientSecret }: Enclave): Record<string, string> {
  return { AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: clientSecret }
}

/** The variables from which our exported modules read their credential. */
export function secretOf({ clientId, clientSecret }: Enclave): Record<string, string> {
  return { PLATFORM_CLIENT_ID: clientId, PLATFORM_CLIENT_SECRET: clientSecret }
}

/** A client without a switch for instance discovery: beside tenants without an answer and with ours, and beside a federation service. */
export function withDiscovery(set: string, run: Mode['run'], more: Partial<Mode> = {}): readonly Mode[] {
  const leads = `${set}; ${discoveryName} leads to our metadata host`
  return [
    { name: 'secret, no instance discovery', authority: 'tenants', discovery: 'absent', set, run, ...more },
    { name: 'secret, our instance discovery', authority: 'tenants', discovery: 'ours', set: leads, run, ...more },
    { name: 'secret', authority: 'federation service', set, run, ...more },
  ]
}

/** Installs packages of PyPI into a folder of the cache. @param words For pip. */
export async function installPython({ cache, run }: Installation, folder: string, words: readonly string[]) {
  await run(fileURLToPath(new URL('../.ci/python-packages', import.meta.url)), [join(cache, folder), ...words])
}

/** The small programs that use each library, with the versions they are pinned to. */
export const programs = fileURLToPath(new URL('programs', import.meta.url))
