import { describe, expect, test } from 'vitest'
import { cloudEnvironments } from '../../../src/lib/clouds/cloud-profile.ts'
import { parseCloudProfile, findUnknownFields } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { explainDocument } from '../../../src/lib/profile/explained-profile.ts'
import { serviceAccess, serviceUrl } from '../../../src/lib/profile/service-access.ts'
import { errorOf } from '../../support/error-of.ts'
import { problemsOf } from '../../support/problems-of.ts'
import { profileDocument, profileWithout } from '../../support/profile-document.ts'

const below = (group: string, ...names: readonly string[]) => [group, ...names.map((name) => `${group}.${name}`)]
const required = [
  'name displayName environment authorityHost resourceManagerEndpoint resourceManagerAudience'.split(' '),
  below('serviceDnsSuffixes', 'storage', 'keyVault', 'sqlServer', 'containerRegistry'),
  below('serviceAudiences', 'arm', 'storage', 'keyVault'),
].flat()
const optional = ['tenantId', 'portalUrl', 'metadataEndpoint', 'notes', 'federatedAudience']
describe('Validation, schema phase', () => {
  test.each(required)('%s is required, and a group in each of its fields', (path) => {
    const leaves = required.filter((each) => each.startsWith(`${path}.`))
    const missing = leaves.length > 0 ? leaves : [path]
    const problems = problemsOf(profileWithout(path)).map((problem) => problem.replace(/; it must be one of .*/, ''))
    expect(problems).toEqual(missing.map((each) => `${each}: is missing`))
  })

  test.each([...required, ...optional])('%s must be text, or an object', (path) => {
    for (const [shown, value] of Object.entries({ 'a number': 42, 'a boolean': true, null: null, 'an array': ['x'] })) {
      const [problem, ...others] = problemsOf(profileDocument({ [path]: value }))
      expect(others).toEqual([])
      expect(problem).toMatch(new RegExp(`^${path}: must be .*but is ${shown}$`))
    }
  })

  test.each([
    [null, 'null'],
    [[], 'an array'],
    ['hunter2', 'a string'],
    [7, 'a number'],
    [undefined, 'missing'],
  ])('a document that is %j is refused as a whole', (document, shown) => {
    expect(problemsOf(document)).toEqual([`must be an object, but is ${shown}`])
  })

  test.each(optional)('%s may be absent, and counts as absent when it is blank', (path) => {
    for (const blank of [undefined, '', ' ', '\t\n'])
      expect(parseCloudProfile(profileDocument({ [path]: blank }))).toEqual(profileWithout(path))
  })

  test('groups of optional fields count as absent when nothing is in them', () => {
    for (const services of [{}, { graph: {} }, { graph: { url: ' ' } }, { graph: { unknown: 'x' } }])
      for (const aliases of [{}, { unknown: 'x' }])
        expect(parseCloudProfile({ ...profileDocument(), services, aliases })).not.toHaveProperty('aliases')
    expect(parseCloudProfile({ ...profileDocument(), services: { graph: { url: ' ' } } }).services).toEqual({
      graph: {},
    })
  })

  test.each([
    ['services.serviceBus.dnsSuffix', 'servicebus.example', 'must start with "."'],
    ['services.serviceBus.url', 'https://u:p@h/', 'must not contain user information'],
    ['services.serviceBus.port', 70_000, 'must be a whole number from 1 to 65535'],
    ['services.serviceBus.port', '443', 'must be a whole number from 1 to 65535'],
    ['services.serviceBus.otherHosts', 'x', 'must be a list'],
    ['services.serviceBus.retired', 'yes', 'must be true or false'],
    ['services.Service-Bus', {}, 'the name must consist of letters and digits'],
    ['services', [], 'must be an object'],
    ['aliases.authorityHosts', ['http://sts.example/'], 'must start with https://'],
  ])('%s must not be %j', (path, value, rule) => {
    const [problem] = problemsOf(profileDocument({ [path]: value }))
    expect(problem).toContain(rule)
    expect(problem?.startsWith(path)).toBe(true)
  })

  test.each(['Public', 'toString'])("%j isn't an environment, and the error lists those that are", (value) => {
    const [problem] = problemsOf(profileDocument({ environment: value }))
    expect(problem).toBe(`environment: must be one of ${cloudEnvironments.join(', ')}, but is ${JSON.stringify(value)}`)
  })

  test('$schema and a field that no profile has are left out, not refused', () => {
    const serviceAudiences = { ...profileDocument().serviceAudiences, x: 1 }
    const document = { $schema: './schema.json', ...profileDocument(), version: 2, serviceAudiences }
    expect(parseCloudProfile(document)).toEqual(profileDocument())
  })
})

describe('The error of an invalid profile', () => {
  test('it names the document, every problem in the order of the fields, and the fields that no profile has', () => {
    const changes = { environment: undefined, 'serviceDnsSuffixes.storage': 'x', name: '' }
    const { serviceAudiences: serviceAudience, ...rest } = profileDocument(changes)
    const document = { ...rest, serviceAudience, displayname: 'x' }
    const error = errorOf(() => parseCloudProfile(document, 'file /etc/enclave.json'))
    expect(error.code).toBe('PROFILE_INVALID')
    expect(error.message.split('\n')).toEqual([
      'Invalid cloud profile in file /etc/enclave.json:',
      '  name: must not be empty, but is ""',
      `  environment: is missing; it must be one of ${cloudEnvironments.join(', ')}`,
      '  serviceDnsSuffixes.storage: must start with ".", but is "x"',
      '  serviceAudiences.arm: is missing',
      '  serviceAudiences.storage: is missing',
      '  serviceAudiences.keyVault: is missing',
      '  Unknown field "serviceAudience" is ignored; did you mean serviceAudiences?',
      '  Unknown field "displayname" is ignored; did you mean displayName?',
    ])
  })

  test('no path of a file can forge a line or turn the direction of reading', () => {
    const { message } = errorOf(() => parseCloudProfile({}, 'file /tmp/a\n  name: \u202Ex\u001B[2J.json'))
    const [first] = message.split('\n')
    expect(first).toBe(String.raw`Invalid cloud profile in file /tmp/a\u000a  name: \u202ex\u001b[2J.json:`)
  })
})

