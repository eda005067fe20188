import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { resolveCloudProfile } from '../../../src/lib/index.ts'
import { explainCode, explainText, nearestCode } from '../../../src/tools/why/explain-error.ts'

const government = resolveCloudProfile({ name: 'platform-us-government', env: {} })

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
      { value: 'login.microsoftonline.com', service: 'login', ...foreign },
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
