import { readFileSync } from 'node:fs'
import { Ajv, type AnySchemaObject } from 'ajv'
import { describe, expect, test } from 'vitest'
import { isServiceError } from '../../../src/lib/errors.ts'
import type { DnsService } from '../../../src/lib/clouds/cloud-profile.ts'
import { resourceManagerUrl, scopeFor } from '../../../src/lib/profile/endpoints.ts'
import { serviceUrl } from '../../../src/lib/profile/service-access.ts'
import { fieldPaths, fields, overrideVariables } from '../../../src/lib/profile/field-path.ts'
import { explainDocument } from '../../../src/lib/profile/explained-profile.ts'
import { deepFreeze, valueAt } from '../../../src/lib/base/json.ts'
import { shouldDisableInstanceDiscovery, resolveProvider } from '../../../src/lib/profile/identity-provider.ts'
import { lintProfile } from '../../../src/lib/profile/lint-profile.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { fc, few } from '../../support/properties.ts'

const schemaFile = new URL('../../../cloud-profiles/schema.json', import.meta.url)
const validate = new Ajv().compile(JSON.parse(readFileSync(schemaFile, 'utf8')) as AnySchemaObject)

/** What no message may hold: it is only where a password or a query can be. */
const secret = 'hunter2'
const secrets = [`https://u:${secret}@h/`, `https://h/?sig=${secret}`, `https:u:${secret}@h`, `x:${secret}@`]
const edges = ['', ' ', '\n', '/', '//', '.', '..', ':', '@', '?', '#', '\\', '\u0000', '\u202E', '\uFEFF', 'ä', '-']
const hostile = ['__proto__', 'constructor', '\uD800', '%2e%2e']
const urls = [
  'https://host.example/',
  'http://host.example:8443/a/b/',
  'api://x/',
  'https://[::1]/',
  'https://a.test/?a=b#c',
]
const seeds = [...urls, '.blob.core.example', '.a-b.c', 'adfs', 'custom', '11111111-2222-3333-4444-555555555555']
const texts = fc.oneof(
  fc.constantFrom(...secrets, ...edges, ...hostile, ...seeds),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.array(fc.constantFrom(...edges, ...seeds), { maxLength: 4 }).map((pieces) => pieces.join('')),
  fc
    .tuple(fc.constantFrom(...seeds), fc.constantFrom(255, 256, 257, 2040, 2048, 2049, 16_385))
    .map(([start, length]) => start.padEnd(length, 'x')),
)
const kinds = fc.constantFrom<unknown>({}, [], { number: 8443 }, [{}], 8443, 1.5, true, null)
const values = fc.oneof({ weight: 8, arbitrary: texts }, { weight: 2, arbitrary: kinds }, fc.jsonValue({ maxDepth: 2 }))
/** Fields below names that an author chooses. */
const named = ['.dnsSuffix', '.url', '.audience', '.port', '.otherHosts', '.retired', '.unknown', '']
const others = ['toolNames.az', 'unknown', 'toString', 'serviceAudiences.unknown']
const paths = [...fields.map(({ path }) => path), ...named.map((key) => `services.a${key}`), ...others]

/** A profile with some of its fields, groups and what no profile has replaced by anything, or missing; or any other document. */
const replaced = fc.dictionary(fc.constantFrom(...paths), fc.option(values, { nil: undefined, freq: 6 }), {
  minKeys: 1,
  maxKeys: 4,
})
const replacedDocuments = replaced.map((fields) => JSON.parse(JSON.stringify(profileDocument(fields))) as unknown)
const documents = fc.oneof({ weight: 20, arbitrary: replacedDocuments }, fc.jsonValue())

/** Only code can tell these: a wrong port or escape, letters no host may have, a number for a last label, an absent field with a value. */
const onlyOurs =
  /Remove the name or the value| must be an absolute URL(?! without)| must be a DNS suffix that makes a host name/

