import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enclaveAuthModes } from 'cloud-profile-enclave/choices'
import type { EnclaveAuthMode, FaultChoice, FaultTarget } from 'cloud-profile-enclave/enclave'
import type { Env } from '../../src/lib/base/env.ts'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { createService } from '../../src/lib/service/service.ts'
import { settingRows } from '../../src/lib/variables.ts'
import { contractProblems } from '../support/contract.ts'
import { contradictionsOf } from '../support/contradictions.ts'
import { loginFaults, reportFaults } from '../support/fault-table.ts'
import { useEnclave } from '../support/use-enclave.ts'

// Every fault of the enclave, with its mode and one of the others in turn: the one right code, the rules of every fix, and a report that does
// not contradict itself. fault-matrix.test.ts has the code of every fault with every mode.

interface Situation {
  /** The root cause with `mode`. With other modes only the rules are checked. */
  readonly code: string
  readonly fault?: FaultChoice
  readonly target?: FaultTarget
  /** Default is clientSecret. */
  readonly mode?: EnclaveAuthMode
  readonly env?: Env
  /** The nodes of the diagram that are red, where they are more or others than the login authority. */
  readonly red?: readonly string[]
  /** What the fix of the root cause says. */
  readonly fix?: RegExp
  /** What neither this fix nor that of another failed check says. */
  readonly never?: RegExp
  readonly change?: object
}

const running = useEnclave()
// The command-line tool signs in by itself, and a sign-in by a person has no token to check before its approval.
const modes = enclaveAuthModes.filter((mode) => !['platformCli', 'default', 'deviceCode'].includes(mode))

/** The library reads the identity endpoint of the process, and keeps it. */
const identityVariables = ['IDENTITY_ENDPOINT', 'IDENTITY_HEADER'] as const
const before = identityVariables.map((name) => [name, process.env[name]] as const)
beforeAll(() => {
  const settings = running.cloud.environment('managedIdentity', running.files)
  for (const name of identityVariables) process.env[name] = settings[name]
})
afterAll(() => {
  for (const [name, value] of before) {
    if (value === undefined) Reflect.deleteProperty(process.env, name)
    else process.env[name] = value
  }
})

/** As an authority without numbers refuses a client: a federation service. */
const withoutNumber: FaultChoice = {
  kind: 'replaced-status',
  status: 401,
  body: { error: 'invalid_client', error_description: 'MSIS9605: The client is not allowed to access the resource.' },
}
const aadsts = (number: number, error = 'invalid_client'): FaultChoice => ({ kind: 'aadsts', number, error })
const refusal = (fault: FaultChoice, mode: EnclaveAuthMode, code: string): Situation => ({
  fault,
  target: mode === 'deviceCode' ? 'login/device-code' : 'login/token',
  mode,
  code,
})
const ofIdentity = (fault: FaultChoice, code: string): Situation => ({
  fault,
  target: 'managed-identity',
  mode: 'managedIdentity',
  code,
  red: ['identity-endpoint'],
})
const workload = { red: ['workload'] }
const operator = /operator of localhost/
const clock = /this machine's clock/
const firewall = /firewall|Allow traffic/
const profileFile = /`\w+(\.\w+)*` in \S+\.json/
/** What the fix says, by the fault. */
const fixes: Readonly<Record<string, Pick<Situation, 'fix' | 'never'>>> = {
  'silent-tls': { fix: /MTU/, never: /Allow traffic/ },
  'slow-drip': { fix: operator, never: firewall },
  'not-yet-valid-certificate': { fix: operator, never: clock },
  'missing-intermediate': { fix: /send the intermediate CA/ },
  'clock-skew': { fix: clock },
}
const rejection = (code: string, fix: RegExp, never: RegExp): Situation => ({
  code: 'RESOURCE_MANAGER_REJECTED_TOKEN',
  fault: { kind: 'replaced-status', status: 401, body: { error: { code } } },
  target: 'resource-manager/subscriptions',
  red: ['resource-manager'],
  fix,
  never,
})
// The metadata of the enclave is on the host of the resource manager.
const redNodes: Readonly<Record<string, readonly string[]>> = {
  CLOCK_SKEW: ['workload'],
  RESOURCE_MANAGER_REJECTED_TOKEN: ['resource-manager'],
  CHALLENGE_AUTHORITY_MISMATCH: ['resource-manager'],
  RESOURCE_MANAGER_REFUSED: ['resource-manager', 'metadata'],
  RESOURCE_MANAGER_UNTRUSTED: ['resource-manager', 'metadata'],
}

