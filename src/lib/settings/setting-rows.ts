import { authModes } from '../auth/auth-mode.ts'
import { overrideVariables } from '../profile/overrides.ts'

/** One variable and what it means. */
export interface SettingRow {
  readonly name: string
  readonly meaning: string
  /** As it is documented; absent when there is none. */
  readonly default?: string
  /** Never printed. */
  readonly secret?: true
}

const overrideRows: readonly SettingRow[] = Object.entries(overrideVariables).map(([name, field]) => ({
  name,
  meaning:
    name === 'PLATFORM_TENANT_ID'
      ? 'Overrides `tenantId`; the tenant every credential signs in to'
      : `Overrides \`${field}\``,
}))

/** Every variable the service reads. README and local.settings.sample.json are held against this table. */
export const settingRows: readonly SettingRow[] = [
  { name: 'PLATFORM_CLOUD', meaning: 'Name of a built-in profile', default: 'platform-us-government' },
  { name: 'CUSTOM_CLOUD_PROFILE_PATH', meaning: 'Path of a custom profile file; wins over PLATFORM_CLOUD' },
  {
    name: 'PLATFORM_OVERRIDE_CUSTOM_PROFILE',
    meaning: '`true` applies the override variables to a custom file too',
    default: 'false',
  },
  ...overrideRows,
  {
    name: 'AUTH_MODE',
    meaning: `How the workload signs in: ${authModes.map((mode) => `\`${mode}\``).join(', ')}. Unset: what the host offers`,
  },
  { name: 'PLATFORM_CLIENT_ID', meaning: 'Client (application) id; for managedIdentity, of a user-assigned identity' },
  { name: 'PLATFORM_CLIENT_SECRET', meaning: 'clientSecret: the secret', secret: true },
  {
    name: 'PLATFORM_FEDERATED_TOKEN_FILE',
    meaning:
      'workloadIdentity: file of the federated token. Falls back, like tenant and client, to the AZURE_ variable that a cluster injects',
  },
  { name: 'PLATFORM_CLIENT_CERTIFICATE_PATH', meaning: 'clientCertificate: PEM file with certificate and private key' },
  {
    name: 'PLATFORM_CLIENT_CERTIFICATE_PASSWORD',
    meaning: 'clientCertificate: password of the private key',
    secret: true,
  },
  { name: 'PLATFORM_USERNAME', meaning: 'usernamePassword: the user' },
  { name: 'PLATFORM_PASSWORD', meaning: 'usernamePassword: the password', secret: true },
  {
    name: 'PLATFORM_ALLOWED_TOKEN_HOSTS',
    meaning:
      'Hosts (`host` or `host:port`, comma-separated) besides the authority that a login document may name as token endpoint',
  },
  {
    name: 'PLATFORM_DISCOVER_AUDIENCE',
    meaning: '`true` takes the resource manager audience from the live metadata document; a failure is an error',
    default: 'false',
  },
  { name: 'PLATFORM_SUBSCRIPTION_ID', meaning: 'Subscription shown in the diagnostics' },
  { name: 'PLATFORM_STORAGE_ACCOUNT', meaning: 'Storage account whose challenge is checked' },
  { name: 'PLATFORM_KEY_VAULT', meaning: 'Key vault whose challenge is checked' },
  {
    name: 'PLATFORM_TOKEN_TIMEOUT_MS',
    meaning: 'Deadline of one token attempt in milliseconds, 1000 to 120000',
    default: '10000',
  },
  {
    name: 'PLATFORM_LOG_LEVEL',
    meaning: '`error`, `warning`, `info` or `verbose`; verbose shows the URLs that the credential library contacts',
    default: 'info',
  },
  { name: 'PLATFORM_CLASSIFICATION_BANNER', meaning: 'Text shown above and below the page' },
  {
    name: 'SMOKE_TEST_SCHEDULE',
    meaning: 'When the timer checks every profile: six-field NCRONTAB',
    default: '0 */15 * * * *',
  },
  { name: 'SMOKE_TEST_CHECK_TOKEN', meaning: '`true` makes the timer ask for a token too', default: 'false' },
  {
    name: 'HTTP_AUTH_LEVEL',
    meaning: 'Who may call the three routes: `function`, `anonymous` or `admin`',
    default: 'function',
  },
  { name: 'PORT', meaning: 'Port of the local server', default: '3000' },
]
