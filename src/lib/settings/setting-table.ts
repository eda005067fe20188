import { defaultProfileName } from '../clouds/known-clouds.ts'
import { dnsLabelPattern, tenantPattern } from '../base/names.ts'
import { isAddressOrName, withBrackets, withoutBrackets } from '../base/address.ts'
import type { AuthLevel } from '../base/app.ts'
import { ncrontabProblem } from '../base/ncrontab.ts'
import { choice, flag, integer, list, port, secret, shaped, text, type Setting } from './setting.ts'

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

const label = 'one DNS label (letters, digits, inner hyphens)'
const isLabel = (value: string) => dnsLabelPattern.test(value)
const isHost = (value: string) =>
  /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/i.test(withBrackets(value)) &&
  URL.canParse(`https://${withBrackets(value)}`)

/** Selection of the profile. The resolver reads these itself, because the library uses it without settings. */
export const selection: readonly Setting<unknown>[] = [
  text({ name: 'PLATFORM_CLOUD', meaning: 'Name of a built-in profile', default: defaultProfileName }),
  text({
    name: 'CUSTOM_CLOUD_PROFILE_PATH',
    meaning: 'Path of a custom profile file. It wins over PLATFORM_CLOUD',
  }),
  text({
    name: 'PLATFORM_KNOWN_CLOUDS',
    meaning: 'Folder of profile files: clouds to recognize in addition to the built-in ones',
  }),
  flag({
    name: 'PLATFORM_OVERRIDE_CUSTOM_PROFILE',
    meaning: '`true` applies the override variables to a custom file too',
    default: 'false',
  }),
]

/** The file of a secret, such as a mounted Secret or a systemd credential. Every child process can read a variable. */
const secretPath = <const N extends string>(name: N) =>
  text({ name: `${name}_PATH`, meaning: `File with the value of ${name}. A changed file applies without a restart` })

