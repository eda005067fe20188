import { authModes } from '../auth/modes.ts'
import { defaultProfileName } from '../profile/built-in-profiles.ts'
import { overrideVariables } from '../profile/overrides.ts'
import { dnsLabelPattern, tenantPattern } from '../profile/patterns.ts'
import { isSchedule } from './schedule.ts'
import { choice, flag, integer, list, secret, shaped, text, type Setting } from './setting.ts'

export const authLevels = ['function', 'anonymous', 'admin'] as const

/** Who may call the three routes: a function key, anybody, or the host's master key. */
export type AuthLevel = (typeof authLevels)[number]

export const logLevels = ['error', 'warning', 'info', 'verbose'] as const

export type LogLevel = (typeof logLevels)[number]

const label = 'one DNS label (letters, digits, inner hyphens)'
const isLabel = (value: string) => dnsLabelPattern.test(value)
const isHost = (value: string) =>
  /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i.test(value) && URL.canParse(`https://${value}`)

/** Which profile is resolved. The resolver reads these itself, for it is used without a service too. */
const selection = {
  cloud: text({ name: 'PLATFORM_CLOUD', meaning: 'Name of a built-in profile', default: defaultProfileName }),
  customProfilePath: text({
    name: 'CUSTOM_CLOUD_PROFILE_PATH',
    meaning: 'Path of a custom profile file; wins over PLATFORM_CLOUD',
  }),
  overrideCustomProfile: flag({
    name: 'PLATFORM_OVERRIDE_CUSTOM_PROFILE',
    meaning: '`true` applies the override variables to a custom file too',
    default: 'false',
  }),
}

/** The override variables of the profile's table, which checks their values. The tenant is a setting of its own as well. */
const overrides: readonly Setting<string | undefined>[] = Object.entries(overrideVariables)
  .filter(([name]) => name !== 'PLATFORM_TENANT_ID')
  .map(([name, field]) => text({ name, meaning: `Overrides \`${field}\`` }))

