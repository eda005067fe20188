import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { discoverProfile, discoverWholeCloud, readMetadataText } from '../../../src/lib/metadata/discover-cloud.ts'
import { fillProfile } from '../../../src/lib/metadata/fill-profile.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { errorOf } from '../../support/error-of.ts'
import { listen } from '../../support/free-port.ts'
import { enclave } from '../../support/sample-profiles.ts'
import { metadataDocument } from './fixture.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  return `http://127.0.0.1:${await listen(server)}`
}
const json = JSON.stringify(metadataDocument())
const profile = resolveCloudProfile({ name: 'platform-us-government', env: {} })

const answer =
  (body: string, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }

describe('the query', () => {
  test('is one GET of the fixed version, without a double slash and without authentication', async () => {
    const seen: unknown[] = []
    const endpoint = await serve((request, response) => {
      seen.push([request.method, request.url, request.headers.authorization, request.headers.cookie])
      answer(json)(request, response)
    })
    const loginEndpoint = 'https://login.enclave.test/'
    const found = await discoverProfile(`${endpoint}/`)
    expect(found).toMatchObject({ resourceManagerEndpoint: `${endpoint}/`, loginEndpoint })
    expect(seen).toStrictEqual([['GET', '/metadata/endpoints?api-version=2015-01-01', undefined, undefined]])
  })

  test('goes to the metadata endpoint of a profile and asks about its resource manager', async () => {
    const list = [
      metadataDocument({ resourceManager: 'https://management.azure.com' }),
      metadataDocument({ resourceManager: 'https://management.usgovcloudapi.net', portal: 'https://portal.azure.us' }),
    ]
    const endpoint = await serve(answer(JSON.stringify(list)))
    const metadata = await discoverProfile({ ...profile, metadataEndpoint: `${endpoint}/metadata/endpoints` })
    expect(metadata.portalEndpoint).toBe('https://portal.azure.us/')
  })

  test('needs a metadata endpoint, and sends nothing to a placeholder', async () => {
    const { metadataEndpoint: _, ...without } = profile
    await expect(discoverProfile(without)).rejects.toMatchObject({ code: 'METADATA_NOT_CONFIGURED' })
    const placeholder = discoverProfile('https://management.secret.placeholder.invalid/')
    await expect(placeholder).rejects.toMatchObject({ code: 'PLACEHOLDER_PROFILE' })
  })
})

describe('a response', () => {
  test('with 401 comes from a gateway, because metadata needs no sign-in', async () => {
    const expected = { code: 'METADATA_HTTP_ERROR', message: /returned 401.*needs no sign-in/ }
    await expect(discoverProfile(await serve(answer('{}', 401)))).rejects.toMatchObject(expected)
  })

  test('is read up to one mebibyte', async () => {
    const padded = json + ' '.repeat(1024 * 1024 - json.length)
    expect((await discoverProfile(await serve(answer(padded)))).audiences).toHaveLength(2)
    const tooLarge = discoverProfile(await serve(answer(`${padded} `)))
    await expect(tooLarge).rejects.toMatchObject({ code: 'METADATA_RESPONSE_TOO_LARGE' })
  })

  test('has one time limit with its retry', async () => {
    let requests = 0
    const endpoint = await serve((request) => {
      requests += 1
      // The second request begins 450 ms after the first or later, so that only the common limit can end it.
      setTimeout(() => request.socket.destroy(), requests === 1 ? 250 : 1200)
    })
    await expect(discoverProfile(endpoint, { timeoutMs: 1500 })).rejects.toMatchObject({ code: 'METADATA_TIMEOUT' })
    expect(requests).toBe(2)
  })
})

