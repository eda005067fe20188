import type { PageInput } from '../../src/page/page.ts'
import type { TokenOutcome } from '../../src/lib/auth/token-cache.ts'
import { createReportAssembler } from '../../src/lib/diagnostics/assemble-report.ts'
import { configuredEndpoints } from '../../src/lib/diagnostics/endpoint-table.ts'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import type { Check } from '../../src/lib/diagnostics/run.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import type { CloudProfile } from '../../src/lib/clouds/cloud-profile.ts'
import type { ExplainedProfile } from '../../src/lib/profile/explained-profile.ts'
import { fieldPaths, withValueAt } from '../../src/lib/profile/field-path.ts'
import { valueAt } from '../../src/lib/base/json.ts'
import { explainProfile } from '../../src/lib/profile/resolve-cloud-profile.ts'
import { resolveProvider } from '../../src/lib/profile/identity-provider.ts'
import { readSettings } from '../../src/lib/settings/settings.ts'
import { failed, passed, placed } from './verdict-of.ts'

// Reports of runs with known checks, as the product assembles them. Only process, runtime and time are fixed.

const checkedAt = '2026-11-21T02:10:00.000Z'
const at = Date.parse(checkedAt)
const tenantId = '7d1c8f6e-2f0a-4b54-9a7e-0c5f2f8f9b10'

const pass = (id: string, message: string, durationMs = 0): Check => passed(id, { message, durationMs })

/** The checks of a host in a diagnostics run. `test/browser/reading.test.ts` compares the ids with the product's. */
const hostChecks = (group: string, host: string, response: string): readonly Check[] => {
  const validTo = group === 'key-vault' ? '2026-12-09T00:00:00.000Z' : '2027-03-03T00:00:00.000Z'
  const certificate = { subject: host, issuer: 'Enclave Issuing CA 1', validFrom: '2026-03-02T00:00:00.000Z', validTo }
  const tls = pass(`${group}.tls`, 'TLSv1.3, certificate issued by "Enclave Issuing CA 1", expires in 102 days', 24)
  return [
    pass(`${group}.proxy`, `No proxy variable applies to ${host}`),
    pass(`${group}.dns`, `${host} resolves to 20.140.232.7 and 3 more`, 3),
    pass(`${group}.tcp`, `${host} accepts connections on port 443`, 11),
    { ...tls, certificate },
    pass(`${group}.${response}`, `${host} returned the expected response`, 96),
  ]
}

const login = 'login.microsoftonline.us'
const management = 'management.usgovcloudapi.net'

const passing: readonly Check[] = [
  ...hostChecks('authority', login, 'document'),
  pass('authority.issuer', 'The issuer is on the host of the authority'),
  pass('authority.token-endpoint', 'The token endpoint is on a host that may receive credentials'),
  pass('authority.clock', 'The local clock agrees with the login authority'),
  ...hostChecks('resource-manager', management, 'challenge'),
  pass('metadata.document', `${management} returned the metadata of its cloud`, 61),
  pass('metadata.matches-profile', 'The metadata agrees with the profile'),
  ...hostChecks('key-vault', 'enclave-prod.vault.usgovcloudapi.net', 'challenge'),
  ...hostChecks('storage', 'enclaveprodlogs.blob.core.usgovcloudapi.net', 'challenge'),
  pass('token.acquired', 'A token was acquired', 41),
  pass('token.audience', 'The token is for the audience of the profile'),
  pass('token.tenant', 'The token is from the requested tenant'),
  pass('token.issuer', 'The issuer belongs to the authority of the profile'),
  pass('token.lifetime', 'The token is valid now'),
  pass('resource-manager.accepts-token', 'The resource manager accepts the token', 1240),
  pass('key-vault.accepts-token', 'The key vault accepts its token', 88),
  pass('storage.accepts-token', 'The storage account accepts its token', 93),
]

/** The same with some checks replaced, and the rest of a group after a failed one skipped. */
function withChecks(...replaced: readonly Check[]): readonly Check[] {
  const stopped = new Set<string>()
  return passing.map((check) => {
    const found = replaced.find(({ id }) => id === check.id) ?? check
    const [group = ''] = found.id.split('.')
    if (stopped.has(group)) return skipped(found.id, `Skipped: ${group} failed`)
    if (found.status === 'fail' && group !== 'token') stopped.add(group)
    return found
  })
}

