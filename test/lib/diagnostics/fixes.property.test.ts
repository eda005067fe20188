import { describe, expect, test } from 'vitest'
import { configuredEndpoints } from '../../../src/lib/diagnostics/endpoint-table.ts'
import type { Check } from '../../../src/lib/diagnostics/run.ts'
import type { ErrorCode, Evidence } from '../../../src/lib/errors.ts'
import { findings } from '../../../src/lib/findings/catalog.ts'
import { type ChangeableField, layers } from '../../../src/lib/findings/finding.ts'
import { overrideVariables } from '../../../src/lib/profile/field-path.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { authModes } from '../../../src/lib/settings/setting-table.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { fc } from '../../support/properties.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { failed as failedAt, passed as passedAt, verdictOf } from '../../support/verdict-of.ts'

// The rules of every fix, over every finding, every source of a profile and every mode: a fix names what the reader can change, doubts
// nothing that is proven, blames no layer below one that passed, and contradicts no other fix of its page.

const directory = useTemporaryDirectory()
const file = directory.write('enclave.json', profileDocument())
const authority = { PLATFORM_AUTHORITY_HOST: 'https://login.private.test/' }
const manager = { PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://management.private.test/' }
const accounts = { PLATFORM_KEY_VAULT: 'vault', PLATFORM_STORAGE_ACCOUNT: 'data' }

/** A source of a profile, with the override variables that take effect. */
const sourceOf = (env: Readonly<Record<string, string>>, applied: readonly string[] = Object.keys(env)) => {
  const cloud = explainProfile({ env })
  const settings = readSettings({ ...env, ...accounts })
  const endpoints = configuredEndpoints(cloud.profile, settings)
  return { env, applied, isFile: 'CUSTOM_CLOUD_PROFILE_PATH' in env, cloud, settings, endpoints }
}
type Source = ReturnType<typeof sourceOf>
const custom = { CUSTOM_CLOUD_PROFILE_PATH: file }
const overriding = { PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true' }
const plainFile = sourceOf(custom, [])
const sources: readonly (readonly [string, Source])[] = [
  ['a built-in', sourceOf({})],
  ['a built-in with an authority', sourceOf(authority)],
  ['a built-in with a resource manager', sourceOf(manager)],
  ['a built-in with both', sourceOf({ ...authority, ...manager })],
  ['a file', plainFile],
  ['a file beside an override that is not used', sourceOf({ ...custom, ...authority }, [])],
  ['a file with an override', sourceOf({ ...custom, ...authority, ...overriding }, Object.keys(authority))],
]

const address = 'https://a.test/'
const addresses = { addressToSet: address, issuer: address, audience: address, tokenAudience: '"https://b.test/"' }
const challenge = { challengeAuthority: address, challengeAudience: address, tokenHost: 'a.test', names: 'a.test' }
const errorCode = 'InvalidAuthenticationTokenAudience'
const response = { status: '400', path: '/x', location: 'https://a.test/x', errorCode }
const others = { host: 'login.other.test', missing: 'x', differingFields: 'authorityHost, portalUrl' }
const shaped: Evidence = { ...addresses, ...challenge, ...response, ...others }

const codes = Object.keys(findings) as ErrorCode[]
const groups = ['authority', 'resource-manager', 'metadata', 'key-vault', 'storage', 'token']
/** A code of a kind of host belongs to its endpoint, and any other one to each. */
const groupsOf = (code: ErrorCode): readonly string[] => {
  if (code.startsWith('SERVICE_')) return ['key-vault', 'storage']
  if (code.startsWith('IDENTITY_ENDPOINT_')) return ['workload']
  const own = groups.filter((group) => code.startsWith(`${group.replace('-', '_').toUpperCase()}_`))
  return own.length > 0 && !code.startsWith('TOKEN_') ? own : groups
}
const failed = (code: ErrorCode, group: string, evidence: Evidence): Check => {
  const layer = code.endsWith('_DNS_FAILED') ? 'dns' : 'response'
  return { ...failedAt(`${group}.${layer}`, code, evidence), layer }
}
const cases = codes.flatMap((code) =>
  groupsOf(code).flatMap((group) =>
    [{}, shaped].map((evidence) => ({ code, group, check: failed(code, group, evidence) })),
  ),
)
const passed = (endpoint: string, layer: (typeof layers)[number], proves: readonly ChangeableField[] = []): Check => {
  return { ...passedAt(`${endpoint}.${layer}`), layer, proves }
}

/** The fix of each failed check and of the root cause, with all that they say. */
function fixesOf({ settings: read, ...source }: Source, authMode: string, checks: readonly Check[]) {
  const found = verdictOf(checks, { ...source, settings: { ...read, authMode } as typeof read })
  return [found.rootCause, ...found.checks].flatMap((each) => {
    if (each?.fix === undefined) return []
    const { cause = '', fix, change } = each
    return [{ ...each, cause, fix, said: `${cause} ${fix} ${JSON.stringify(change)}` }]
  })
}

// The tenant is a setting of the credential, so that its variable always has an effect.
const overrides = Object.keys(overrideVariables).filter((name) => name !== 'PLATFORM_TENANT_ID')
/** How the variables of a credential begin, by its mode. */
const credentialsOf = {
  clientSecret: 'PLATFORM_CLIENT_SECRET',
  clientCertificate: 'PLATFORM_CLIENT_CERTIFICATE',
  workloadIdentity: 'PLATFORM_FEDERATED',
  usernamePassword: 'PLATFORM_(?:USERNAME|PASSWORD)',
}
const namedIn = (text: string, variables: readonly string[]) => {
  const words = new Set(text.match(/\w+/g))
  return variables.filter((variable) => words.has(variable))
}
const listed = (wrong: readonly string[]) => [...new Set(wrong)].join('\n')

describe.each(sources)('With %s', (_name, source) => {
  test('no fix names a variable that is not set, but to set it, and none that has no effect', () => {
    const { env, applied, isFile } = source
    const isUseful = (said: string, variable: string) =>
      applied.includes(variable) ||
      (!isFile && Object.keys(env).length > 0 && new RegExp(`\\b[Ss]et ${variable}\\b`).test(said))
    const wrong = cases.flatMap((each) =>
      fixesOf(source, 'clientSecret', [each.check]).flatMap(({ said, change }) => {
        const useless = namedIn(said, overrides).filter((variable) => !isUseful(said, variable))
        const elsewhere = change !== undefined && 'file' in change && change.file !== file ? [change.file] : []
        return [...useless, ...elsewhere].map((what) => `${each.code} at ${each.group} names ${what}: ${said}`)
      }),
    )
    expect(listed(wrong)).toBe('')
  })

  test.each(authModes)('no cause or fix of %s doubts a field that the cloud confirms', (mode) => {
    const every = [...Object.values(overrideVariables), 'metadataEndpoint', 'serviceAudiences.arm'] as ChangeableField[]
    const proofs = ['resource-manager', 'key-vault', 'storage'].map((endpoint) => passed(endpoint, 'token', every))
    const doubt =
      /URL is malformed|(path|name of [a-z ]+) is wrong|audience (does not )?belongs? to|another audience or|public cloud|different clouds/
    const wrong = cases.flatMap((each) =>
      fixesOf(source, mode, [each.check, ...proofs]).flatMap(({ said, cause, fix }) => {
        const corrected = namedIn(said, Object.keys(overrideVariables))
        const inFile = fix.includes(`in ${file}`) && !fix.startsWith('Get the values')
        return [...corrected, ...(doubt.test(cause) ? ['cause'] : []), ...(inFile ? [file] : [])].map(
          (what) => `${each.code} at ${each.group} doubts ${what}: ${said}`,
        )
      }),
    )
    expect(listed(wrong)).toBe('')
  })

  test.each(Object.entries(credentialsOf))('no fix of %s names a credential of another mode', (mode, own) => {
    const strange = new RegExp(`\\b(?!${own})(?:${Object.values(credentialsOf).join('|')})`)
    const possible = cases.filter(
      ({ code }) => !/^(CERTIFICATE|CREDENTIAL_FILE|CLIENT_(SECRET|ASSERTION)|USER_REJECTED)/.test(code),
    )
    const wrong = possible.flatMap((each) =>
      fixesOf(source, mode, [each.check]).flatMap(({ fix }) => (strange.test(fix) ? [`${each.code}: ${fix}`] : [])),
    )
    expect(listed(wrong)).toBe('')
  })

  test('no two fixes of one page contradict each other', () => {
    const proofs = fc.constantFrom<readonly ChangeableField[]>([], ['authorityHost'], ['resourceManagerAudience'])
    const several = fc.array(fc.constantFrom(...cases), { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(several, proofs, fc.constantFrom(...authModes), (picked, proves, mode) => {
        const fixes = fixesOf(source, mode, [
          passed('metadata', 'response', proves),
          ...picked.map(({ check }) => check),
        ])
        const values = new Map<string, string>()
        const twice = fixes.flatMap(({ change }) => {
          if (change?.value === undefined) return []
          const { value, ...what } = change
          const before = values.get(JSON.stringify(what)) ?? value
          values.set(JSON.stringify(what), value)
          return before === value ? [] : [`${JSON.stringify(what)}: ${before}, ${value}`]
        })
        expect(twice).toEqual([])
        // What one fix calls correct, none corrects.
        const all = fixes.map(({ said }) => said).join('\n')
        const correct = new Set([...all.matchAll(/`(\w+)` is the built-in value/g)].map(([, field = '']) => field))
        const corrected = fixes.flatMap(({ change }) =>
          change === undefined ? [] : 'field' in change ? change.field : (overrideVariables[change.variable] ?? []),
        )
        expect(corrected.filter((field) => correct.has(field))).toEqual([])
      }),
    )
  })
})

test.each([
  ['tcp', /[Aa]llow traffic|open the firewall|Connect this host to the network/],
  ['dns', /DNS server that this machine uses/],
] as const)('no fix of a later layer blames %s, which passed', (layer, blame) => {
  const faults = ['TIMEOUT', 'REFUSED', 'UNREACHABLE', 'RESET', 'RESPONSE_INVALID', 'TLS_FAILED'] as const
  const said = faults.flatMap((fault) =>
    [{}, shaped].flatMap((evidence) => {
      const check = failed(`AUTHORITY_${fault}`, 'authority', evidence)
      return fixesOf(plainFile, 'clientSecret', [passed('authority', layer), check])
    }),
  )
  expect(said.map(({ fix }) => fix).filter((fix) => blame.test(fix))).toEqual([])
})