const situations: readonly Situation[] = [
  ...[...loginFaults, ...reportFaults].map((row) => ({
    ...row,
    red: redNodes[row.code] ?? ['authority'],
    ...fixes[row.fault.kind],
  })),
  refusal(withoutNumber, 'clientSecret', 'CLIENT_SECRET_INVALID'),
  refusal(withoutNumber, 'clientCertificate', 'CLIENT_ASSERTION_REJECTED'),
  refusal(withoutNumber, 'workloadIdentity', 'CLIENT_ASSERTION_REJECTED'),
  refusal(withoutNumber, 'usernamePassword', 'CLIENT_NOT_PUBLIC'),
  refusal(withoutNumber, 'deviceCode', 'CLIENT_NOT_PUBLIC'),
  refusal(aadsts(7000218), 'usernamePassword', 'CLIENT_NOT_PUBLIC'),
  refusal(aadsts(7000218), 'deviceCode', 'CLIENT_NOT_PUBLIC'),
  refusal(aadsts(7000112, 'unauthorized_client'), 'clientSecret', 'SIGN_IN_NOT_ALLOWED'),
  refusal(aadsts(700027), 'clientCertificate', 'CLIENT_ASSERTION_REJECTED'),
  refusal(aadsts(70021), 'workloadIdentity', 'CLIENT_ASSERTION_REJECTED'),
  ofIdentity({ kind: 'refused' }, 'IDENTITY_ENDPOINT_REFUSED'),
  ofIdentity({ kind: 'not-found' }, 'IDENTITY_ENDPOINT_NOT_FOUND'),
  ofIdentity({ kind: 'html' }, 'IDENTITY_ENDPOINT_RESPONSE_INVALID'),
  ofIdentity({ kind: 'redirect' }, 'IDENTITY_ENDPOINT_REDIRECTED'),
  ofIdentity({ kind: 'huge-body' }, 'IDENTITY_ENDPOINT_RESPONSE_TOO_LARGE'),
  ofIdentity({ kind: 'status-500' }, 'IDENTITY_ENDPOINT_HTTP_ERROR'),
  {
    ...ofIdentity(
      {
        kind: 'replaced-status',
        status: 400,
        body: { error: 'invalid_request', error_description: 'Identity not found' },
      },
      'MANAGED_IDENTITY_REJECTED',
    ),
    fix: /ssign a/,
  },
  { ...ofIdentity({ kind: 'replaced-status', status: 403 }, 'MANAGED_IDENTITY_REJECTED'), fix: /IDENTITY_HEADER/ },
  { ...refusal(aadsts(7000222), 'clientSecret', 'CLIENT_SECRET_INVALID'), fix: /has expired/ },
  { code: 'CLIENT_SECRET_INVALID', env: { PLATFORM_CLIENT_SECRET: '"wrong"' }, fix: /quotes/, never: /^Create/ },
  { code: 'CLIENT_SECRET_INVALID', env: { PLATFORM_CLIENT_SECRET: 'wrong ' }, fix: /blanks/, never: /^Create/ },
  { code: 'AUTHORITY_TIMEOUT', fault: { kind: 'silent' }, target: 'login/token', fix: operator, never: firewall },
  {
    code: 'AUTHORITY_NOT_FOUND',
    fault: { kind: 'not-found' },
    target: 'login/token',
    fix: operator,
    never: /error number/,
  },
  {
    code: 'ISSUER_MISMATCH',
    fault: { kind: 'replaced-fields', fields: { issuer: 'https://login.microsoftonline.com/x/v2.0' } },
    target: 'login/openid-configuration',
    fix: /Commercial cloud/,
  },
  rejection('InvalidAuthenticationTokenAudience', /InvalidAuthenticationTokenAudience/, profileFile),
  rejection('InvalidAuthenticationTokenTenant', /tenant of the subscription/, profileFile),
  rejection('ExpiredAuthenticationToken', /operator of localhost:\d+ to synchronize its clock/, clock),
  ofIdentity({ kind: 'wrong-tenant' }, 'TOKEN_TENANT_MISMATCH'),
  {
    code: 'CLIENT_SECRET_INVALID',
    env: { PLATFORM_CLIENT_SECRET: 'wrong' },
    fault: {
      kind: 'replaced-fields',
      fields: { authentication: { loginEndpoint: 'https://login.microsoftonline.com/', audiences: ['https://management.azure.com/'] } }, // prettier-ignore
    },
    target: 'resource-manager/metadata',
  },
  { ...workload, code: 'CLI_NOT_INSTALLED', mode: 'platformCli', env: { PATH: '/nowhere' } },
  {
    ...workload,
    code: 'CLI_NOT_INSTALLED',
    env: { AUTH_MODE: '', PATH: '/nowhere' },
    change: { variable: 'AUTH_MODE', value: 'clientSecret' },
  },
  {
    ...workload,
    code: 'PLACEHOLDER_PROFILE',
    env: { CUSTOM_CLOUD_PROFILE_PATH: '', PLATFORM_CLOUD: 'platform-us-gov-secret' },
  },
]

