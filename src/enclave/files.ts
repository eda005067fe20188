import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Enclave } from './enclave.ts'

/** Absolute paths of what an enclave's user needs on disk. */
export interface EnclaveFiles {
  /** The root certificate: for NODE_EXTRA_CA_CERTS or REQUESTS_CA_BUNDLE. */
  readonly authorityPath: string
  /** The profile: for CUSTOM_CLOUD_PROFILE_PATH. */
  readonly profilePath: string
  /** Certificate and key of the application. */
  readonly clientCertificatePath: string
  /** A service account's token, good for a day. */
  readonly federatedTokenPath: string
  /** An empty configuration directory for the command-line tool: for AZURE_CONFIG_DIR. */
  readonly platformCliDirectory: string
}

const daySeconds = 24 * 60 * 60

/** Writes the files of an enclave into a directory, which is made when missing. Secrets are readable by their owner only. */
export async function writeEnclaveFiles(enclave: Enclave, directory: string): Promise<EnclaveFiles> {
  const at = (name: string): string => resolve(join(directory, name))
  const files: EnclaveFiles = {
    authorityPath: at('enclave-ca.pem'),
    profilePath: at('enclave-profile.json'),
    clientCertificatePath: at('client-certificate.pem'),
    federatedTokenPath: at('federated-token'),
    platformCliDirectory: at('platform-cli'),
  }
  await mkdir(files.platformCliDirectory, { recursive: true, mode: 0o700 })
  const token = await enclave.issueFederatedToken({ lifetimeSeconds: daySeconds })
  await Promise.all([
    writeFile(files.authorityPath, enclave.ca.certificatePem),
    writeFile(files.profilePath, `${JSON.stringify(enclave.profile, null, 2)}\n`),
    writeFile(files.clientCertificatePath, enclave.clientCertificatePem, { mode: 0o600 }),
    writeFile(files.federatedTokenPath, token, { mode: 0o600 }),
  ])
  return files
}
