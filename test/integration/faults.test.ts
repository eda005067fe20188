import { describe, expect, test } from 'vitest'
import type { EnclaveAuthMode, Fault, FaultTarget } from '../../src/enclave/enclave.ts'
import type { Env } from '../../src/lib/base/env.ts'
import { createService } from '../../src/lib/service/service.ts'
import { faultTitle, loginFaults, reportFaults } from '../support/fault-table.ts'
import { contractProblems } from '../support/contract.ts'
import { contradictionsOf } from '../support/contradictions.ts'
import { useEnclave } from '../support/use-enclave.ts'

interface Row {
  /** What an operator is told first. */
  readonly code: string
  readonly fault?: Fault
  readonly target?: FaultTarget
  readonly mode?: EnclaveAuthMode
  readonly env?: Env
  readonly what?: string
}

/** Milliseconds of one attempt: short where only the deadline ends it, long enough for a busy machine elsewhere. */
const deadlineOf = ({ fault }: Row) => (/^(silent|silent-tls|slow-drip)$/.test(fault?.kind ?? '') ? 1500 : 120_000)

const rows: readonly Row[] = [
  ...loginFaults,
  ...reportFaults,
  { code: 'CLIENT_SECRET_INVALID', env: { PLATFORM_CLIENT_SECRET: 'wrong' }, what: 'a wrong secret' },
  {
    code: 'CLIENT_UNKNOWN',
    env: { PLATFORM_CLIENT_ID: '00000000-0000-0000-0000-000000000000' },
    what: 'an unknown client',
  },
  { code: 'TENANT_UNKNOWN', fault: { kind: 'aadsts', number: 90002, error: 'invalid_request' } },
  { code: 'RESOURCE_UNKNOWN', fault: { kind: 'aadsts', number: 500011, error: 'invalid_resource' } },
  { code: 'CONDITIONAL_ACCESS', fault: { kind: 'aadsts', number: 53003, error: 'access_denied' } },
  { code: 'TOKEN_AUDIENCE_MISMATCH', fault: { kind: 'wrong-audience' }, target: 'login/token' },
  { code: 'TOKEN_TENANT_MISMATCH', fault: { kind: 'wrong-tenant' }, target: 'login/token' },
  { code: 'TOKEN_EXPIRED', fault: { kind: 'expired-token' }, target: 'login/token' },
  { code: 'CLOCK_SKEW', fault: { kind: 'clock-skew', seconds: 900 } },
  { code: 'RESOURCE_MANAGER_REJECTED_TOKEN', fault: { kind: 'rejects-token' } },
  { code: 'RESOURCE_MANAGER_REFUSED', fault: { kind: 'refused' }, target: 'resource-manager' },
  { code: 'RESOURCE_MANAGER_UNTRUSTED', fault: { kind: 'untrusted-ca' }, target: 'resource-manager' },
  { code: 'CHALLENGE_AUTHORITY_MISMATCH', fault: { kind: 'foreign-challenge' }, target: 'resource-manager' },
  { code: 'USER_REJECTED', mode: 'usernamePassword', env: { PLATFORM_PASSWORD: 'wrong' }, what: 'a wrong password' },
  { code: 'CREDENTIAL_SETTING_MISSING', env: { PLATFORM_CLIENT_SECRET: '' }, what: 'no secret' },
  {
    code: 'CREDENTIAL_FILE_UNREADABLE',
    mode: 'clientCertificate',
    env: { PLATFORM_CLIENT_CERTIFICATE_PATH: '/nowhere.pem' },
    what: 'no certificate file',
  },
  {
    code: 'CREDENTIAL_FILE_UNREADABLE',
    mode: 'workloadIdentity',
    env: { PLATFORM_FEDERATED_TOKEN_FILE: '/nowhere' },
    what: 'no token file',
  },
  { code: 'CLI_NOT_INSTALLED', mode: 'platformCli', env: { PATH: '/nowhere' }, what: 'no command-line tool' },
  {
    code: 'CLI_NOT_INSTALLED',
    mode: 'platformCli',
    env: { PATH: '/nowhere', KUBERNETES_SERVICE_HOST: '10.0.0.1' },
    what: 'no command-line tool in a pod',
  },
  {
    code: 'PLACEHOLDER_PROFILE',
    env: { CUSTOM_CLOUD_PROFILE_PATH: '', PLATFORM_CLOUD: 'platform-us-gov-secret' },
    what: 'placeholders',
  },
  {
    code: 'AUTHORITY_DNS_FAILED',
    env: { PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true', PLATFORM_AUTHORITY_HOST: 'https://login.nowhere.test/' },
    what: 'a host without an address',
  },
]

const running = useEnclave()
const open = (row: Row) => {
  const { mode = 'clientSecret', env = {} } = row
  const { cloud, files } = running
  const variables = { ...cloud.environment(mode, files), PLATFORM_TOKEN_TIMEOUT_MS: String(deadlineOf(row)), ...env }
  return createService(variables).diagnostics(() => undefined)
}

/** The tool is found through the environment of this process. */
async function withPath<T>(path: string | undefined, work: () => Promise<T>): Promise<T> {
  const before = process.env['PATH']
  if (path !== undefined) process.env['PATH'] = path
  try {
    return await work()
  } finally {
    process.env['PATH'] = before
  }
}

/** What is told where there is no value but a name. */
const withoutValue: Readonly<Record<string, string>> = {
  CLI_NOT_INSTALLED: '"az"',
  PLACEHOLDER_PROFILE: 'serviceAudiences.arm',
}

/** The nodes of the connection diagram that the root cause blames; of every other code the login authority. */
const redNodes: Readonly<Record<string, readonly string[]>> = {
  CLOCK_SKEW: ['workload'],
  CREDENTIAL_SETTING_MISSING: ['workload'],
  CREDENTIAL_FILE_UNREADABLE: ['workload'],
  CLI_NOT_INSTALLED: ['workload'],
  PLACEHOLDER_PROFILE: ['workload'],
  RESOURCE_MANAGER_REJECTED_TOKEN: ['resource-manager'],
  CHALLENGE_AUTHORITY_MISMATCH: ['resource-manager'],
  // The metadata of the enclave is on the host of the resource manager.
  RESOURCE_MANAGER_REFUSED: ['resource-manager', 'metadata'],
  RESOURCE_MANAGER_UNTRUSTED: ['resource-manager', 'metadata'],
}

const named = rows.map((row) => ({ ...row, name: row.what ?? (row.fault && faultTitle({ ...row, fault: row.fault })) }))

describe('diagnostics name the one right code', () => {
  test.each(named)('$name: $code', async (row) => {
    if (row.fault !== undefined) await running.cloud.setFault(row.fault, row.target)
    const diagnostics = await open(row)
    const started = performance.now()
    const report = await withPath(row.env?.['PATH'], () => diagnostics.report())
    expect(performance.now() - started).toBeLessThan(deadlineOf(row) + 45_000)
    expect(report.rootCause?.code).toBe(row.code)
    expect(report.status).toBe('failed')
    const { message = '', fix = '', evidence = {} } = report.rootCause ?? {}
    const proofs = [...Object.values(evidence), ...(row.code in withoutValue ? [withoutValue[row.code]] : [])]
    expect(proofs.filter((value) => value !== undefined && `${message} ${fix}`.includes(value))).not.toEqual([])
    const ofOneCause = new Set(report.rootCause?.checks)
    expect(report.checks.filter(({ id, status }) => status === 'fail' && !ofOneCause.has(id))).toEqual([])
    const failed = [...report.checks.filter(({ status }) => status === 'fail'), report.token.error ?? {}]
    expect(failed.filter((each) => Object.keys(each).length > 0 && !('fix' in each && 'cause' in each))).toEqual([])
    expect(JSON.stringify(report)).not.toContain('UNEXPECTED')
    expect(contradictionsOf(report)).toEqual([])
    const red = (report.diagram ?? []).filter((node) => node.status === 'fail').map(({ id }) => id)
    // Within a short deadline, a busy machine reaches no other host either.
    const judged = deadlineOf(row) === 1500 ? red.filter((id) => id === 'authority') : red
    expect(judged).toEqual(redNodes[row.code] ?? ['authority'])
    expect(contractProblems('DiagnosticsReport', report)).toEqual([])

    expect((await diagnostics.report()).checkedAt).toBe(report.checkedAt)
  })

  test.each<[what: string, row: Omit<Row, 'code'>, evidence: object, fix: RegExp]>([
    [
      'the CA that signed',
      { fault: { kind: 'untrusted-ca' } },
      { issuer: '"Another Root"' },
      /NODE_EXTRA_CA_CERTS.*Another Root/,
    ],
    [
      'the day it expired',
      { fault: { kind: 'expired-certificate' } },
      { validTo: expect.stringMatching(/^2\d{3}-/) },
      /expired on 2\d{3}-/,
    ],
    ['the names it holds', { fault: { kind: 'wrong-name' } }, { names: 'another-host.enclave.test' }, /another-host/],
    [
      'where it leads',
      { fault: { kind: 'redirect' } },
      { location: expect.stringMatching(/^https:/) },
      /redirects to https:/,
    ],
    ['the seconds to wait', { fault: { kind: 'status-429' } }, { retryAfterSeconds: '3600' }, /Wait 3600 s/],
    [
      'what a ticket needs',
      { env: { PLATFORM_CLIENT_SECRET: 'wrong' } },
      {
        errorNumber: 'AADSTS7000215',
        correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        traceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        tenantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        clientId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
      /PLATFORM_CLIENT_SECRET/,
    ],
    [
      'that nobody installs a tool in a pod',
      { mode: 'platformCli', env: { PATH: '/nowhere', KUBERNETES_SERVICE_HOST: '10.0.0.1' } },
      { container: 'yes' },
      /^Set AUTH_MODE .*webhook of the cluster/,
    ],
    [
      'what a federated credential must be registered with',
      {
        mode: 'workloadIdentity',
        fault: { kind: 'aadsts', number: 70021, error: 'invalid_client' },
        target: 'login/token',
      },
      {
        errorNumber: 'AADSTS70021',
        assertionIssuer: expect.stringMatching(/^https:/),
        assertionSubject: expect.stringMatching(/^system:serviceaccount:/),
        assertionAudience: expect.stringMatching(/^api:/),
      },
      /issuer https:\S+, subject system:serviceaccount:\S+ and audience api:/,
    ],
    [
      'the authority that the cloud names',
      { env: { PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true', PLATFORM_AUTHORITY_HOST: 'https://login.nowhere.test/' } },
      { host: 'login.nowhere.test' },
      /Set PLATFORM_AUTHORITY_HOST to https:\/\/localhost:\d+\//,
    ],
    [
      'the audience that the cloud names',
      {
        env: {
          PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true',
          PLATFORM_RESOURCE_MANAGER_AUDIENCE: 'https://management.azure.com/',
        },
      },
      { errorNumber: 'AADSTS500011' },
      /Set PLATFORM_RESOURCE_MANAGER_AUDIENCE to https:\/\/management\.enclave\.test\//,
    ],
  ])('the root cause shows %s', async (_what, row, evidence, fix) => {
    if (row.fault !== undefined) await running.cloud.setFault(row.fault, row.target)
    const { rootCause } = await (await open({ code: '', ...row })).report()
    expect(rootCause?.evidence).toMatchObject(evidence)
    expect(rootCause?.fix).toMatch(fix)
  })

  test.each([
    ['html', 'a page of HTML or XML'],
    ['empty', 'an empty body'],
    ['invalid-json', 'a body that is not JSON'],
  ] as const)('%s in place of an answer is reported as %s', async (kind, told) => {
    await running.cloud.setFault({ kind })
    const { rootCause } = await (await open({ code: '' })).report()
    expect(rootCause?.message).toContain(`returned 200 with ${told}`)
  })

  test.each<[Fault, FaultTarget | undefined]>([
    [{ kind: 'wrong-audience' }, undefined],
    [{ kind: 'rejects-token' }, undefined],
    [{ kind: 'foreign-issuer' }, undefined],
    [{ kind: 'foreign-challenge' }, 'resource-manager'],
    [{ kind: 'expired-token' }, undefined],
  ])('the fix of %j leaves alone what passed', async (fault, target) => {
    await running.cloud.setFault(fault, target)
    const { checks, rootCause } = await (await open({ code: '' })).report()
    expect(checks).toContainEqual(expect.objectContaining({ id: 'metadata.matches-profile', status: 'pass' }))
    expect(rootCause?.fix).not.toMatch(
      /^(Set|Correct) (`?(resourceManagerAudience|authorityHost)|PLATFORM_(AUTHORITY|RESOURCE)|the clock)/,
    )
  })

  test('an expired token is never reported as valid', async () => {
    await running.cloud.setFault({ kind: 'expired-token' })
    const { token } = await (await open({ code: '' })).report()
    expect(Date.parse(token.expiresOn ?? '')).toBeLessThan(Date.now())
  })

  test('an untrusted CA is one cause for all hosts that it signed for', async () => {
    await running.cloud.setFault({ kind: 'untrusted-ca' }, 'login')
    await running.cloud.setFault({ kind: 'untrusted-ca' }, 'resource-manager')
    const { rootCause } = await (await open({ code: '' })).report()
    const { authorityHost, resourceManagerEndpoint } = running.cloud
    expect(rootCause?.hosts).toEqual([authorityHost, resourceManagerEndpoint].map((url) => new URL(url).host))
  })

  test('for more than twenty-five distinct faults and codes', () => {
    expect(new Set(rows.map(({ code }) => code)).size).toBeGreaterThan(25)
  })
})