/** The result of our code, or the code of its error; any other error fails the property. */
function attempt<T>(work: () => T): { readonly result?: T; readonly code?: string; readonly message: string } {
  try {
    return { result: work(), message: '' }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { code: error.code, message: error.message }
  }
}

/** A message is lines of printable text, none of them without end, and gives no secret away. */
function expectReadable(message: string): void {
  expect(message).not.toContain(secret)
  expectPrintable(message)
  expect(Math.max(...message.split('\n').map((line) => line.length))).toBeLessThan(1000)
}

function expectPrintable(message: string): void {
  expect(message.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
}

describe('Any document', () => {
  test('is a profile that is the same when parsed again, or an error people can read', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const frozen = deepFreeze(structuredClone(document))
        const { result, code = 'PROFILE_INVALID', message } = attempt(() => parseCloudProfile(frozen))
        expect(code).toBe('PROFILE_INVALID')
        expectReadable(message)
        const again = result && parseCloudProfile(JSON.parse(JSON.stringify(result)))
        expect(again).toEqual(result)
      }),
    )
  })

  test('is judged alike by schema.json and by the parser, but for what only a URL parser can tell', () => {
    const verdicts = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(documents, (document) => {
        const [, ...problems] = attempt(() => parseCloudProfile(document)).message.split('\n')
        const bySchema = validate(document) === true
        verdicts[bySchema ? 'accepted' : 'refused'] += 1
        const unexplained = problems.filter((problem) => !onlyOurs.test(problem))
        // Accepted: nothing is wrong but what the schema cannot tell. Refused: something is wrong.
        expect(bySchema ? unexplained : problems.length > 0).toEqual(bySchema ? [] : true)
      }),
      few(1000),
    )
    // Neither side says the same of everything.
    expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(50)
  })

  test('that is a profile can be explained and linted, and its scopes and addresses can be built', () => {
    const source = { kind: 'file', path: 'x' } as const
    fc.assert(
      fc.property(documents, (document) => {
        const { result } = attempt(() => explainDocument(document, source, []))
        fc.pre(result !== undefined)
        const { profile, fields: explained } = result
        for (const path of fieldPaths) expect(explained[path]?.value).toBe(valueAt(profile, path))
        for (const { message } of lintProfile(resolveProvider(result), { authMode: 'platformCli' }))
          expectPrintable(message)
        for (const audience of [profile.resourceManagerAudience, ...Object.values(profile.serviceAudiences)]) {
          expect(scopeFor(audience)).toBe(`${audience}.default`)
        }
        for (const service of Object.keys(profile.serviceDnsSuffixes) as DnsService[]) {
          expect(new URL(serviceUrl(profile, service, 'a')).pathname).toBe('/')
        }
        expect(resourceManagerUrl(profile, '')).toBe(new URL(profile.resourceManagerEndpoint).href)
        expect(typeof shouldDisableInstanceDiscovery(profile.authorityHost)).toBe('boolean')
      }),
    )
  })
})

describe('Any environment', () => {
  const others = ['PLATFORM_CLOUD', 'PLATFORM_OVERRIDE_CUSTOM_PROFILE', '__proto__', 'constructor']
  const variables = fc.constantFrom(...Object.keys(overrideVariables), ...others)
  const environments = fc.dictionary(variables, fc.oneof(texts, fc.constant('platformstack-custom')), { maxKeys: 5 })

  test('resolves to the same profile each time, or to a readable error, and stays unchanged', () => {
    fc.assert(
      fc.property(environments, (env) => {
        const options = deepFreeze({ env })
        const { result, code, message } = attempt(() => explainProfile(options))
        expect([undefined, 'PROFILE_INVALID', 'UNSUPPORTED_CLOUD']).toContain(code)
        expectReadable(message)
        expect(attempt(() => explainProfile(options))).toEqual({ result, code, message })
        // An overridden value may contain a secret, and is shown. The value in force was validated.
        const overridden = Object.values(result?.fields ?? {}).flatMap((field) => field.overridden ?? [])
        expect(JSON.stringify(overridden)).not.toContain(secret)
      }),
    )
  })
})
