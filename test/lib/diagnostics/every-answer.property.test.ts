import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCertificateAuthority } from 'cloud-profile-enclave/enclave'
import { runCheck } from '../../../src/lib/diagnostics/checks.ts'
import type { DiagnosticsReport } from '../../../src/lib/diagnostics/report.ts'
import { findings } from '../../../src/lib/findings/catalog.ts'
import { createService } from '../../../src/lib/service/service.ts'
import { startAnyCloud, type AnyCloud, type Answer, type ReceivedRequest } from '../../security/any-cloud.ts'
import { fc, few } from '../../support/properties.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { trust } from '../../support/trust.ts'

const numbers = [1e13, 1e308, -1, 0, 0.001, 2_147_484, Number.MAX_SAFE_INTEGER, '0x10', 'Infinity', '-1', ' ', '']
const names = ['constructor', '__proto__', 'toString', 'a\nb', '\u001b[2J', '\u202e', '\u2028', '\ud800']
const shapes: readonly unknown[] = [null, true, [], [[]], {}, { toString: 1 }, { valueOf: 1, toString: null }]
const addresses = ['https://constructor/', 'https://[::1]:99999/', 'https://u:p@x.test/', 'x'.repeat(5000)]
const odd = fc.oneof(fc.constantFrom<unknown>(...numbers, ...names, ...shapes, ...addresses), fc.jsonValue())

/** A document with some fields replaced, or something else altogether. */
const replaced = (document: Readonly<Record<string, unknown>>) =>
  fc
    .oneof(
      { weight: 9, arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(document), '__proto__', 'error'), odd) },
      { weight: 1, arbitrary: odd },
    )
    .map((fields) =>
      typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? { ...document, ...fields } : fields,
    )

const headerText = fc.constantFrom('-1', '1e9', 'Bearer realm="', 'x'.repeat(9000), 'Thu, 99 Foo', '\u00ff')
const headers = fc.dictionary(
  fc.constantFrom('retry-after', 'www-authenticate', 'location', 'date', 'content-type'),
  headerText,
)
const status = fc.oneof(
  { weight: 3, arbitrary: fc.constant(200) },
  { weight: 1, arbitrary: fc.constantFrom(204, 302, 400, 401, 403, 404, 407, 429, 503) },
)
const answerOf = (document: Readonly<Record<string, unknown>>): fc.Arbitrary<Answer> =>
  fc.record({ status, headers, body: replaced(document) })

describe('Whatever a cloud answers', () => {
  const directory = useTemporaryDirectory()
  let any: AnyCloud
  let distrust: () => void
  let origin = ''
  beforeAll(async () => {
    const ca = await createCertificateAuthority()
    distrust = trust(ca.certificatePem)
    any = await startAnyCloud(ca)
    origin = `https://localhost:${any.securePort}`
    const fields = ['authorityHost', 'resourceManagerEndpoint', 'resourceManagerAudience', 'serviceAudiences.arm']
    const profile = Object.fromEntries(fields.map((path) => [path, `${origin}/`]))
    directory.write('profile.json', profileDocument({ ...profile, metadataEndpoint: origin }))
  })
  afterAll(() => {
    distrust()
    any.close()
  })

  const report = async (discover: boolean): Promise<DiagnosticsReport> => {
    const service = createService({
      CUSTOM_CLOUD_PROFILE_PATH: join(directory.path, 'profile.json'),
      AUTH_MODE: 'clientSecret',
      PLATFORM_CLIENT_ID: 'client',
      PLATFORM_CLIENT_SECRET: 'planted-client-secret',
      PLATFORM_TOKEN_TIMEOUT_MS: '1000',
      PLATFORM_DISCOVER_AUDIENCE: String(discover),
    })
    return (await service.diagnostics(() => {})).report({ explain: true })
  }

  test('there is a report of checks, each explained, and no token goes where it does not belong', async () => {
    const claims = { aud: `${origin}/`, iss: `${origin}/`, tid: 't', oid: 'o', nbf: 0, exp: 4_000_000_000 }
    const endpoints = {
      authorization_endpoint: `${origin}/a`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/k`,
    }
    const login = { issuer: `${origin}/`, ...endpoints }
    const metadata = { portal: origin, authentication: { audiences: [`${origin}/`], loginEndpoint: `${origin}/` } }
    const named = (audience: string): Answer => {
      const authentication = { ...metadata.authentication, audiences: [audience] }
      return { status: 200, body: { ...metadata, authentication } }
    }
    const foreign = ['https://graph.enclave.example/', `https://u@localhost:${any.securePort}/`].map(named)
    const clouds = fc.record({
      discover: fc.boolean(),
      claims: replaced(claims),
      login: fc.oneof(
        { weight: 3, arbitrary: fc.constant<Answer>({ status: 200, body: login }) },
        { weight: 1, arbitrary: answerOf(login) },
      ),
      token: answerOf({ access_token: 'TOKEN', expires_in: 3600, token_type: 'Bearer' }),
      metadata: fc.oneof(answerOf(metadata), fc.constantFrom(...foreign)),
      subscriptions: answerOf({ value: [] }),
    })
    await fc.assert(
      fc.asyncProperty(clouds, async (cloud) => {
        const token = `h.${Buffer.from(JSON.stringify(cloud.claims)).toString('base64url')}.s`
        const shown: ReceivedRequest[] = []
        const scopes = new Set<string | null>([`${origin}/.default`])
        any.answer = (request) => {
          if (request.headers.authorization !== undefined) shown.push(request)
          if (request.path.includes('openid-configuration')) return cloud.login
          if (request.path.includes('/token')) {
            scopes.add(new URLSearchParams(request.body).get('scope'))
            const body: unknown = JSON.parse(JSON.stringify(cloud.token.body).replaceAll('TOKEN', token))
            return { ...cloud.token, body }
          }
          return request.path.includes('/metadata/') ? cloud.metadata : cloud.subscriptions
        }
        const found = await report(cloud.discover)
        const text = JSON.stringify(found)
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|planted-client-secret|The check itself failed/u)
        for (const check of found.checks.filter((each) => each.status === 'fail')) {
          expect(Object.hasOwn(findings, check.code ?? '')).toBe(true)
          expect([check.cause, check.fix, check.code]).not.toContain(undefined)
          expect(check.code).not.toBe('UNEXPECTED')
        }
        const aud = [(cloud.claims as Record<string, unknown> | null)?.['aud']].flat()
        const isOurs = aud.every((each) => typeof each === 'string' && each.replace(/\/+$/, '') === origin)
        expect(isOurs || shown.length === 0).toBe(true)
        expect([...scopes].join(' ')).toMatch(/^\S+\/\.default( openid profile offline_access)?$/)
      }),
      few(40),
    )
  })
})

test('Whatever a check throws is a failed check that quotes nothing of it', async () => {
  const named = Object.assign(new Error('hunter2'), { name: 'hunter2\n', code: 'hunter2', cause: 'hunter2' })
  const thrown = fc.oneof(fc.anything(), fc.constantFrom(named, Symbol('hunter2'), 'hunter2', { message: 'hunter2' }))
  await fc.assert(
    fc.asyncProperty(thrown, async (value) => {
      const check = await runCheck({ id: 'group.check' }, () => {
        throw value
      })
      expect(check).toMatchObject({ id: 'group.check', status: 'fail', code: 'UNEXPECTED' })
      expect(JSON.stringify(check)).not.toContain('hunter2')
    }),
  )
})