describe('the whole of a cloud', () => {
  const first = metadataDocument()
  const newer = metadataDocument({
    resourceManager: undefined,
    authentication: {
      loginEndpoint: 'https://login.enclave.test',
      audiences: ['https://management.core.enclave.test', 'https://management.more.test/'],
      tenant: 'contoso.test',
    },
    suffixes: { storage: 'core.enclave.test' },
    batch: 'https://batch.enclave.test/',
  })
  const cloud = (answers: Record<string, object>) =>
    serve(({ url = '' }, response) => {
      const found = answers[new URL(url, 'http://x').searchParams.get('api-version') ?? '']
      asked.push(url)
      if (found === undefined) response.statusCode = 400
      response.end(JSON.stringify(found ?? {}))
    })
  const asked: string[] = []
  beforeEach(() => void (asked.length = 0))

  test('is the first version and what 2022-09-01 adds', async () => {
    const endpoint = await cloud({ '2015-01-01': first, '2022-09-01': newer })
    const metadataEndpoint = `${endpoint}/meta?key=a%20b+c`
    const { metadata, warnings } = await discoverWholeCloud({ ...enclave, metadataEndpoint })
    expect(metadata).toMatchObject({
      loginEndpoint: 'https://login.enclave.test/',
      audiences: ['core.enclave', 'enclave', 'more'].map((name) => `https://management.${name}.test/`),
      tenant: 'contoso.test',
      portalEndpoint: 'https://portal.enclave.test/',
      dnsSuffixes: { storage: 'core.enclave.test' },
      services: { batch: { audience: 'https://batch.enclave.test/' } },
    })
    expect(warnings).toStrictEqual([])
    // The query stays as it is spelled.
    const versions = ['2015-01-01', '2022-09-01']
    expect(asked).toStrictEqual(versions.map((version) => `/meta?key=a%20b+c&api-version=${version}`))
  })

  test.each<[string, Record<string, object>, string | undefined, number]>([
    ['2019-05-01 where the newest is refused', { '2015-01-01': first, '2019-05-01': newer }, 'contoso.test', 3],
    ['the first version where the cloud knows no other', { '2015-01-01': first }, undefined, 3],
    ['a newer one where it does not know the first', { '2022-09-01': newer }, 'contoso.test', 2],
  ])('is %s', async (_what, answers, tenant, requests) => {
    const endpoint = await cloud(answers)
    expect((await discoverWholeCloud(endpoint)).metadata.tenant).toBe(tenant)
    expect(asked).toHaveLength(requests)
    // At run time too.
    expect((await discoverProfile(endpoint)).audiences).toHaveLength(2)
  })

  test('has a warning for each contradiction, and the first version decides', async () => {
    const other = { loginEndpoint: 'https://login.other.test', audiences: ['https://management.other.test/'] }
    const endpoint = await cloud({ '2015-01-01': first, '2022-09-01': { ...newer, authentication: other } })
    const { metadata, warnings } = await discoverWholeCloud(endpoint)
    expect(metadata.loginEndpoint).toBe('https://login.enclave.test/')
    expect(warnings).toStrictEqual([
      expect.stringMatching(/^Metadata version 2022-09-01 has https:\/\/login\.other\.test\/ for the login authority/),
      expect.stringMatching(/for the first audience/),
    ])
  })

  const others = [{ ...newer, resourceManager: 'https://a.test' }, newer]
  const least = {
    authentication: { loginEndpoint: 'https://login.field.test' },
    resourceManager: undefined,
    microsoftGraphResourceId: 'https://graph.field.test/',
  }

  test('may be the smallest document of Terraform, which names no audience', async () => {
    const endpoint = await cloud({ '2022-09-01': least })
    const { metadata, warnings } = await discoverWholeCloud(endpoint)
    expect(metadata).toMatchObject({ loginEndpoint: 'https://login.field.test/', audiences: [] })
    expect(warnings).toEqual([])
    const { profile, fields } = fillProfile({ metadata, endpoint })
    expect(parseCloudProfile(profile)).toMatchObject({
      authorityHost: 'https://login.field.test/',
      resourceManagerAudience: /^https:\/\/management\..*\.placeholder\.invalid\/$/,
      services: { microsoftGraph: { url: 'https://graph.field.test/' } },
      notes: /\(api-version 2022-09-01\)\./,
    })
    expect(fields.find(({ path }) => path === 'serviceAudiences.arm')?.certainty).toBe('placeholder')
    // A token needs an audience.
    const message = /authentication\.audiences is missing or empty \(metadata version 2022-09-01\)/
    await expect(discoverProfile(endpoint)).rejects.toMatchObject({ code: 'METADATA_INVALID', message })
  })

  test.each<[string, Record<string, object>, RegExp]>([
    ['the invalid document, not the refused versions', { '2022-09-01': {} }, /authentication must be .*2022-09-01\)/],
    ['the document that lists other clouds', { '2019-05-01': others }, /only "https:\/\/a\.test", .*2019-05-01\)/],
    ['the status, where every version is refused', {}, /returned 400/],
  ])('has as its failure %s', async (_what, answers, message) => {
    const endpoint = await cloud(answers)
    for (const discover of [discoverProfile, discoverWholeCloud])
      await expect(discover(endpoint)).rejects.toMatchObject({ message })
  })

  test('is the first version, with a warning, where the newer response is a page', async () => {
    const endpoint = await serve(({ url }, response) => {
      response.end(url?.endsWith('2015-01-01') === true ? JSON.stringify(first) : '<html>')
    })
    const { metadata, warnings } = await discoverWholeCloud(endpoint)
    expect(metadata.portalEndpoint).toBe('https://portal.enclave.test/')
    expect(warnings).toHaveLength(2)
  })
})

test('a caller that gives up gets its own reason, at once', async () => {
  const endpoint = await serve(() => undefined)
  const reason = new Error('no longer needed')
  const controller = new AbortController()
  const pending = discoverProfile(endpoint, { signal: controller.signal })
  setImmediate(() => controller.abort(reason))
  await expect(pending).rejects.toBe(reason)
  await expect(discoverProfile(endpoint, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

const document = '{"authentication":{"loginEndpoint":"https://login.enclave.test/","audiences":["https://a.test"]}}'

test('a byte order mark and white space around the document do not matter', () => {
  expect(readMetadataText(`\u{feff}\n ${document} \r\n`, 'm.test')).toEqual(JSON.parse(document))
})

test('a document is said to break off wherever it is cut', () => {
  for (let length = 1; length < document.length; length++) {
    expect(() => readMetadataText(document.slice(0, length), 'm.test')).toThrow(/m\.test .*breaks off before its end/)
  }
})

test.each([
  ['an empty body', ' \n', /an empty body/],
  ['a page', '<!DOCTYPE html><title>Sign in</title>', /a page of HTML or XML/],
  ['UTF-16', Buffer.from(`\u{feff}${document}`, 'utf16le').toString('utf8'), /UTF-16/],
  ['Latin-1', Buffer.from('{"name":"Z\u00fcrich"}', 'latin1').toString('utf8'), /not UTF-8/],
  // Nothing of the body is quoted.
  ['text after the document', `${document} secret-of-theirs`, /^(?!.*secret-of-theirs).*something that is not JSON/],
])('%s is refused by name', (_name, text, message) => {
  const error = errorOf(() => readMetadataText(text, 'm.test'))
  expect(error).toMatchObject({ code: 'METADATA_RESPONSE_INVALID', message })
})