const withoutToken = (checks: readonly Check[]) => checks.filter(({ id }) => !/^token\.(?!acquired)|accepts/.test(id))

function skipped(id: string, message: string): Check {
  return placed({ id, status: 'skip', message, durationMs: 0 })
}

const attempt = { startedAt: at, durationMs: 41, cached: false }
const ids = { appid: '2b0a9e0c-6a35-4d5e-8c55-1f8f0f6f4a21', oid: 'e5a3c1b7-90d2-4e6f-b1a8-37c4d9e2f605' }
const token = `h.${Buffer.from(JSON.stringify({ tid: tenantId, ...ids })).toString('base64url')}.s`
const expiresOnTimestamp = Date.parse('2026-11-21T02:52:58.000Z')
const acquired: TokenOutcome = { ...attempt, status: 'acquired', token: { token, expiresOnTimestamp } }
const outcomeOf = ({ code = 'UNEXPECTED', message, evidence }: Check): TokenOutcome => {
  return { ...attempt, status: 'failed', error: new ServiceError(code, message, { evidence }) }
}

interface Given extends Partial<Pick<DiagnosticsReport, 'warnings' | 'smokeTest'>> {
  readonly checks?: readonly Check[]
  readonly token?: TokenOutcome
}

function sample(env: Record<string, string>, { checks = passing, token = acquired, ...given }: Given = {}): PageInput {
  const settings = readSettings(env)
  const cloud = resolveProvider(explainProfile({ env }))
  const { warnings = cloud.warnings, smokeTest = scheduled('pass') } = given
  const context = { cloud, warnings, settings, env, log: () => {}, lastSmokeTest: () => undefined }
  const audience = cloud.profile.resourceManagerAudience
  const run = { token, checks, audience, plan: undefined, trace: [], checkedAt: new Date(checkedAt) }
  const report = createReportAssembler(context, configuredEndpoints(cloud.profile, settings))(run, smokeTest)
  const instance = { hostName: 'enclave-worker-7', process: '1018', startedAt: '2026-11-19T08:00:12.000Z' }
  const diagram = report.diagram.map((node) => (node.id === 'workload' ? { ...node, host: instance.hostName } : node))
  const variable = 'NODE_EXTRA_CA_CERTS'
  const added = [{ variable, status: 'loaded by the service', certificates: 1 }] as const
  const trustStore = { certificates: 146, sources: ['bundled' as const, variable] as const, added }
  const runtime = { node: 'v24.11.1', openssl: '3.5.4', fips: false, trustStore, proxy: false }
  const fixed = { diagram, version: '2.0.0', instance, runtime }
  return { profile: cloud, now: new Date(checkedAt), report: { ...report, ...fixed } }
}

const services = { PLATFORM_KEY_VAULT: 'enclave-prod', PLATFORM_STORAGE_ACCOUNT: 'enclaveprodlogs' }
const inCloud = { PLATFORM_CLOUD: 'platform-us-government', PLATFORM_TENANT_ID: tenantId }
const government = { AUTH_MODE: 'clientSecret', ...inCloud, ...services }
const secret = { PLATFORM_CLOUD: 'platform-us-gov-secret', AUTH_MODE: 'managedIdentity' }

const ca = { host: login, issuer: '"Enclave Root CA 2"', trustStore: '146 certificate authorities' }
const untrusted: Check = {
  ...failed('authority.tls', 'AUTHORITY_UNTRUSTED', ca),
  durationMs: 18,
  message:
    'The certificate of login.microsoftonline.us was issued under "Enclave Root CA 2", which is not trusted (SELF_SIGNED_CERT_IN_CHAIN). Node trusts 146 certificate authorities here; NODE_EXTRA_CA_CERTS is not set',
}
const refused = { ...failed('token.acquired', 'AUTHORITY_UNTRUSTED', { host: login }), message: untrusted.message }
const unreplaced = {
  ...failed('token.acquired', 'PLACEHOLDER_PROFILE'),
  message: 'No token was requested: authorityHost, resourceManagerAudience are placeholders',
}
const toReplace = 'login.secret.placeholder.invalid is a placeholder'
const skewed: Check = {
  ...failed('authority.clock', 'CLOCK_SKEW', { host: login }),
  status: 'warn',
  message: 'The local clock is 4 min behind the login authority',
}
const mismatch = failed('resource-manager.challenge', 'CHALLENGE_AUDIENCE_MISMATCH')
const ignored = {
  code: 'LIBRARY_VARIABLE_IGNORED',
  message: 'AZURE_AUTHORITY_HOST is ignored here: authorityHost of the profile (PLATFORM_AUTHORITY_HOST) decides',
} as const

