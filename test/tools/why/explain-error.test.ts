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
    ['aadsts7000222', 'CLIENT_SECRET_INVALID'],
    ['50072', 'CONDITIONAL_ACCESS'],
    ['ECONNREFUSED', 'REFUSED'],
    ['enotfound', 'DNS_FAILED'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'UNTRUSTED'],
    ['NoRegisteredProviderFound', 'API_VERSION_UNSUPPORTED'],
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

type Row = readonly [text: string, words: string, cloud?: keyof typeof profiles]
const unknown = (audience: string, words: string, cloud?: Row[2]): Row => [
  `AADSTS500011: The resource principal named ${audience} was not found in the tenant named Contoso.`,
  words,
  cloud ?? 'government',
]
const assertionAt = (now: string) =>
  `AADSTS700024: Client assertion is not within its valid time range. Current time: 2026-11-01T${now}:00.1Z, assertion valid from 2026-11-01T09:00:00.0Z, expiry time of assertion 2026-11-01T10:00:00.0Z.`

/** By code: texts of public reports and of the same kinds, what the fix or the cause says, and the cloud if it isn't `government`. */
const texts: Readonly<Record<string, readonly Row[]>> = {
  RESOURCE_UNKNOWN: [
    unknown('https://cognitiveservices.azure.com', 'https://cognitiveservices.azure.us/.default'),
    unknown('https://ai.azure.com', 'no published value', 'china'),
    unknown('https://management.azure.com/', 'https://arm.enclave.example.org/1/.default', 'enclave'),
    unknown('api://mine', 'Compare the scope api://mine'),
    unknown('https://vault.azure.net', '--cloud NAME', 'none'),
  ],
  SCOPE_INVALID: [
    ['AADSTS70011: The scope https://graph.microsoft.us/User.Read is not valid', 'https://graph.microsoft.us/.default'],
    ['AADSTS1002012: scope https://vault.azure.net/.default/.default is not valid', 'vault.usgovcloudapi.net/.default'],
    ["AADSTS70011: The scope 'https://vault.usgovcloudapi.net openid profile' is not valid.", 'has no /.default'],
  ],
  // The text says which audience the service expects, or which host was contacted.
  SERVICE_REJECTED_TOKEN: [
    [
      'AKV10022: Invalid audience. Expected https://vault.usgovcloudapi.net, found: https://vault.azure.net.',
      'https://vault.usgovcloudapi.net/.default',
      'none',
    ],
    ['InvalidAuthenticationInfo audience: https://storage.azure.us/', 'https://storage.azure.com/.default'],
    ["Login failed for user '<token-identified principal>'. The server …", 'https://database.usgovcloudapi.net/'],
  ],
  TOKEN_AUDIENCE_MISMATCH: [
    [
      "IDX10214: Audiences: 'https://management.azure.com'. Did not match: 'https://management.usgovcloudapi.net'",
      'https://management.usgovcloudapi.net/.default',
    ],
  ],
  FOREIGN_VALUE: [
    ['SubscriptionNotFound: https://management.azure.com/subscriptions/ID', 'Use management.usgovcloudapi.net in'],
    [
      '401 Bearer authorization="https://login.microsoftonline.com/ID", resource="https://vault.azure.net"',
      'Use login.microsoftonline.us in',
    ],
    // Hosts that no cloud has.
    ['GET https://management.azure.us/providers/x 401', 'Use management.usgovcloudapi.net in'],
    ['open https://login.microsoftonline.cn/common/oauth2/deviceauth', 'Use login.chinacloudapi.cn in', 'china'],
  ],
  TENANT_UNKNOWN: [
    ['AADSTS90002: Tenant not found, https://login.microsoftonline.com/ID/token', 'Use login.microsoftonline.us in'],
  ],
  SERVICE_DNS_FAILED: [['getaddrinfo ENOTFOUND app.scm.azurewebsites.net', '.scm.azurewebsites.us']],
  TENANT_OF_ANOTHER_CLOUD: [['AADSTS90043: OAuth2 grant was issued by National Cloud STS.', 'tenant']],
  CLIENT_ASSERTION_REJECTED: [
    ['AADSTS50166: Request to External OIDC endpoint failed.', 'cannot read the OpenID configuration'],
    ['AADSTS70002: Error validating credentials. AADSTS50012: Client assertion is not within its time.', 'clock'],
    [assertionAt('12:00'), 'read the token file once'],
    [assertionAt('08:00'), 'Synchronize the clock'],
  ],
  CLIENT_NOT_PUBLIC: [
    [
      "AADSTS7000218: The request body must contain: 'client_assertion' or 'client_secret'",
      'Allow public client flows',
    ],
  ],
  USER_REJECTED: [['AADSTS50020: User account from identity provider does not exist in tenant', 'No password helps']],
  SIGN_IN_NOT_ALLOWED: [['AADSTS65002: Consent between first party application', 'AUTH_MODE=platformCli']],
  SETTING_INVALID: [
    ['Unable to find matching constructor for blobServiceUri, accountName', 'AzureWebJobsStorage__accountName'],
  ],
  API_VERSION_UNSUPPORTED: [
    ['400 (The REST version of this request is not supported by this release of the Storage Emulator.)', '--skipApi'],
    ['The API version 2026-02-06 is not supported by Azurite.', '--skipApiVersionCheck'],
  ],
  ISSUER_MISMATCH: [
    ['ClientConfigurationError: issuer_validation_failed', 'known authorities'],
    [
      'Issuer validation failed: https://login.chinacloudapi.cn/ID, https://login.partner.microsoftonline.cn/ID',
      'names of one login authority',
      'china',
    ],
  ],
  OPENID_CONFIGURATION_INVALID: [
    [
      'https://login.microsoftonline.us/ID/oauth2/v2.0/token/v2.0/.well-known/openid-configuration 404',
      'without /oauth2/v2.0/token',
    ],
  ],
}

const rows = Object.entries(texts).flatMap(([code, each]) =>
  each.map(([text, words, cloud = 'government']) => [code, text, words, cloud] as const),
)
test.each(rows)('%s: %j says %j in %s', (code, text, words, cloud) => {
  const found = explainText(text, { profile: profiles[cloud] })
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
    ['AADSTS50049: Unknown or invalid instance', 'INSTANCE_UNKNOWN'],
    ['TOKEN ACQUISITION FAILED', 'CLIENT_SECRET_INVALID'],
    ['cloud profile not found', 'UNSUPPORTED_CLOUD'],
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
    const use = 'Use login.microsoftonline.us in the US Government cloud'
    expect(values).toEqual([
      { value: 'login.microsoftonline.com', service: 'login', ...foreign, use },
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