const cases = situations.flatMap(({ mode: own = 'clientSecret', ...situation }, index) => {
  const { fault = { kind: 'none' }, target = 'its place', env = {} } = situation
  const title = [...Object.values(fault).map((value) => JSON.stringify(value)), target, ...Object.values(env)].join(' ')
  // No authority refuses a credential that it was not sent.
  const isOfMode = /^CLIENT_(SECRET|ASSERTION|NOT)/.test(situation.code) || situation.target === 'managed-identity'
  const others = modes.includes(own) && !isOfMode ? modes.filter((mode) => mode !== own) : []
  const other = others.slice(index % others.length).slice(0, 1)
  return [own, ...other].map((mode) => ({
    ...situation,
    title,
    mode,
    isOwn: mode === own,
  }))
})

/** Milliseconds of one attempt: short where only the deadline ends it, long enough for a busy machine elsewhere. */
const deadlineOf = ({ fault }: Situation) =>
  /^(silent|silent-tls|slow-drip)$/.test(fault?.kind ?? '') ? 1500 : 120_000

async function reportOf(situation: Situation & { readonly mode: EnclaveAuthMode }): Promise<DiagnosticsReport> {
  const { fault, target, mode, env = {} } = situation
  if (fault !== undefined) await running.cloud.setFault(fault, target)
  const known: Env = running.cloud.environment(mode, running.files)
  // The command-line tool is found through the environment of this process.
  const path = process.env['PATH']
  process.env['PATH'] = env['PATH'] ?? path
  const deadline = { PLATFORM_TOKEN_TIMEOUT_MS: String(deadlineOf(situation)) }
  const diagnostics = await createService({ ...known, ...deadline, ...env }).diagnostics(() => undefined)
  return diagnostics.report().finally(() => (process.env['PATH'] = path))
}

type Advised = Pick<DiagnosticsReport['checks'][number], 'id' | 'fix' | 'change'>

/** Every fix of a report. */
const advice = ({ checks, rootCause, token }: DiagnosticsReport): readonly Advised[] => [
  ...checks.filter(({ status, fix }) => (status === 'fail' || status === 'warn') && fix !== undefined),
  ...(rootCause === undefined ? [] : [{ ...rootCause, id: rootCause.checks.at(-1) ?? '' }]),
  ...(token.error === undefined ? [] : [{ ...token.error, id: 'token.acquired' }]),
]

/** Every variable of a credential, and those that a mode reads. */
const ofCredentials = settingRows
  .map(({ name }) => name)
  .filter((name) => /^PLATFORM_(CLIENT_SECRET|CLIENT_CERTIFICATE|FEDERATED|USERNAME|PASSWORD)/.test(name))
const readBy: Readonly<Partial<Record<EnclaveAuthMode, RegExp>>> = {
  clientSecret: /^PLATFORM_CLIENT_SECRET/,
  clientCertificate: /^PLATFORM_CLIENT_CERTIFICATE/,
  workloadIdentity: /^PLATFORM_FEDERATED/,
  usernamePassword: /^PLATFORM_(USERNAME|PASSWORD)/,
}

const layers = ['dns', 'tcp', 'tls'] as const
/** Words of a fix that blame a layer of the network. */
const blame: Readonly<Record<(typeof layers)[number], RegExp>> = {
  dns: /\b(add the name|DNS server|private DNS zone)/i,
  tcp: /\b(allow traffic from|open the firewall|connect this host to the network)/i,
  tls: /\b(NODE_EXTRA_CA_CERTS|renew its certificate|path MTU)/i,
}