/** Inputs of a credential. */
export const credentialTable = {
  tenantId: shaped(
    { name: 'PLATFORM_TENANT_ID', meaning: 'Overrides `tenantId`, the tenant that every credential signs in to' },
    'a GUID, a domain name or adfs',
    (value) => tenantPattern.test(value),
  ),
  authMode: choice(
    {
      name: 'AUTH_MODE',
      meaning: `How the workload signs in: ${authModes.map((mode) => `\`${mode}\``).join(', ')}`,
      unset: 'derived from the host',
    },
    authModes,
  ),
  clientId: text({
    name: 'PLATFORM_CLIENT_ID',
    meaning: 'Client (application) id. With managedIdentity: client id of a user-assigned identity',
  }),
  clientSecret: secret({ name: 'PLATFORM_CLIENT_SECRET', meaning: 'clientSecret: the secret' }),
  clientSecretPath: secretPath('PLATFORM_CLIENT_SECRET'),
  federatedTokenFile: text({
    name: 'PLATFORM_FEDERATED_TOKEN_FILE',
    meaning:
      'workloadIdentity: file of the federated token. If this variable, the tenant or the client id is unset, the AZURE_ variable that a cluster injects applies',
  }),
  clientCertificatePath: text({
    name: 'PLATFORM_CLIENT_CERTIFICATE_PATH',
    meaning: 'clientCertificate: PEM file with certificate and private key',
  }),
  clientCertificatePassword: secret({
    name: 'PLATFORM_CLIENT_CERTIFICATE_PASSWORD',
    meaning: 'clientCertificate: password of the private key',
  }),
  clientCertificatePasswordPath: secretPath('PLATFORM_CLIENT_CERTIFICATE_PASSWORD'),
  username: text({ name: 'PLATFORM_USERNAME', meaning: 'usernamePassword: the user' }),
  password: secret({ name: 'PLATFORM_PASSWORD', meaning: 'usernamePassword: the password' }),
  passwordPath: secretPath('PLATFORM_PASSWORD'),
  allowedTokenHosts: list(
    {
      name: 'PLATFORM_ALLOWED_TOKEN_HOSTS',
      meaning:
        'Further hosts (`host`, `host:port`, an IPv6 address or `[address]:port`, comma-separated) that an OpenID configuration may name as token endpoint, in addition to the login authority',
    },
    'hosts (host, host:port, an IPv6 address or [address]:port)',
    isHost,
  ),
  tokenTimeoutMs: integer(
    {
      name: 'PLATFORM_TOKEN_TIMEOUT_MS',
      meaning: 'Deadline of one token attempt in milliseconds, 1000 to 120000',
      default: '10000',
    },
    1000,
    120_000,
  ),
}

/** Behavior of the service. */
const service = {
  discoverAudience: flag({
    name: 'PLATFORM_DISCOVER_AUDIENCE',
    meaning: '`true` reads the resource manager audience from the live metadata document. A failure is an error',
    default: 'false',
  }),
  subscriptionId: text({ name: 'PLATFORM_SUBSCRIPTION_ID', meaning: 'Subscription shown in the diagnostics' }),
  storageAccount: shaped({ name: 'PLATFORM_STORAGE_ACCOUNT', meaning: 'Storage account to check' }, label, isLabel),
  keyVault: shaped({ name: 'PLATFORM_KEY_VAULT', meaning: 'Key vault to check' }, label, isLabel),
  services: list(
    {
      name: 'PLATFORM_SERVICES',
      meaning:
        'Further services to check, comma-separated: a name of the `services` of the profile, a slash and the name of the resource, such as `serviceBus/myns,sqlServer/mydb`',
    },
    'services (service/name, such as serviceBus/myns)',
    (value) => /^[a-z][A-Za-z]{1,40}\/[^/]+$/.test(value) && isLabel(value.slice(value.indexOf('/') + 1)),
  ),
  logLevel: choice(
    {
      name: 'PLATFORM_LOG_LEVEL',
      meaning: '`error`, `warning`, `info` or `verbose`. `verbose` adds the URLs that the credential library contacts',
      default: 'info',
    },
    logLevels,
  ),
  classificationBanner: text({
    name: 'PLATFORM_CLASSIFICATION_BANNER',
    meaning: 'Banner text above and below the page, such as a classification',
  }),
  smokeTestSchedule: shaped(
    {
      name: 'SMOKE_TEST_SCHEDULE',
      meaning: 'Schedule on which the timer checks every profile: six-field NCRONTAB',
      unset: 'every 15 minutes, at an offset derived from the name of the site or host',
    },
    'a six-field NCRONTAB expression (second minute hour day month weekday)',
    (value) => ncrontabProblem(value) === undefined,
    ncrontabProblem,
  ),
  smokeTestChecksToken: flag({
    name: 'SMOKE_TEST_CHECK_TOKEN',
    meaning: 'Whether the timer also requests a token and probes the active cloud',
    unset: `yes, except for ${attendedModes.join(' and ')}`,
  }),
  requireFips: flag({
    name: 'PLATFORM_REQUIRE_FIPS',
    meaning: '`true` refuses to start unless OpenSSL runs in FIPS mode',
    default: 'false',
  }),
  httpAuthLevel: choice(
    {
      name: 'HTTP_AUTH_LEVEL',
      meaning: 'Access level of the routes except `/api/health`: `function`, `anonymous` or `admin`',
      default: 'function',
    },
    authLevels,
  ),
}

/** Read by the server of containers and machines only. */
const server = {
  port: port({ name: 'PORT', meaning: 'Server: port, or the path of a Unix socket or named pipe', default: '3000' }),
  listenAddress: shaped(
    {
      name: 'PLATFORM_LISTEN_ADDRESS',
      meaning: 'Server: address to listen on. An address other than loopback needs a host key',
      default: '127.0.0.1',
    },
    'an address or a host name, without a port. A link-local address needs its zone, as in fe80::1%eth0',
    (value) =>
      !/^\[?fe[89ab][0-9a-f]:[^%]*$/i.test(value) &&
      isAddressOrName(withoutBrackets(value)) &&
      /^([A-Za-z0-9.:%_-]{1,255}|\[[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9._~-]{1,64})?\])$/.test(value),
  ),
  hostKey: secret({
    name: 'PLATFORM_HOST_KEY',
    meaning: 'Server: the function key. If it is set, every address requires it',
  }),
  hostKeyPath: text({ name: 'PLATFORM_HOST_KEY_PATH', meaning: 'Server: file of the function key' }),
  tlsCertificatePath: text({
    name: 'PLATFORM_TLS_CERTIFICATE_PATH',
    meaning: 'Server: PEM file with the certificate and its chain, to serve https',
  }),
  tlsKeyPath: text({
    name: 'PLATFORM_TLS_KEY_PATH',
    meaning: 'Server: PEM file with the private key of that certificate',
  }),
}

/** Read by the script of `export az`, not by the service. */
export const scripts: readonly Setting<unknown>[] = [
  text({
    name: 'PLATFORM_DIRECTORY_ID',
    meaning: 'GUID of the directory. The exported `az` script needs it with a federation service',
  }),
]

/** The settings with a value in {@link Settings}. */
export const settingTable = { ...credentialTable, ...service, ...server } as const

/** The variables of secrets. Each has a twin that names a file. */
export const secretVariables: readonly string[] = Object.values(settingTable).flatMap(({ name, secret }) =>
  secret ? name : [],
)
