import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { knownFiles } from '../../../src/lib/clouds/known-files.ts'
import { resolveCloudProfile } from '../../../src/lib/index.ts'
import { explainCode, explainText, nearestCode } from '../../../src/tools/why/explain-error.ts'

const government = resolveCloudProfile({ name: 'platform-us-government', env: {} })

const profiles = {
  government,
  china: knownFiles['china'] as CloudProfile,
  enclave: {
    ...government,
    name: 'enclave',
    displayName: 'Enclave',
    authorityHost: 'https://login.enclave.example/',
    resourceManagerEndpoint: 'https://arm.enclave.example/',
    resourceManagerAudience: 'https://arm.enclave.example.org/1/',
  },
  none: undefined,
}

function resourceUnknown(audience: string): string {
  return `AADSTS500011: The resource principal named ${audience} was not found in the tenant named Contoso.`
}

function assertionAt(now: string): string {
  return `AADSTS700024: Client assertion is not within its valid time range. Current time: 2026-11-01T${now}:00.1Z, assertion valid from 2026-11-01T09:00:00.0Z, expiry time of assertion 2026-11-01T10:00:00.0Z.`
}

/** Thread, code of the cause that it found (`-` if the text does not show it), text. */
const threads = readFileSync(new URL('thread-texts.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t') as [string, string, string])

test.each(threads)('the error of %s is %s', (_thread, code, text) => {
  expect(explainText(text).code ?? '-').toBe(code)
})

describe('A code', () => {
  test.each([
    ['50049', 'INSTANCE_UNKNOWN'],
    ['AADSTS900382', 'TENANT_OF_ANOTHER_CLOUD'],
    ['aadsts7000222', 'CLIENT_SECRET_INVALID'],
    ['50020', 'USER_REJECTED'],
    ['50072', 'CONDITIONAL_ACCESS'],
    ['90094', 'SIGN_IN_NOT_ALLOWED'],
    ['70019', 'DEVICE_CODE_EXPIRED'],
    ['ECONNREFUSED', 'REFUSED'],
    ['enotfound', 'DNS_FAILED'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'UNTRUSTED'],
    ['NoRegisteredProviderFound', 'API_VERSION_UNSUPPORTED'],
    ['invalid_resource', 'RESOURCE_UNKNOWN'],
    ['AUTHORITY_UNTRUSTED', 'AUTHORITY_UNTRUSTED'],
    ['FOREIGN_VALUE', 'FOREIGN_VALUE'],
    ['timeout', 'TIMEOUT'],
  ])('%s is %s, with a cause and a fix', (word, code) => {
    expect(explainCode(word)).toMatchObject({ code, title: /^[A-Z]/, cause: /\.$/, fix: /^[A-Z].*\.$/ })
  })

  test('that is unknown is compared with the known ones', () => {
    expect(['AUTHORTY_UNTRUSTED', 'ECONREFUSED'].map(nearestCode)).toEqual(['AUTHORITY_UNTRUSTED', 'ECONNREFUSED'])
    expect(['AADSTS50048', '90042'].map(nearestCode)).toEqual([undefined, undefined])
  })

  test.each(['constructor', '__proto__', '12345', 'xyz'])('%s is unknown', (word) => {
    expect(explainCode(word)).toBeUndefined()
  })

  test('an expired secret has the fix of its number', () => {
    expect(explainCode('AADSTS7000222')?.cause).toBe('The secret was correct and has expired.')
  })

  test('a federated credential gets the audience of the cloud, or of each cloud', () => {
    expect(explainCode('700212', { profile: government })?.fix).toContain('audience api://AzureADTokenExchangeUSGov,')
    const values = explainCode('700212')?.values?.map(({ value }) => value) ?? []
    expect(values).toContain('api://AzureADTokenExchangeUSGov')
    expect(values.length).toBeGreaterThan(4)
  })
})

