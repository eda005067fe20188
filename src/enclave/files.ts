import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { EnclaveCloud } from './enclave-cloud.ts'

/** Absolute paths of the files that a client of the enclave needs. */
export interface EnclaveFiles {
  /** The directory of all of them. */
  readonly directory: string
  /** The root certificate: for NODE_EXTRA_CA_CERTS or REQUESTS_CA_BUNDLE. */
  readonly authorityPath: string
  /** The profile: for CUSTOM_CLOUD_PROFILE_PATH. */
  readonly profilePath: string
  /** Certificate and key of the application. */
  readonly clientCertificatePath: string
  /** A service account's token, valid for a day. */
  readonly federatedTokenPath: string
  /** An empty configuration directory for the command-line tool: for AZURE_CONFIG_DIR. */
  readonly platformCliDirectory: string
}

const daySeconds = 24 * 60 * 60

/** The files of an enclave could not be written. The message names the directory and the reason, for people. */
class EnclaveFilesError extends Error {
  override readonly name = 'EnclaveFilesError'
}

/**
 * Writes the files of an enclave. Secrets are readable by their owner only.
 *
 * @param directory Created if missing. Default is a new temporary directory, which is removed again if a file cannot be written.
 * @throws {EnclaveFilesError} If the directory or a file in it cannot be written.
 */
export async function writeEnclaveFiles(enclave: EnclaveCloud, directory?: string): Promise<EnclaveFiles> {
  const token = await enclave.issueFederatedToken({ lifetimeSeconds: daySeconds })
  let made: string | undefined
  try {
    if (directory === undefined) made = await mkdtemp(join(tmpdir(), 'enclave-'))
    const files = filesIn(directory ?? made ?? '')
    await mkdir(files.platformCliDirectory, { recursive: true, mode: 0o700 })
    await Promise.all([
      writeFile(files.authorityPath, enclave.ca.certificatePem),
      writeFile(files.profilePath, `${JSON.stringify(enclave.profile, null, 2)}\n`),
      writeSecret(files.clientCertificatePath, enclave.clientCertificatePem),
      writeSecret(files.federatedTokenPath, token),
    ])
    return files
  } catch (error) {
    if (made !== undefined) await rm(made, { recursive: true, force: true })
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    const fix = `${directory === undefined ? 'Set TMPDIR to' : 'Name'} a writable directory with free space`
    const where = resolve(directory ?? tmpdir())
    throw new EnclaveFilesError(`The files of the enclave cannot be written to ${where}: ${code}. ${fix}`, {
      cause: error,
    })
  }
}

/** Replaces a file that is there: its mode would stay, and a link would lead elsewhere. */
async function writeSecret(path: string, text: string): Promise<void> {
  await rm(path, { force: true })
  await writeFile(path, text, { mode: 0o600, flag: 'wx' })
}

function filesIn(directory: string): EnclaveFiles {
  const at = (name: string): string => resolve(join(directory, name))
  return {
    directory: resolve(directory),
    authorityPath: at('enclave-ca.pem'),
    profilePath: at('enclave-profile.json'),
    clientCertificatePath: at('client-certificate.pem'),
    federatedTokenPath: at('federated-token'),
    platformCliDirectory: at('platform-cli'),
  }
}
