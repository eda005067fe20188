import type { CloudProfile } from 'cloud-profile-service'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { CertificateAuthority } from './certificate-authority.ts'
import type { Directory } from './directory.ts'
import { EnclaveError } from './enclave-error.ts'
import type { Words } from './faults/fault.ts'
import type { FederatedTokenOptions } from './login/client-assertion.ts'

/** The addresses, identities and secrets of a running enclave, and the tokens of its cluster. */
export interface EnclaveCloud extends Omit<Directory, 'managedIdentity'> {
  readonly ca: CertificateAuthority
  /** `https://localhost:PORT/`, or with `adfs/` for a federation service. */
  readonly authorityHost: string
  readonly resourceManagerEndpoint: string
  readonly resourceManagerAudience: string
  /** Without the query. */
  readonly metadataEndpoint: string
  readonly vaultEndpoint: string
  readonly storageEndpoint: string
  /** The application's certificate, and its key. */
  readonly clientCertificatePem: string
  readonly managedIdentity: {
    readonly clientId: string
    readonly appService: { readonly endpoint: string; readonly header: string }
    /** For AZURE_POD_IDENTITY_AUTHORITY_HOST. Without a final slash. */
    readonly instanceMetadataHost: string
  }
  readonly profile: CloudProfile
  issueFederatedToken(options?: FederatedTokenOptions): Promise<string>
}

export type Settings = Readonly<Record<string, string>>

/** The values of AUTH_MODE. The enclave has settings for each. */
export type EnclaveAuthMode =
  | Words<'managedIdentity workloadIdentity platformCli deviceCode'>
  | Words<'clientSecret clientCertificate usernamePassword default'>

type Credential = (enclave: EnclaveCloud, file: (name: keyof EnclaveFiles) => string) => Settings

const secret: Credential = ({ clientSecret }) => ({ PLATFORM_CLIENT_SECRET: clientSecret })

/** The variables that each credential needs, in addition to the ids of the application. */
const credentials: Readonly<Record<EnclaveAuthMode, Credential>> = {
  managedIdentity: ({ managedIdentity: { appService } }) => ({
    IDENTITY_ENDPOINT: appService.endpoint,
    IDENTITY_HEADER: appService.header,
  }),
  workloadIdentity: (_, file) => ({ PLATFORM_FEDERATED_TOKEN_FILE: file('federatedTokenPath') }),
  // az is a Python program, which reads trusted certificates from REQUESTS_CA_BUNDLE.
  platformCli: (_, file) => ({
    AZURE_CONFIG_DIR: file('platformCliDirectory'),
    REQUESTS_CA_BUNDLE: file('authorityPath'),
    AZURE_CORE_COLLECT_TELEMETRY: 'false',
  }),
  deviceCode: () => ({}),
  clientSecret: secret,
  clientCertificate: (_, file) => ({ PLATFORM_CLIENT_CERTIFICATE_PATH: file('clientCertificatePath') }),
  usernamePassword: ({ username, password }) => ({ PLATFORM_USERNAME: username, PLATFORM_PASSWORD: password }),
  // The chain tries the secret first.
  default: secret,
}

export const enclaveAuthModes = Object.keys(credentials) as EnclaveAuthMode[]

/** @throws {RangeError} for an unknown mode, which a caller without types may pass. */
export function requireMode(mode: EnclaveAuthMode): void {
  if (Object.hasOwn(credentials, mode)) return
  throw new RangeError(`mode must be one of ${enclaveAuthModes.join(', ')}, but is ${mode}.`)
}

/**
 * The settings of a program that uses the enclave in one mode.
 *
 * @param files The result of `writeEnclaveFiles`. Without it, the settings contain only the credential, and the caller must pass the profile
 *   and the root certificate in another way.
 * @throws {TypeError} if the mode needs a file and `files` is absent.
 */
export function enclaveSettings(enclave: EnclaveCloud, mode: EnclaveAuthMode, files?: EnclaveFiles): Settings {
  requireMode(mode)
  const hasOwnIdentity = mode === 'managedIdentity' || mode === 'platformCli'
  return {
    ...(files && { CUSTOM_CLOUD_PROFILE_PATH: files.profilePath, NODE_EXTRA_CA_CERTS: files.authorityPath }),
    AUTH_MODE: mode,
    PLATFORM_SUBSCRIPTION_ID: enclave.subscriptionId,
    ...(!hasOwnIdentity && { PLATFORM_TENANT_ID: enclave.tenantId, PLATFORM_CLIENT_ID: enclave.clientId }),
    ...credentials[mode](enclave, (name) => {
      if (files === undefined) throw new TypeError(`Pass the result of writeEnclaveFiles: ${mode} needs a file.`)
      return files[name]
    }),
  }
}

/** Absolute paths of the files for a client of the enclave. */
export type EnclaveFiles = Readonly<ReturnType<typeof filesIn>>

function filesIn(folder: string) {
  const directory = resolve(folder)
  return {
    directory,
    /** The root certificate, for NODE_EXTRA_CA_CERTS or REQUESTS_CA_BUNDLE. */
    authorityPath: join(directory, 'enclave-ca.pem'),
    /** The profile, for CUSTOM_CLOUD_PROFILE_PATH. */
    profilePath: join(directory, 'enclave-profile.json'),
    /** Certificate and key of the application. */
    clientCertificatePath: join(directory, 'client-certificate.pem'),
    /** The token of a service account, valid for a day. */
    federatedTokenPath: join(directory, 'federated-token'),
    /** An empty directory for the configuration of az, for AZURE_CONFIG_DIR. */
    platformCliDirectory: join(directory, 'platform-cli'),
  }
}

/**
 * Writes the files of an enclave. Only their owner can read secrets.
 *
 * @param directory Created if missing. Default is a new temporary directory, which is removed if a file can't be written.
 * @throws {EnclaveError} if the directory or a file can't be written.
 */
export async function writeEnclaveFiles(enclave: EnclaveCloud, directory?: string): Promise<EnclaveFiles> {
  const token = await enclave.issueFederatedToken({ lifetimeSeconds: 24 * 60 * 60 })
  let made: string | undefined
  try {
    if (directory === undefined) made = await mkdtemp(join(tmpdir(), 'enclave-'))
    const files = filesIn(directory ?? made ?? '')
    await mkdir(files.platformCliDirectory, { recursive: true, mode: 0o700 })
    // One after another: a write that is still under way after a failure would put its file into a folder that is being removed.
    await writeFile(files.authorityPath, enclave.ca.certificatePem)
    await writeFile(files.profilePath, `${JSON.stringify(enclave.profile, null, 2)}\n`)
    await writeSecret(files.clientCertificatePath, enclave.clientCertificatePem)
    await writeSecret(files.federatedTokenPath, token)
    return files
  } catch (error) {
    if (made !== undefined) await rm(made, { recursive: true, force: true })
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    const fix = `${directory === undefined ? 'Set TMPDIR to' : 'Name'} a writable directory with free space`
    const where = resolve(directory ?? tmpdir())
    throw new EnclaveError(`The files of the enclave cannot be written to ${where}: ${code}. ${fix}`, { cause: error })
  }
}

/** Removes an existing file first: its mode would stay, and a link would lead elsewhere. */
async function writeSecret(path: string, text: string): Promise<void> {
  await rm(path, { force: true })
  await writeFile(path, text, { mode: 0o600, flag: 'wx' })
}
