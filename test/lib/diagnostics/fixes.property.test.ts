import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { failedCheck, type FoundCheck } from '../../../src/lib/diagnostics/checks.ts'
import { conclude } from '../../../src/lib/diagnostics/conclude.ts'
import { configuredEndpoints } from '../../../src/lib/diagnostics/endpoint-table.ts'
import { type ErrorCode, type Evidence, ServiceError } from '../../../src/lib/errors.ts'
import { findings } from '../../../src/lib/findings/catalog.ts'
import { type ChangeableField, layers } from '../../../src/lib/findings/finding.ts'
import { overrideVariables } from '../../../src/lib/profile/field-path.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { authModes } from '../../../src/lib/settings/setting-table.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'
import { placed } from '../../support/placed.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { fc } from '../../support/properties.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

// The rules of every fix, over every finding, every source of a profile and every mode: a fix names what the reader can change, changes
// nothing that is proven, blames no layer below one that passed, and contradicts no other fix of its page.

const directory = useTemporaryDirectory()
directory.write('enclave.json', profileDocument({}))
const file = join(directory.path, 'enclave.json')
const custom = { CUSTOM_CLOUD_PROFILE_PATH: file }
const authority = { PLATFORM_AUTHORITY_HOST: 'https://login.private.test/' }
const manager = { PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://management.private.test/' }
const accounts = { PLATFORM_KEY_VAULT: 'vault', PLATFORM_STORAGE_ACCOUNT: 'data' }
const sources: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a built-in': {},
  'a built-in with an authority': authority,
  'a built-in with a resource manager': manager,
  'a built-in with both': { ...authority, ...manager },
  'a file': custom,
  'a file beside an override that is not used': { ...custom, ...authority },
  'a file with an override': { ...custom, ...authority, PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true' },
}

const shaped: Evidence = {
  ...{ host: 'login.other.test', location: 'https://a.test/x', movedTo: 'https://a.test/', status: '400', path: '/x' },
  ...{
    issuer: 'https://a.test/',
    tokenHost: 'a.test',
    audience: 'https://a.test/',
    tokenAudience: '"https://b.test/"',
  },
  ...{ challengeAuthority: 'https://a.test/', challengeAudience: 'https://a.test/', names: 'a.test', missing: 'x' },
  ...{ errorCode: 'InvalidAuthenticationTokenAudience', differingFields: 'authorityHost, portalUrl' },
}
const codes = Object.keys(findings) as ErrorCode[]
const ids = ['authority', 'resource-manager', 'metadata', 'key-vault', 'storage', 'token']
const prefixes: Readonly<Record<string, string>> = {
  ...{ AUTHORITY: 'authority', RESOURCE: 'resource-manager', METADATA: 'metadata', SERVICE: 'storage' },
  ...{ IDENTITY: 'workload', TOKEN: 'token', CHALLENGE: 'resource-manager' },
}
const failed = (code: ErrorCode, evidence: Evidence, id?: string): FoundCheck => {
  const error = new ServiceError(code, 'What was found', { evidence })
  const group = id ?? prefixes[code.split('_')[0] ?? ''] ?? 'authority'
  const layer = layers.find((each) => code.endsWith('DNS_FAILED') && each === 'dns') ?? 'answer'
  return { ...placed(failedCheck({ id: `${group}.${layer}` }, error)), layer }
}

const CUSTOM = 'CUSTOM_CLOUD_PROFILE_PATH'
const OVERRIDE = 'PLATFORM_OVERRIDE_CUSTOM_PROFILE'
const prepared = new Map(
  Object.values(sources).map((env) => {
    const cloud = explainProfile({ env })
    const settings = readSettings({ ...env, ...accounts })
    return [env, { cloud, settings, endpoints: configuredEndpoints(cloud.profile, settings) }] as const
  }),
)

function conclusionOf(env: Readonly<Record<string, string>>, authMode: string, checks: readonly FoundCheck[]) {
  const { cloud, endpoints, ...read } = prepared.get(env) ?? expect.fail('An unknown source')
  const settings = { ...read.settings, authMode } as typeof read.settings
  const memory = { proven: new Map(), workedUntil: new Map() }
  const source = { checks, cloud, identity: { tenantId: 't', clientId: 'c' }, settings, endpoints, memory, env }
  return conclude(source, { status: 'failed', cached: false }, false)
}

/** The fix of each failed check and of the root cause. */
const fixesOf = ({ checks, rootCause }: ReturnType<typeof conclusionOf>) =>
  [rootCause, ...checks].flatMap((each) =>
    each?.fix === undefined
      ? []
      : [
          {
            ...each,
            cause: each.cause ?? '',
            fix: each.fix,
            said: `${each.cause} ${each.fix} ${JSON.stringify(each.change)}`,
          },
        ],
  )

// The tenant is a setting of the credential, so that its variable always has an effect.
const variables = Object.keys(overrideVariables).filter((name) => name !== 'PLATFORM_TENANT_ID')
const everyField = Object.values(overrideVariables) as readonly ChangeableField[]
const roles = /^(AUTHORITY|RESOURCE_MANAGER|METADATA|IDENTITY_ENDPOINT|SERVICE)_/
const rows = codes.flatMap((code) => (roles.test(code) ? [undefined] : ids).map((id) => [code, id] as const))

describe.each(Object.entries(sources))('With %s', (_name, env) => {
  const isFile = env === custom || (CUSTOM in env && !(OVERRIDE in env))
  test('no fix names a variable that is not set, but to set it, and none that has no effect', () => {
    const wrong = rows.flatMap(([code, id]) =>
      [{}, shaped].flatMap((evidence) =>
        fixesOf(conclusionOf(env, 'clientSecret', [failed(code, evidence, id)])).flatMap(({ said, change }) => {
          const named = variables.filter((variable) => new RegExp(`\\b${variable}\\b`).test(said))
          const isBuiltIn = Object.keys(env).length === 0
          const bad = named.filter((variable) => {
            if (isFile || isBuiltIn) return true
            return !Object.hasOwn(env, variable) && !new RegExp(`\\b[Ss]et ${variable}\\b`).test(said)
          })
          const elsewhere = change !== undefined && 'file' in change && change.file !== file ? [change.file] : []
          return [...bad, ...elsewhere].map((each) => `${code} at ${id} names ${each}: ${said}`)
        }),
      ),
    )
    expect([...new Set(wrong)].join('\n')).toBe('')
  })

  test.each(authModes)('no cause or fix of %s doubts a field that the cloud confirms', (mode) => {
    const proofs: readonly FoundCheck[] = ['resource-manager', 'key-vault', 'storage'].map((endpoint) => ({
      ...{ id: `${endpoint}.accepts-token`, status: 'pass', message: '', durationMs: 0, endpoint, layer: 'token' },
      proves: [...everyField, 'metadataEndpoint', 'serviceAudiences.arm'],
    }))
    const doubts =
      /URL is malformed|(path|name of [a-z ]+) is wrong|audience (does not )?belongs? to|another audience or|public cloud|different clouds/
    const wrong = rows.flatMap(([code, id]) =>
      [{}, shaped].flatMap((evidence) =>
        fixesOf(conclusionOf(env, mode, [failed(code, evidence, id), ...proofs])).flatMap(({ said, cause, fix }) => {
          const names = Object.keys(overrideVariables).filter((name) => said.includes(name))
          const isCorrected = fix.includes(`in ${file}`) && !fix.startsWith('Get the values')
          return [...names, ...(doubts.test(cause) ? ['cause'] : []), ...(isCorrected ? [file] : [])].map(
            (each) => `${code} at ${id} doubts ${each}: ${said}`,
          )
        }),
      ),
    )
    expect([...new Set(wrong)].join('\n')).toBe('')
  })

  test('no two fixes of one page contradict each other', () => {
    const pick = fc.tuple(fc.constantFrom(...codes), fc.constantFrom(...ids), fc.constantFrom({}, shaped))
    const proof = fc.constantFrom<readonly ChangeableField[]>([], ['authorityHost'], ['resourceManagerAudience'])
    fc.assert(
      fc.property(
        fc.array(pick, { minLength: 2, maxLength: 4 }),
        proof,
        fc.constantFrom(...authModes),
        (picked, proves, mode) => {
          const place = { endpoint: 'metadata', layer: 'answer' } as const
          const proven: FoundCheck = {
            id: 'metadata.matches-profile',
            status: 'pass',
            message: '',
            durationMs: 0,
            ...place,
            proves,
          }
          const fixes = fixesOf(
            conclusionOf(env, mode, [proven, ...picked.map(([code, id, given]) => failed(code, given, id))]),
          )
          const changes = new Map<string, Set<string>>()
          for (const { change } of fixes) {
            if (change?.value === undefined) continue
            const key = JSON.stringify({ ...change, value: undefined })
            changes.set(key, (changes.get(key) ?? new Set()).add(change.value))
          }
          const twice = [...changes].filter(([, values]) => values.size > 1).map(([key]) => key)
          expect(twice).toEqual([])
        },
      ),
    )
  })
})

test.each([
  ['tcp', /[Aa]llow traffic|open the firewall|Connect this host to the network/],
  ['dns', /DNS server that this machine uses/],
] as const)('no fix of a later layer blames %s, which passed', (layer, blame) => {
  const place = { endpoint: 'authority', layer }
  const passed: FoundCheck = { id: `authority.${layer}`, status: 'pass', message: '', durationMs: 0, ...place }
  const said = (['TIMEOUT', 'REFUSED', 'UNREACHABLE', 'RESET', 'RESPONSE_INVALID', 'TLS_FAILED'] as const).flatMap(
    (fault) =>
      [{}, shaped].flatMap((evidence) =>
        fixesOf(conclusionOf(custom, 'clientSecret', [passed, failed(`AUTHORITY_${fault}`, evidence, 'authority')])),
      ),
  )
  expect(said.map(({ fix }) => fix).filter((fix) => blame.test(fix))).toEqual([])
})
