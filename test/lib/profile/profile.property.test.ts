import { describe, expect, test } from 'vitest'
import { isServiceError } from '../../../src/lib/errors.ts'
import type { DnsService } from '../../../src/lib/clouds/cloud-profile.ts'
import { resourceManagerUrl, scopeFor } from '../../../src/lib/profile/endpoints.ts'
import { serviceUrl } from '../../../src/lib/profile/service-access.ts'
import { fieldPaths, overrideVariables } from '../../../src/lib/profile/field-path.ts'
import { explainDocument } from '../../../src/lib/profile/explained-profile.ts'
import { valueAt } from '../../../src/lib/base/json.ts'
import { shouldDisableInstanceDiscovery } from '../../../src/lib/profile/identity-provider.ts'
import { lintProfile } from '../../../src/lib/profile/lint-profile.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { resolveProvider } from '../../../src/lib/profile/resolved-cloud.ts'
import { deepFreeze, profileDocument } from '../../support/profile-document.ts'
import { fc } from '../../support/properties.ts'

/** What no message may hold: it stands only where a password or a query can. */
const secret = 'hunter2'
const secrets = fc.constantFrom(
  `https://u:${secret}@h/`,
  `https://h/?sig=${secret}`,
  `https:u:${secret}@h`,
  `x:${secret}@`,
)
const hostile = fc.constantFrom('__proto__', 'constructor', '\u0000', '\u202E', '\uD800', ' ', '', '/', '..', '%2e%2e')
const texts = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string({ unit: 'binary' }),
  hostile,
  secrets,
)
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

const documents = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .dictionary(fc.constantFrom(...fieldPaths, 'extra'), fc.oneof(texts, fc.jsonValue()), { maxKeys: 4 })
      .map((fields) => profileDocument(fields)),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
)

describe('Any document', () => {
  test('is a profile that is the same when parsed again, or an error people can read', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const frozen = deepFreeze(JSON.parse(JSON.stringify(document)) as unknown)
        const { result, code = 'PROFILE_INVALID', message } = attempt(() => parseCloudProfile(frozen))
        expect(code).toBe('PROFILE_INVALID')
        expectReadable(message)
        const again = result && parseCloudProfile(JSON.parse(JSON.stringify(result)))
        expect(again).toEqual(result)
      }),
    )
  })

  test('that is a profile can be explained and linted, and its scopes and addresses can be built', () => {
    const source = { kind: 'file', path: 'x' } as const
    fc.assert(
      fc.property(documents, (document) => {
        const { result } = attempt(() => explainDocument(document, source, []))
        fc.pre(result !== undefined)
        const { profile, fields } = result
        for (const path of fieldPaths) expect(fields[path]?.value).toBe(valueAt(profile, path))
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
  const variables = [
    ...Object.keys(overrideVariables),
    'PLATFORM_CLOUD',
    'PLATFORM_OVERRIDE_CUSTOM_PROFILE',
    '__proto__',
    'constructor',
  ]
  const environments = fc.dictionary(
    fc.constantFrom(...variables),
    fc.oneof(texts, fc.constant('platformstack-custom')),
    { maxKeys: 5 },
  )

  test('resolves to the same profile each time, or to a readable error, and stays unchanged', () => {
    fc.assert(
      fc.property(environments, (env) => {
        const options = deepFreeze({ env })
        const { result, code, message } = attempt(() => explainProfile(options))
        expect([undefined, 'PROFILE_INVALID', 'UNSUPPORTED_CLOUD']).toContain(code)
        expectReadable(message)
        expect(attempt(() => explainProfile(options))).toEqual({ result, code, message })
        // What lost may hold a secret, and is shown; what won has been validated.
        expect(
          JSON.stringify(Object.values(result?.fields ?? {}).flatMap(({ overridden = [] }) => overridden)),
        ).not.toContain(secret)
      }),
    )
  })
})
