import type { EnclaveCloud } from './enclave-cloud.ts'
import type { EnclaveFiles } from './files.ts'

export type Settings = Readonly<Record<string, string>>

type Credentials = (enclave: EnclaveCloud, file: (name: keyof EnclaveFiles) => string) => Settings

const application = ({ tenantId, clientId }: EnclaveCloud): Settings => ({
  PLATFORM_TENANT_ID: tenantId,
  PLATFORM_CLIENT_ID: clientId,
})

const withSecret = (enclave: EnclaveCloud): Settings => ({
  ...application(enclave),
  PLATFORM_CLIENT_SECRET: enclave.clientSecret,
})

/** The variables that each credential needs, by the value of AUTH_MODE. */
const credentials = {
  managedIdentity: ({ managedIdentity: { appService } }) => ({
    IDENTITY_ENDPOINT: appService.endpoint,
    IDENTITY_HEADER: appService.header,
  }),
  workloadIdentity: (enclave, file) => ({
    ...application(enclave),
    PLATFORM_FEDERATED_TOKEN_FILE: file('federatedTokenPath'),
  }),
  // The tool is a child process in Python, which reads its trust from its own variable.
  platformCli: (_, file) => ({
    AZURE_CONFIG_DIR: file('platformCliDirectory'),
    REQUESTS_CA_BUNDLE: file('authorityPath'),
    AZURE_CORE_COLLECT_TELEMETRY: 'false',
  }),
  deviceCode: application,
  clientSecret: withSecret,
  clientCertificate: (enclave, file) => ({
    ...application(enclave),
    PLATFORM_CLIENT_CERTIFICATE_PATH: file('clientCertificatePath'),
  }),
  usernamePassword: (enclave) => ({
    ...application(enclave),
    PLATFORM_USERNAME: enclave.username,
    PLATFORM_PASSWORD: enclave.password,
  }),
  // The chain tries the secret first.
  default: withSecret,
} satisfies Readonly<Record<string, Credentials>>

/** The ways of authentication that the enclave can be used in, by the values of AUTH_MODE. */
export type EnclaveAuthMode = keyof typeof credentials

export const enclaveAuthModes = Object.keys(credentials) as EnclaveAuthMode[]

/** @throws {RangeError} If an enclave has no settings for the mode: JavaScript may pass any text. */
export function requireMode(mode: EnclaveAuthMode): void {
  if (Object.hasOwn(credentials, mode)) return
  throw new RangeError(`mode must be one of ${enclaveAuthModes.join(', ')}, but is ${mode}.`)
}

/**
 * The settings to use an enclave in one mode.
 *
 * @param files The result of `writeEnclaveFiles`. Without them override variables give the profile, except for fields that no
 *   variable overrides, and the caller must trust the enclave's root in another way.
 * @throws {TypeError} If the mode needs a file and `files` is absent.
 */
export function enclaveSettings(enclave: EnclaveCloud, mode: EnclaveAuthMode, files?: EnclaveFiles): Settings {
  requireMode(mode)
  const settingsOf: Credentials = credentials[mode]
  return {
    ...(files ? profileFile(files) : profileOverrides(enclave)),
    AUTH_MODE: mode,
    PLATFORM_SUBSCRIPTION_ID: enclave.subscriptionId,
    ...settingsOf(enclave, (name) => {
      if (files === undefined) throw new TypeError(`${mode} needs a file: pass what writeEnclaveFiles returned.`)
      return files[name]
    }),
  }
}

function profileFile(files: EnclaveFiles): Settings {
  return { CUSTOM_CLOUD_PROFILE_PATH: files.profilePath, NODE_EXTRA_CA_CERTS: files.authorityPath }
}

function profileOverrides({ profile }: EnclaveCloud): Settings {
  const { serviceDnsSuffixes: suffixes, serviceAudiences: audiences } = profile
  return {
    PLATFORM_CLOUD: 'platformstack-custom',
    PLATFORM_AUTHORITY_HOST: profile.authorityHost,
    PLATFORM_RESOURCE_MANAGER_ENDPOINT: profile.resourceManagerEndpoint,
    PLATFORM_RESOURCE_MANAGER_AUDIENCE: profile.resourceManagerAudience,
    PLATFORM_STORAGE_DNS_SUFFIX: suffixes.storage,
    PLATFORM_KEYVAULT_DNS_SUFFIX: suffixes.keyVault,
    PLATFORM_SQL_DNS_SUFFIX: suffixes.sqlServer,
    PLATFORM_ACR_DNS_SUFFIX: suffixes.containerRegistry,
    PLATFORM_STORAGE_AUDIENCE: audiences.storage,
    PLATFORM_KEYVAULT_AUDIENCE: audiences.keyVault,
    PLATFORM_TENANT_ID: profile.tenantId,
  }
}