const messagesOf = (document: unknown) => findUnknownFields(document).map(({ message }) => message)

test.each<[document: unknown, messages: readonly string[]]>([
  [{ portalURL: 'x' }, ['"portalURL" is ignored; did you mean portalUrl?']],
  [{ aliases: { issuer: 'x' } }, ['"aliases.issuer" is ignored; did you mean aliases.issuers?']],
  [{ serviceAudiences: { sql: 'x' } }, ['"serviceAudiences.sql" is ignored']],
  [JSON.parse('{"__proto__":{"name":"x"}}'), ['"__proto__" is ignored']],
  [{ $schema: './schema.json', ...profileDocument() }, []],
  [{ serviceAudiences: ['x'], serviceDnsSuffixes: 'x' }, []],
  ...[null, [], 'x', 1, undefined].map((document): [unknown, string[]] => [document, []]),
])('the unknown fields of %j are named with the nearest one: %j', (document, messages) => {
  expect(messagesOf(document)).toEqual(messages.map((message) => `Unknown field ${message}`))
})

test('a hostile name is shortened and escaped', () => {
  const [message = ''] = messagesOf({ [`\u001B[2J\u009B\u202E<script>${'x'.repeat(100_000)}`]: 1 })
  expect(message.length).toBeLessThan(150)
  expect(message).toMatch(/^[ -~]*$/)
})

test('of thousands of unknown fields, twenty are named and the rest are counted', () => {
  const document = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`zzz${index}`, 1]))
  const warnings = findUnknownFields(document)
  expect(warnings).toHaveLength(21)
  expect(warnings.at(-1)?.message).toBe('4980 more unknown fields are ignored')
})

describe('A document that is nested too deep', () => {
  const nest = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => ({ a: inner }), 'x')
  const cyclic: Record<string, unknown> = { ...profileDocument() }
  cyclic['services'] = cyclic

  test.each<[title: string, document: unknown]>([
    ['17 levels', { ...profileDocument(), extra: nest(16) }],
    ['5,000 lists', JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)],
    ['a cycle', cyclic],
  ])('%s is refused in one sentence', (_title, document) => {
    expect(problemsOf(document)).toEqual(['must be nested at most 16 levels deep'])
  })

  test('16 levels are accepted', () => {
    expect(parseCloudProfile({ ...profileDocument(), extra: nest(15) })).toEqual(profileDocument())
  })
})

describe('What a cloud declares absent', () => {
  const stack = profileDocument({
    'serviceDnsSuffixes.sqlServer': '.database.invalid',
    'serviceAudiences.keyVault': 'https://vault.invalid/',
    absent: ['serviceDnsSuffixes.sqlServer', 'serviceAudiences.keyVault', 'file', 'serviceBus'],
    services: { serviceBus: { port: 1 } },
  })

  test('needs no warning for its placeholders', () => {
    const codes = (document: object) =>
      explainDocument(document, { kind: 'option' }, []).warnings.map(({ code }) => code)
    expect(codes(stack)).not.toContain('PLACEHOLDER_FIELD')
    expect(codes({ ...stack, absent: [] })).toContain('PLACEHOLDER_FIELD')
  })

  test.each(['sqlServer', 'file', 'serviceBus'] as const)('cannot be used: %s', (service) => {
    const profile = parseCloudProfile(stack)
    expect(errorOf(() => serviceUrl(profile, service, 'x')).code).toBe('SERVICE_NOT_PUBLISHED')
    expect(serviceUrl(profile, 'storage', 'x')).toContain('https://x.blob.')
  })

  test('its audience cannot be used, and its suffix can', () => {
    const vault = serviceAccess(parseCloudProfile(stack), 'keyVault', 'x')
    expect(vault.url).toBe('https://x.vault.enclave.example/')
    expect(errorOf(() => vault.scope).code).toBe('SERVICE_NOT_PUBLISHED')
  })

  test.each<readonly [string, string]>([
    ['serviceDnsSuffixes.storage', 'names serviceDnsSuffixes.storage, which is "'],
    ['storage', 'names serviceDnsSuffixes.storage, which is "'],
    ['serviceBus', 'names services.serviceBus.dnsSuffix, which is "'],
    ...['authorityHost', 'resourceManagerEndpoint', 'resourceManagerAudience', 'serviceAudiences.arm', 'arm'].map(
      (entry) => [entry, 'must be '] as const,
    ),
  ])('has no real value, and is not required: %s', (entry, problem) => {
    expect(problemsOf(profileDocument({ absent: [entry] }))[0]).toContain(`absent.0: ${problem}`)
  })

  test('an override of the field ends it', () => {
    const origin = { by: 'variable', from: 'PLATFORM_SQL_DNS_SUFFIX' } as const
    const given = { path: 'serviceDnsSuffixes.sqlServer', value: '.sql.enclave.example', ...origin } as const
    const { profile } = explainDocument(stack, { kind: 'option' }, [given])
    expect(profile.absent).toEqual(['serviceAudiences.keyVault', 'file', 'serviceBus'])
    expect(serviceUrl(profile, 'sqlServer', 'x')).toBe('https://x.sql.enclave.example/')
  })
})