function scheduled(status: 'pass' | 'fail'): DiagnosticsReport['smokeTest'] {
  const { id, message, durationMs } = refused
  const failure = { id, status: 'fail', code: 'AUTHORITY_UNTRUSTED', message, durationMs } as const
  const { warnings } = explainProfile({ env: secret })
  return {
    status,
    startedAt: '2026-11-21T02:00:00.000Z',
    durationMs: 812,
    results: [
      { profile: 'platform-commercial', status: 'pass', checks: [], warnings: [] },
      { profile: 'platform-us-government', status, warnings: [], checks: status === 'fail' ? [failure] : [] },
      { profile: 'platform-us-gov-secret', status: 'warn', checks: [], warnings },
    ],
  }
}

const prompt = {
  userCode: 'HJ7K-2QXP',
  verificationUri: 'https://login.microsoftonline.us/device',
  expiresOnTimestamp: Date.parse('2026-11-21T02:24:32.000Z'),
}

export const samples = {
  ok: sample(government),
  warning: sample(government, { checks: withChecks(skewed), warnings: [ignored] }),
  failed: sample(government, {
    token: { ...outcomeOf(refused), durationMs: 127, cached: true },
    checks: withoutToken(withChecks(untrusted, mismatch, refused)),
    smokeTest: scheduled('fail'),
  }),
  pending: sample(
    { ...government, AUTH_MODE: 'deviceCode' },
    {
      token: { ...attempt, status: 'pending', prompt },
      checks: withoutToken(withChecks(skipped('token.acquired', 'A person must approve the sign-in'))),
      smokeTest: null,
    },
  ),
  placeholder: sample(secret, {
    token: outcomeOf(unreplaced),
    checks: [skipped('authority.proxy', toReplace), skipped('authority.dns', toReplace), unreplaced],
  }),
} satisfies Record<string, PageInput>

/** Keys whose values are words of the report's type, never a text from outside. */
const fixed = new Set(['status', 'kind', 'by', 'role', 'glyph', 'edge', 'code', 'variable', 'selectedBy', 'checkedAt'])
/** Ids that the page treats in a special way. */
const ownIds = new Set(['workload', 'proxy', 'authority'])

function withText<T>(value: T, text: string): T {
  if (typeof value === 'string') return (ownIds.has(value) ? value : text) as T
  if (Array.isArray(value)) return value.map((each: unknown) => withText(each, text)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]: [string, unknown]) => {
    if (key === 'verificationUri') return [key, `javascript:alert(1)//${text}`]
    return [key, fixed.has(key) ? each : withText(each, text)]
  })
  return Object.fromEntries(entries) as T
}

/** Puts one text, made with the field's path, into every field of a profile, and another one into every text of its report. */
export function withHostileProfile(hostile: (path: string) => string, status: 'failed' | 'pending'): PageInput {
  const { profile: explained } = samples.ok
  let profile: CloudProfile = explained.profile
  const fields: Record<string, ExplainedProfile['fields'][keyof ExplainedProfile['fields']]> = {}
  for (const path of fieldPaths) {
    profile = withValueAt(profile, path, hostile(path))
    const value = String(valueAt(profile, path))
    const overridden = [{ value, by: 'derived' as const, from: hostile('from') }]
    fields[path] = { value, by: 'variable', from: hostile('path'), overridden }
  }
  const text = hostile('report')
  const { report } = samples.failed
  const token = { ...report.token, status, signIn: samples.pending.report.token.signIn }
  const shown = withText({ ...report, status, token } as DiagnosticsReport, text)
  return {
    profile: { ...explained, profile, fields, source: { kind: 'file', path: hostile('path') } },
    now: new Date(checkedAt),
    report: {
      ...shown,
      ...(shown.rootCause && { rootCause: { ...shown.rootCause, code: 'UNEXPECTED', evidence: { [text]: text } } }),
    },
    banner: text,
  }
}