/** What a credential is made from. */
export const credentialTable = {
  tenantId: shaped(
    { name: 'PLATFORM_TENANT_ID', meaning: 'Overrides `tenantId`; the tenant every credential signs in to' },
    'a GUID, a domain name or adfs',
    (value) => tenantPattern.test(value),
  ),
  authMode: choice(
    {
      name: 'AUTH_MODE',
      meaning: `How the workload signs in: ${authModes.map((mode) => `\`${mode}\``).join(', ')}`,
      unset: 'what the host offers',
    },
    authModes,
  ),
  clientId: text({
    name: 'PLATFORM_CLIENT_ID',
    meaning: 'Client (application) id; for managedIdentity, of a user-assigned identity',
  }),
  clientSecret: secret({ name: 'PLATFORM_CLIENT_SECRET', meaning: 'clientSecret: the secret' }),
  federatedTokenFile: text({
    name: 'PLATFORM_FEDERATED_TOKEN_FILE',
    meaning:
      'workloadIdentity: file of the federated token. Falls back, like tenant and client, to the AZURE_ variable that a cluster injects',
  }),
  clientCertificatePath: text({
    name: 'PLATFORM_CLIENT_CERTIFICATE_PATH',
    meaning: 'clientCertificate: PEM file with certificate and private key',
  }),
  clientCertificatePassword: secret({
    name: 'PLATFORM_CLIENT_CERTIFICATE_PASSWORD',
    meaning: 'clientCertificate: password of the private key',
  }),
  username: text({ name: 'PLATFORM_USERNAME', meaning: 'usernamePassword: the user' }),
  password: secret({ name: 'PLATFORM_PASSWORD', meaning: 'usernamePassword: the password' }),
  allowedTokenHosts: list(
    {
      name: 'PLATFORM_ALLOWED_TOKEN_HOSTS',
      meaning:
        'Hosts (`host` or `host:port`, comma-separated) besides the authority that an OpenID configuration may name as token endpoint',
    },
    'hosts (host or host:port)',
    isHost,
  ),
}

/** How the service behaves. */
const service = {
  discoverAudience: flag({
    name: 'PLATFORM_DISCOVER_AUDIENCE',
    meaning: '`true` takes the resource manager audience from the live metadata document; a failure is an error',
    default: 'false',
  }),
  subscriptionId: text({ name: 'PLATFORM_SUBSCRIPTION_ID', meaning: 'Subscription shown in the diagnostics' }),
  storageAccount: shaped(
    { name: 'PLATFORM_STORAGE_ACCOUNT', meaning: 'Storage account that is checked' },
    label,
    isLabel,
  ),
  keyVault: shaped({ name: 'PLATFORM_KEY_VAULT', meaning: 'Key vault that is checked' }, label, isLabel),
  tokenTimeoutMs: integer(
    {
      name: 'PLATFORM_TOKEN_TIMEOUT_MS',
      meaning: 'Deadline of one token attempt in milliseconds, 1000 to 120000',
      default: '10000',
    },
    1000,
    120_000,
  ),
  logLevel: choice(
    {
      name: 'PLATFORM_LOG_LEVEL',
      meaning: '`error`, `warning`, `info` or `verbose`; verbose shows the URLs that the credential library contacts',
      default: 'info',
    },
    logLevels,
  ),
  classificationBanner: text({
    name: 'PLATFORM_CLASSIFICATION_BANNER',
    meaning: 'Text shown above and below the page',
  }),
  smokeTestSchedule: shaped(
    {
      name: 'SMOKE_TEST_SCHEDULE',
      meaning: 'When the timer checks every profile: six-field NCRONTAB',
      default: '0 */15 * * * *',
    },
    'a six-field NCRONTAB expression (second minute hour day month weekday)',
    isSchedule,
  ),
  smokeTestChecksToken: flag({
    name: 'SMOKE_TEST_CHECK_TOKEN',
    meaning: 'Whether the timer asks for a token and probes the active cloud too',
    unset: 'yes, except for deviceCode and platformCli',
  }),
  serveMetadata: flag({
    name: 'PLATFORM_SERVE_METADATA',
    meaning: '`true` serves `/metadata/endpoints` from the profile, for other tools',
    default: 'false',
  }),
  httpAuthLevel: choice(
    {
      name: 'HTTP_AUTH_LEVEL',
      meaning: 'Who may call the three routes: `function`, `anonymous` or `admin`',
      default: 'function',
    },
    authLevels,
  ),
}

/** What the embedded host alone listens with. */
const embeddedHost = {
  port: integer({ name: 'PORT', meaning: 'Embedded host: port', default: '3000' }, 0, 65_535),
  listenAddress: shaped(
    {
      name: 'PLATFORM_LISTEN_ADDRESS',
      meaning: 'Embedded host: address to listen on. Any but a loopback one needs a host key',
      default: '127.0.0.1',
    },
    'an address or a host name',
    (value) => /^[A-Za-z0-9.:%_-]{1,255}$/.test(value),
  ),
  hostKey: secret({
    name: 'PLATFORM_HOST_KEY',
    meaning: 'Embedded host: the function key. Once set, it is asked for on every address',
  }),
  hostKeyPath: text({ name: 'PLATFORM_HOST_KEY_PATH', meaning: 'Embedded host: file of the function key' }),
  tlsCertificatePath: text({
    name: 'PLATFORM_TLS_CERTIFICATE_PATH',
    meaning: 'Embedded host: PEM file of the certificate (and its chain) to serve https with',
  }),
  tlsKeyPath: text({ name: 'PLATFORM_TLS_KEY_PATH', meaning: 'Embedded host: PEM file of its private key' }),
}

/** Read by a script that we write, not by us. */
const scripts = {
  directoryId: text({
    name: 'PLATFORM_DIRECTORY_ID',
    meaning: "The directory's GUID, which the exported `az` script needs beside a federation service",
  }),
}

/** The settings with a value in {@link Settings}. */
export const settingTable = { ...selection, ...credentialTable, ...service, ...embeddedHost, ...scripts } as const

/** Every variable of ours, in the order of the documents. README, `local.settings.sample.json` and more are made from it. */
export const settingRows: readonly Setting<unknown>[] = [
  ...Object.values(selection),
  ...overrides,
  ...Object.values({ ...credentialTable, ...service, ...embeddedHost, ...scripts }),
]