/** Texts of public reports and others of the same kinds: the cloud, the text, its code, and what the fix or the cause says. */
test.each<[keyof typeof profiles, string, string, string]>([
  // A refused audience or scope.
  [
    'government',
    resourceUnknown('https://cognitiveservices.azure.com'),
    'RESOURCE_UNKNOWN',
    'https://cognitiveservices.azure.us/.default',
  ],
  [
    'government',
    resourceUnknown('https://metrics.monitor.azure.com'),
    'RESOURCE_UNKNOWN',
    'https://metrics.monitor.azure.us/.default',
  ],
  ['china', resourceUnknown('https://vault.azure.net'), 'RESOURCE_UNKNOWN', 'https://vault.azure.cn/.default'],
  ['china', resourceUnknown('https://ai.azure.com'), 'RESOURCE_UNKNOWN', 'no published value'],
  [
    'enclave',
    resourceUnknown('https://management.azure.com/'),
    'RESOURCE_UNKNOWN',
    'https://arm.enclave.example.org/1/.default',
  ],
  [
    'enclave',
    resourceUnknown('https://arm.enclave.example/'),
    'RESOURCE_UNKNOWN',
    'https://arm.enclave.example.org/1/.default',
  ],
  ['government', resourceUnknown('api://mine'), 'RESOURCE_UNKNOWN', 'Compare the scope api://mine'],
  ['none', resourceUnknown('https://vault.azure.net'), 'RESOURCE_UNKNOWN', '--cloud NAME'],
  [
    'government',
    'AADSTS70011: The scope https://graph.microsoft.us/User.Read is not valid.',
    'SCOPE_INVALID',
    'https://graph.microsoft.us/.default',
  ],
  [
    'government',
    'AADSTS1002012: The provided value for scope https://vault.azure.net/.default/.default is not valid.',
    'SCOPE_INVALID',
    'https://vault.usgovcloudapi.net/.default',
  ],
  [
    'government',
    "AADSTS70011: The scope 'https://vault.usgovcloudapi.net openid profile' is not valid.",
    'SCOPE_INVALID',
    'has no /.default',
  ],
  // The text says which audience the service expects, or which host was contacted.
  [
    'none',
    'AKV10022: Invalid audience. Expected https://vault.usgovcloudapi.net, found: https://vault.azure.net.',
    'SERVICE_REJECTED_TOKEN',
    'https://vault.usgovcloudapi.net/.default',
  ],
  [
    'government',
    'AKV10022: Invalid audience. Expected https://vault.usgovcloudapi.net, found: https://management.azure.com/.',
    'SERVICE_REJECTED_TOKEN',
    'https://vault.usgovcloudapi.net/.default',
  ],
  [
    'government',
    "IDX10214: Audience validation failed. Audiences: 'https://management.azure.com'. Did not match: 'https://management.usgovcloudapi.net'",
    'TOKEN_AUDIENCE_MISMATCH',
    'https://management.usgovcloudapi.net/.default',
  ],
  [
    'government',
    'SubscriptionNotFound: https://management.azure.com/subscriptions/ID',
    'FOREIGN_VALUE',
    'Use management.usgovcloudapi.net in',
  ],
  [
    'government',
    '401 Bearer authorization="https://login.microsoftonline.com/ID", resource="https://vault.azure.net"',
    'FOREIGN_VALUE',
    'Use login.microsoftonline.us in',
  ],
  [
    'government',
    'AADSTS90002: Tenant ID not found, https://login.microsoftonline.com/ID/oauth2/token',
    'TENANT_UNKNOWN',
    'Use login.microsoftonline.us in',
  ],
  ['government', 'getaddrinfo ENOTFOUND app.scm.azurewebsites.net', 'SERVICE_DNS_FAILED', '.scm.azurewebsites.us'],
  // Hosts that no cloud has.
  [
    'government',
    'GET https://management.azure.us/providers/Microsoft.ResourceGraph/resources 401',
    'FOREIGN_VALUE',
    'Use management.usgovcloudapi.net in',
  ],
  [
    'china',
    'open https://login.microsoftonline.cn/common/oauth2/deviceauth',
    'FOREIGN_VALUE',
    'Use login.chinacloudapi.cn in',
  ],
  [
    'government',
    'InvalidAuthenticationInfo audience: https://storage.azure.us/',
    'SERVICE_REJECTED_TOKEN',
    'https://storage.azure.com/.default',
  ],
  // Numbers.
  ['government', 'AADSTS90043: OAuth2 grant was issued by National Cloud STS.', 'TENANT_OF_ANOTHER_CLOUD', 'tenant'],
  ['government', 'AADSTS900433: other cloud', 'TENANT_OF_ANOTHER_CLOUD', 'tenant'],
  [
    'government',
    'AADSTS50166: Request to External OIDC endpoint failed.',
    'CLIENT_ASSERTION_REJECTED',
    'cannot read the OpenID configuration',
  ],
  [
    'government',
    'AADSTS90061: Request to External OIDC endpoint failed.',
    'CLIENT_ASSERTION_REJECTED',
    'cannot read the OpenID configuration',
  ],
  [
    'government',
    "AADSTS7000218: The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
    'CLIENT_NOT_PUBLIC',
    'Allow public client flows',
  ],
  [
    'government',
    'AADSTS70002: Error validating credentials. AADSTS50012: Client assertion is not within its valid time range.',
    'CLIENT_ASSERTION_REJECTED',
    'clock',
  ],
  ['government', assertionAt('12:00'), 'CLIENT_ASSERTION_REJECTED', 'read the token file once'],
  ['government', assertionAt('08:00'), 'CLIENT_ASSERTION_REJECTED', 'Synchronize the clock'],
  [
    'government',
    'AADSTS50020: User account from identity provider does not exist in tenant',
    'USER_REJECTED',
    'No password helps',
  ],
  [
    'government',
    'AADSTS65002: Consent between first party application',
    'SIGN_IN_NOT_ALLOWED',
    'AUTH_MODE=platformCli',
  ],
  // Phrases.
  [
    'government',
    "Login failed for user '<token-identified principal>'. The server is not currently configured to accept this token.",
    'SERVICE_REJECTED_TOKEN',
    'https://database.usgovcloudapi.net/',
  ],
  [
    'government',
    'Unable to find matching constructor while trying to create an instance of BlobServiceClient. Found the following configuration keys: blobServiceUri, accountName',
    'SETTING_INVALID',
    'AzureWebJobsStorage__accountName',
  ],
  [
    'government',
    'Status: 400 (The REST version of this request is not supported by this release of the Storage Emulator.)',
    'API_VERSION_UNSUPPORTED',
    '--skipApiVersionCheck',
  ],
  [
    'government',
    'The API version 2026-02-06 is not supported by Azurite.',
    'API_VERSION_UNSUPPORTED',
    '--skipApiVersionCheck',
  ],
  ['government', 'ClientConfigurationError: issuer_validation_failed', 'ISSUER_MISMATCH', 'known authorities'],
  [
    'china',
    'Issuer validation failed: https://login.chinacloudapi.cn/ID, https://login.partner.microsoftonline.cn/ID',
    'ISSUER_MISMATCH',
    'names of one login authority',
  ],
  [
    'government',
    'https://login.microsoftonline.us/ID/oauth2/v2.0/token/v2.0/.well-known/openid-configuration 404',
    'OPENID_CONFIGURATION_INVALID',
    'without /oauth2/v2.0/token',
  ],
])('in %s, %j is %s', (name, text, code, words) => {
  const found = explainText(text, { profile: profiles[name] })
  expect(found.code).toBe(code)
  expect(`${found.cause} ${found.fix}`).toContain(words)
  expect(found.fix).not.toMatch(/PLATFORM_RESOURCE_MANAGER_AUDIENCE|Create a new secret/)
})

