import { defaultProfileName } from '../clouds/known-clouds.ts'
import { dnsLabelPattern, tenantPattern } from '../base/names.ts'
import { isAddressOrName, withBrackets, withoutBrackets } from '../base/address.ts'
import type { AuthLevel } from '../base/app.ts'
import { ncrontabProblem } from '../base/ncrontab.ts'
import { choice, flag, list, parsed, secret, shaped, text, type Setting } from './setting.ts'

/** Access to the functions: with a function key, for everyone, or with the master key of the host. */
export const authLevels = ['function', 'anonymous', 'admin'] as const satisfies readonly AuthLevel[]

/** The values of AUTH_MODE, in the order of the documents. `default` is the chain of the modes that the environment configures. */
export const authModes = [
  'managedIdentity',
  'workloadIdentity',
  'platformCli',
  'deviceCode',
  'clientSecret',
  'clientCertificate',
  'usernamePassword',
  'default',
] as const

export type AuthMode = (typeof authModes)[number]

/** The modes that need a person or a developer's tool, which a timer doesn't have. */
export const attendedModes: readonly AuthMode[] = ['deviceCode', 'platformCli']

export const logLevels = ['error', 'warning', 'info', 'verbose'] as const

const off = { default: 'false' }

const label = 'one DNS label (letters, digits, inner hyphens)'
const isLabel = (value: string) => dnsLabelPattern.test(value)
const isHost = (value: string) =>
  /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/i.test(withBrackets(value)) &&
  URL.canParse(`https://${withBrackets(value)}`)

/** Selection of the profile. The resolver reads these itself, because the library uses it without settings. */
export const selection: readonly Setting<unknown>[] = [
  text('PLATFORM_CLOUD', 'Name of a built-in profile', { default: defaultProfileName }),
  text('CUSTOM_CLOUD_PROFILE_PATH', 'Path of a custom profile file. It wins over PLATFORM_CLOUD'),
  text('PLATFORM_KNOWN_CLOUDS', 'Folder of profile files: clouds to recognize in addition to the built-in ones'),
  flag('PLATFORM_OVERRIDE_CUSTOM_PROFILE', '`true` applies the override variables to a custom file too', off),
]

/** The file of a secret, such as a mounted Secret or a systemd credential. Every child process can read a variable. */
const secretPath = (name: string) =>
  text(`${name}_PATH`, `File with the value of ${name}. A changed file applies without a restart`)

