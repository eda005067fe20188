import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { privateDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { trust } from '../../support/trust.ts'
import { startAnyCloud, type AnyCloud, type Answer, type ReceivedRequest } from '../any-cloud.ts'
import { answerAs, planted } from '../egress/answers.ts'
import { prepareFiles } from '../egress/prepare.ts'
import { modes, type SubjectFiles } from '../egress/subjects.ts'
import { createLeakDetector, findLeaks } from './leak-detector.ts'
import { observeCredential, observeService } from './observe.ts'
import { collectWireSecrets } from './wire-secrets.ts'

// A cloud that sends back what it received, in every part of a response that can contain a text.

/** The one secret of a request. */
function secretOf({ headers, body }: ReceivedRequest): string {
  const form = new URLSearchParams(body)
  const fields = ['client_secret', 'client_assertion', 'password', 'device_code', 'code']
  const header = headers['x-identity-header'] ?? headers.authorization?.replace('Bearer ', '')
  return fields.map((name) => form.get(name)).find((value) => value !== null) ?? header?.toString() ?? 'no secret'
}

const whole = ({ path, headers, body }: ReceivedRequest) =>
  `${path} ${JSON.stringify(headers)} ${body} ${[...new URLSearchParams(body).values()].join(' ')}`

/** The library logs the headers that it knows. */
function headersOf(request: ReceivedRequest): Record<string, string> {
  const value = `${encodeURIComponent(secretOf(request))} ${secretOf(request)}`.replace(/[^\u0021-\u007e ]/g, '')
  const ids = ['x-ms-request-id', 'x-ms-correlation-request-id', 'client-request-id', 'request-id', 'ms-cv']
  const names = [...ids, 'server', 'etag', 'x-another-header']
  const challenge = `Bearer error_description="${value}"`
  return { ...Object.fromEntries(names.map((name) => [name, value])), 'www-authenticate': challenge }
}

const page = (status: number) => (request: ReceivedRequest) => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<pre>${whole(request)}</pre>`,
})
const named = (error: string) => ({ status: 400, body: { error } })
const error = (body: object) => ({ status: 400, body: { error: 'invalid_client', error_codes: [7000215], ...body } })

const echoes: Readonly<Record<string, (request: ReceivedRequest) => Answer>> = {
  'the fields of an error': (request) => {
    const texts = ['suberror', 'trace_id', 'correlation_id', 'claims'].map((name) => [name, whole(request)])
    const error_description = `AADSTS7000215: ${whole(request)}`
    return error({ ...Object.fromEntries(texts), error_description, error_uri: `https://x.test/?${request.body}` })
  },
  'the name of an error': (request) => named(secretOf(request)),
  'the name of an error, in lower case': (request) => named(secretOf(request).toLowerCase()),
  'an error that the library retries': (request) => ({
    status: 503,
    headers: headersOf(request),
    body: { error: 'temporarily_unavailable', error_description: whole(request) },
  }),
  'a page with status 200': page(200),
  'a page with status 400': page(400),
  'a page with status 500': page(500),
  'the headers of a refusal': (request) => ({ ...error({}), status: 401, headers: headersOf(request) }),
  'the address of a redirect': (request) => ({
    status: 302,
    headers: { ...headersOf(request), location: `https://x.test/?${request.body}` },
    body: '',
  }),
  'a response without a token': (request) => ({ status: 200, body: { token_type: 'Bearer', note: whole(request) } }),
  // The last one: the library keeps a token of a managed identity for the life of the process.
  'the other fields of a good response': (request) => {
    const others = Object.fromEntries(['scope', 'foci', 'note'].map((name) => [name, whole(request)]))
    const access_token = 'opaque-access-token-without-any-claims-Wd83hKq1'
    const body = { token_type: 'Bearer', expires_in: 3600, access_token, ...others }
    return { status: 200, headers: headersOf(request), body }
  },
}

const directory = useTemporaryDirectory()
const wire = collectWireSecrets()
let cloud: AnyCloud
let files: SubjectFiles
let distrust: () => void
let profilePath: string

beforeAll(async () => {
  const prepared = await prepareFiles(directory)
  files = prepared.files
  distrust = trust(prepared.ca.certificatePem)
  cloud = await startAnyCloud(prepared.ca)
  const origin = `https://localhost:${cloud.securePort}/`
  const here = { authorityHost: origin, resourceManagerEndpoint: origin, metadataEndpoint: undefined }
  profilePath = directory.write('echo.json', { ...privateDocument('enclave.test'), ...here })
})
afterEach(() => void vi.unstubAllEnvs())
afterAll(() => {
  wire.restore()
  distrust()
  cloud.close()
})

/** Runs the service and the library once. The requests of the given kind are echoed, and all others get a good response. */
async function observe(variables: NodeJS.ProcessEnv, name: string, isEchoed: (request: ReceivedRequest) => boolean) {
  let echoed = 0
  cloud.answer = (request) => {
    const answer = isEchoed(request) ? echoes[name]?.(request) : undefined
    if (answer !== undefined) echoed++
    return answer ?? answerAs(request, 'honest')
  }
  const more = { PLATFORM_LOG_LEVEL: 'verbose', PLATFORM_TOKEN_TIMEOUT_MS: '120000' }
  const env = { ...variables, ...more, CUSTOM_CLOUD_PROFILE_PATH: profilePath }
  const ignore = () => {}
  const [service, credential] = await Promise.all([observeService(env, ignore), observeCredential(env, ignore)])
  const known = Object.entries(planted).flatMap(([name, value]) =>
    [value, value.toLowerCase()].map((each) => ({ name, value: each })),
  )
  const outputs = [...service.outputs, ...credential.outputs].map((output) => ({ title: service.token, ...output }))
  const leaks = findLeaks(outputs, createLeakDetector([...known, ...wire.secrets]))
  return { token: service.token, isEchoed: echoed > 0, leaks }
}

const variablesOf = (label: string) => modes.find((mode) => mode.label === label)?.variables(files) ?? {}
const names = Object.keys(echoes)
const labels = ['clientSecret', 'clientCertificate', 'usernamePassword', 'deviceCode', 'workloadIdentity']

describe('No part of a secret is shown', () => {
  test.each(names.flatMap((name) => labels.map((label) => [name, label])))(
    'from %s of a login authority, with %s',
    async (name, label) => {
      const isTokenRequest = ({ method, path }: ReceivedRequest) => method === 'POST' && /\/token(\?|$)/.test(path)
      expect(await observe(variablesOf(label), name, isTokenRequest)).toMatchObject({ isEchoed: true, leaks: [] })
    },
  )

  test.each(names)('from %s of a resource manager', async (name) => {
    const hasToken = ({ headers }: ReceivedRequest) => headers.authorization !== undefined
    const found = await observe(variablesOf('clientSecret'), name, hasToken)
    expect(found).toEqual({ token: 'acquired', isEchoed: true, leaks: [] })
  })

  test.each(names)('from %s of an identity endpoint', async (name) => {
    const IDENTITY_ENDPOINT = `http://127.0.0.1:${cloud.plainPort}/msi/token`
    const variables = { AUTH_MODE: 'managedIdentity', IDENTITY_ENDPOINT, IDENTITY_HEADER: planted.identityHeader }
    for (const [variable, value] of Object.entries(variables)) vi.stubEnv(variable, value)
    const found = await observe(variables, name, ({ path }) => path.startsWith('/msi/token'))
    expect(found).toMatchObject({ isEchoed: true, leaks: [] })
  })
})