describe('A text', () => {
  test('with a phrase of several findings is explained by its more specific sign', () => {
    expect(explainText('Token acquisition failed: connect ECONNREFUSED 10.0.0.1:443').code).toBe('REFUSED')
    expect(explainText('Token acquisition failed').code).toBe('CLIENT_SECRET_INVALID')
  })

  // The symptoms of the specification.
  test.each([
    ['Authority host validation failed', 'EGRESS_BLOCKED'],
    ['Error: Instance Discovery failed.', 'EGRESS_BLOCKED'],
    ['Network request failed at credential use', 'EGRESS_BLOCKED'],
    ['Token acquired, API calls return 401', 'TOKEN_AUDIENCE_MISMATCH'],
    ['API calls return 401', 'TOKEN_AUDIENCE_MISMATCH'],
    ['AADSTS50049: Unknown or invalid instance', 'INSTANCE_UNKNOWN'],
    ['TOKEN ACQUISITION FAILED', 'CLIENT_SECRET_INVALID'],
    ['cloud profile not found', 'UNSUPPORTED_CLOUD'],
    ["AADSTS90002: Tenant 'contoso' not found", 'TENANT_UNKNOWN'],
    ["Tenant 'contoso' not found. Check the name", 'TENANT_UNKNOWN'],
    ['{"error":"invalid_resource"}', 'RESOURCE_UNKNOWN'],
  ])('%s is %s', (text, code) => {
    expect(explainText(text).code).toBe(code)
  })

  test.each([
    'Everything is fine',
    'AADSTS99999999: an unknown number. invalid_client',
    'a timeout was reset, and the connection is unspecified',
    'GET https://login.microsoftonline.com/ 200 OK',
    '{"error":"teapot"}',
    '',
  ])('%j is unknown', (text) => {
    expect(explainText(text).code).toBeUndefined()
  })

  test.each([
    ['login.microsoftonline.us', 'AUTHORITY_REFUSED'],
    ['management.usgovcloudapi.net', 'RESOURCE_MANAGER_REFUSED'],
    ['x.vault.usgovcloudapi.net', 'SERVICE_REFUSED'],
    ['unknown.example', 'REFUSED'],
  ])('a network fault at %s is %s', (host, code) => {
    expect(explainText(`dial tcp ${host}:443: connect: connection refused`).code).toBe(code)
  })

  test('each host and audience has its cloud', () => {
    const text =
      'ENOTFOUND https://user:secret@login.microsoftonline.com/x api://AzureADTokenExchange own.vault.usgovcloudapi.net'
    const { values } = explainText(text, { profile: government })
    const foreign = { cloud: 'platform-commercial', isForeign: true }
    expect(values).toEqual([
      {
        value: 'login.microsoftonline.com',
        service: 'login',
        ...foreign,
        use: 'Use login.microsoftonline.us in the US Government cloud',
      },
      { value: 'api://AzureADTokenExchange', service: 'federatedAudience', ...foreign },
      { value: 'own.vault.usgovcloudapi.net', cloud: 'platform-us-government', service: 'keyVault' },
    ])
  })

  test('hosts of another cloud are a finding where nothing else is', () => {
    const code = (host: string) => explainText(`request to https://${host}/ failed`, { profile: government }).code
    expect(code('management.azure.com')).toBe('FOREIGN_VALUE')
    expect(code('management.usgovcloudapi.net')).toBeUndefined()
  })
})