/** Inputs of a credential. */
export const credentialTable = {
  tenantId: shaped(
    'PLATFORM_TENANT_ID',
    'Overrides `tenantId`, the tenant that every credential signs in to',
    'a GUID, a domain name or adfs',
    (value) => tenantPattern.test(value),
  ),
  authMode: choice(
    'AUTH_MODE',
    `How the workload signs in: ${authModes.map((mode) => `\`${mode}\``).join(', ')}`,
    authModes,
    { unset: 'derived from the host' },
  ),
  clientId: text(
    'PLATFORM_CLIENT_ID',
    'Client (application) id. With managedIdentity: client id of a user-assigned identity',
  ),
  clientSecret: secret('PLATFORM_CLIENT_SECRET', 'clientSecret: the secret'),
  clientSecretPath: secretPath('PLATFORM_CLIENT_SECRET'),
  federatedTokenFile: text(
    'PLATFORM_FEDERATED_TOKEN_FILE',
    'workloadIdentity: file of the federated token. If this variable, the tenant or the client id is unset, the AZURE_ variable that a cluster injects applies',
  ),
  clientCertificatePath: text(
    'PLATFORM_CLIENT_CERTIFICATE_PATH',
    'clientCertificate: PEM file with certificate and private key',
  ),
  clientCertificatePassword: secret(
    'PLATFORM_CLIENT_CERTIFICATE_PASSWORD',
    'clientCertificate: password of the private key',
  ),
  clientCertificatePasswordPath: secretPath('PLATFORM_CLIENT_CERTIFICATE_PASSWORD'),
  username: text('PLATFORM_USERNAME', 'usernamePassword: the user'),
  password: secret('PLATFORM_PASSWORD', 'usernamePassword: the password'),
  passwordPath: secretPath('PLATFORM_PASSWORD'),
  allowedTokenHosts: list(
    'PLATFORM_ALLOWED_TOKEN_HOSTS',
    'Further hosts (`host`, `host:port`, an IPv6 address or `[address]:port`, comma-separated) that an OpenID configuration may name as token endpoint, in addition to the login authority',
    'hosts (host, host:port, an IPv6 address or [address]:port)',
    isHost,
  ),
  tokenTimeoutMs: parsed(
    'PLATFORM_TOKEN_TIMEOUT_MS',
    'Deadline of one token attempt in milliseconds, 1000 to 120000',
    'a whole number from 1000 to 120000',
    (value) =>
      /^\d{1,9}$/.test(value) && Number(value) >= 1000 && Number(value) <= 120_000 ? Number(value) : undefined,
    { default: '10000', type: 'integer' },
  ),
}

/** Behavior of the service. */
const service = {
  discoverAudience: flag(
    'PLATFORM_DISCOVER_AUDIENCE',
    '`true` reads the resource manager audience from the live metadata document. A failure is an error',
    off,
  ),
  subscriptionId: text('PLATFORM_SUBSCRIPTION_ID', 'Subscription shown in the diagnostics'),
  storageAccount: shaped('PLATFORM_STORAGE_ACCOUNT', 'Storage account to check', label, isLabel),
  keyVault: shaped('PLATFORM_KEY_VAULT', 'Key vault to check', label, isLabel),
  services: list(
    'PLATFORM_SERVICES',
    'Further services to check, comma-separated: a name of the `services` of the profile, a slash and the name of the resource, such as `serviceBus/myns,sqlServer/mydb`',
    'services (service/name, such as serviceBus/myns)',
    (value) => /^[a-z][A-Za-z]{1,40}\/[^/]+$/.test(value) && isLabel(value.slice(value.indexOf('/') + 1)),
  ),
  logLevel: choice(
    'PLATFORM_LOG_LEVEL',
    '`error`, `warning`, `info` or `verbose`. `verbose` adds the URLs that the credential library contacts',
    logLevels,
    { default: 'info' },
  ),
  classificationBanner: text(
    'PLATFORM_CLASSIFICATION_BANNER',
    'Banner text above and below the page, such as a classification',
  ),
  smokeTestSchedule: shaped(
    'SMOKE_TEST_SCHEDULE',
    'Schedule on which the timer checks every profile: six-field NCRONTAB',
    'a six-field NCRONTAB expression (second minute hour day month weekday)',
    (value) => ncrontabProblem(value) === undefined,
    {
      unset: 'every 15 minutes, at an offset derived from the name of the site or host',
      problem: ncrontabProblem,
    },
  ),
  smokeTestChecksToken: flag(
    'SMOKE_TEST_CHECK_TOKEN',
    'Whether the timer also requests a token and probes the active cloud',
    { unset: `yes, except for ${attendedModes.join(' and ')}` },
  ),
  requireFips: flag('PLATFORM_REQUIRE_FIPS', '`true` refuses to start unless OpenSSL runs in FIPS mode', off),
  httpAuthLevel: choice(
    'HTTP_AUTH_LEVEL',
    'Access level of the routes except `/api/health`: `function`, `anonymous` or `admin`',
    authLevels,
    { default: 'function' },
  ),
}

/** Read by the server of containers and machines only. */
const server = {
  port: parsed<number | string, { default: string }>(
    'PORT',
    'Server: port, or the path of a Unix socket or named pipe',
    'a whole number from 0 to 65535, or the absolute path of a socket or pipe',
    (value) => {
      if (/^\d{1,5}$/.test(value)) return Number(value) <= 65_535 ? Number(value) : undefined
      return /^(\/|\\\\[.?]\\pipe\\)[^\0]{1,255}$/.test(value) ? value : undefined
    },
    // A deployment tool sets a number. Only a platform sets a path.
    { default: '3000', type: 'integer' },
  ),
  listenAddress: shaped(
    'PLATFORM_LISTEN_ADDRESS',
    'Server: address to listen on. An address other than loopback needs a host key',
    'an address or a host name, without a port. A link-local address needs its zone, as in fe80::1%eth0',
    (value) =>
      !/^\[?fe[89ab][0-9a-f]:[^%]*$/i.test(value) &&
      isAddressOrName(withoutBrackets(value)) &&
      /^([A-Za-z0-9.:%_-]{1,255}|\[[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9._~-]{1,64})?\])$/.test(value),
    { default: '127.0.0.1' },
  ),
  hostKey: secret('PLATFORM_HOST_KEY', 'Server: the function key. If it is set, every address requires it'),
  hostKeyPath: text('PLATFORM_HOST_KEY_PATH', 'Server: file of the function key'),
  tlsCertificatePath: text(
    'PLATFORM_TLS_CERTIFICATE_PATH',
    'Server: PEM file with the certificate and its chain, to serve https',
  ),
  tlsKeyPath: text('PLATFORM_TLS_KEY_PATH', 'Server: PEM file with the private key of that certificate'),
}

/** Read by the script of `export az`, not by the service. */
export const scripts: readonly Setting<unknown>[] = [
  text('PLATFORM_DIRECTORY_ID', 'GUID of the directory. The exported `az` script needs it with a federation service'),
]

/** The settings with a value in {@link Settings}. */
export const settingTable = { ...credentialTable, ...service, ...server } as const

/** The variables of secrets. Each has a twin that names a file. */
export const secretVariables: readonly string[] = Object.values(settingTable).flatMap(({ name, secret }) =>
  secret ? name : [],
)