/** The rules of every fix, each with the fixes that break it. */
function brokenRules(report: DiagnosticsReport, mode: EnclaveAuthMode): Readonly<Record<string, readonly Advised[]>> {
  const given = advice(report)
  const passed = (id: string) => report.checks.some((check) => check.id === id && check.status === 'pass')
  const proven = passed('metadata.matches-profile')
    ? ['authorityHost', 'resourceManagerEndpoint', 'resourceManagerAudience']
    : []
  const strange = mode === 'platformCli' ? [] : ofCredentials.filter((name) => readBy[mode]?.test(name) !== true)
  const isCorrect = given.some(({ fix = '' }) => fix.includes('The profile is correct'))
  return {
    'changes a proven field': given.filter(
      ({ change, fix = '' }) =>
        (change !== undefined && 'field' in change && proven.includes(change.field)) ||
        proven.some((field) => fix.includes(`\`${field}\` in `)),
    ),
    'sets a value of another cloud': given.filter(({ change }) =>
      /microsoftonline|chinacloudapi|azure\.com/.test(change?.value ?? ''),
    ),
    'blames a layer that passed': given.filter(({ id, fix = '' }) => {
      const issuer = mode === 'managedIdentity' ? 'identity-endpoint' : 'authority'
      const endpoint = id.startsWith('token.') ? issuer : id.split('.')[0]
      return layers.some((layer) => blame[layer].test(fix) && passed(`${endpoint}.${layer}`))
    }),
    'corrects what another fix calls correct': given.filter(
      ({ fix = '' }) => isCorrect && /\b(?:Correct|set) (?:the \w+ (?:and \w+ )?of )?`authorityHost`/i.test(fix),
    ),
    'names a credential of another mode': given.filter(({ fix = '' }) => strange.some((name) => fix.includes(name))),
  }
}

const nothingBroken = Object.fromEntries(Object.keys(brokenRules({ checks: [], token: {} } as unknown as DiagnosticsReport, 'default')).map((rule) => [rule, []])) // prettier-ignore

describe('A diagnosis', () => {
  test.each(cases)('of $title with $mode ($code)', async (situation) => {
    const { mode, code, isOwn, red, fix, never, change } = situation
    const started = performance.now()
    const report = await reportOf(situation)
    expect(performance.now() - started).toBeLessThan(deadlineOf(situation) + 45_000)
    expect(brokenRules(report, mode)).toEqual(nothingBroken)
    expect(contradictionsOf(report)).toEqual([])
    expect(contractProblems('DiagnosticsReport', report)).toEqual([])
    expect(JSON.stringify(report)).not.toContain('UNEXPECTED')
    const failed = report.checks.filter(({ status }) => status === 'fail')
    expect(failed.filter(({ fix, cause }) => fix === undefined || cause === undefined)).toEqual([])
    if (!isOwn) return
    expect([report.rootCause?.code, report.status]).toEqual([code, 'failed'])
    expect(report.rootCause?.fix).toMatch(fix ?? /./)
    expect(report.rootCause).toMatchObject(change === undefined ? {} : { change })
    expect(advice(report).filter((each) => never?.test(each.fix ?? ''))).toEqual([])
    const ofOneCause = new Set(report.rootCause?.checks)
    expect(failed.filter(({ id }) => !ofOneCause.has(id))).toEqual([])
    const shown = (report.diagram ?? []).filter((node) => node.status === 'fail').map(({ id }) => id)
    // Within a short deadline, a busy machine reaches no other host either.
    expect(deadlineOf(situation) === 1500 ? shown.filter((id) => id === 'authority') : shown).toEqual(
      red ?? ['authority'],
    )
  })

  test.each<[what: string, situation: Partial<Situation>, evidence: object, fix: RegExp]>([
    [
      'the names of a certificate',
      { fault: { kind: 'wrong-name' } },
      { names: 'another-host.enclave.test' },
      /another-host/,
    ],
    ['the seconds to wait', { fault: { kind: 'status-429' } }, { retryAfterSeconds: '3600' }, /Wait 3600 s/],
    [
      'what a ticket needs',
      { env: { PLATFORM_CLIENT_SECRET: 'wrong' } },
      {
        errorNumber: 'AADSTS7000215',
        correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        traceId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        tenantId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        clientId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      },
      /PLATFORM_CLIENT_SECRET/,
    ],
    [
      'that no tool is installed in a pod',
      { mode: 'platformCli', env: { PATH: '/nowhere', KUBERNETES_SERVICE_HOST: '10.0.0.1' } },
      { container: 'yes' },
      /^Set AUTH_MODE .*webhook of the cluster/,
    ],
  ])('shows %s', async (_what, situation, evidence, fix) => {
    const { rootCause } = await reportOf({ code: '', mode: 'clientSecret', ...situation })
    expect(rootCause?.evidence).toMatchObject(evidence)
    expect(rootCause?.fix).toMatch(fix)
  })

  test('of an expired token never reports it as valid', async () => {
    const { token } = await reportOf({ code: '', mode: 'clientSecret', fault: { kind: 'expired-token' } })
    expect(Date.parse(token.expiresOn ?? '')).toBeLessThan(Date.now())
  })
})
