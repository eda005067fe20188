import { describe, expect, test } from 'vitest'
import { createReportAssembler } from '../../../src/lib/diagnostics/assemble-report.ts'
import type { FoundCheck } from '../../../src/lib/diagnostics/found-check.ts'
import type { DiagnosticsReport } from '../../../src/lib/diagnostics/report.ts'
import type { DiagnosticsRun } from '../../../src/lib/diagnostics/run-diagnostics.ts'
import { endpointTable } from '../../../src/lib/endpoints/endpoint-table.ts'
import { ServiceError, type ErrorCode } from '../../../src/lib/errors.ts'
import { findings } from '../../../src/lib/findings/catalogue.ts'
import { explainCloudProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'
import { fc } from '../../support/properties.ts'

const env = { PLATFORM_KEY_VAULT: 'vault', PLATFORM_STORAGE_ACCOUNT: 'data', HTTPS_PROXY: 'http://proxy.test:3128' }
const settings = readSettings(env)
const cloud = explainCloudProfile({ env })
const assemble = createReportAssembler({ cloud, settings, env, log: () => {}, lastSmokeTest: () => undefined })

const names = ['proxy', 'dns', 'tcp', 'tls', 'document', 'issuer', 'clock', 'challenge', 'accepts-token', 'acquired']
const ids = ['token', 'profile', ...endpointTable.map(({ id }) => id)].flatMap((id) =>
  names.map((name) => `${id}.${name}`),
)
const text = fc.oneof(
  fc.constantFrom('x:y', 'urn:a', 'mailto:a@b', 'https://login.test/', 'null/', 'NaN', '', '{host}', 'a b', '\u202e'),
  fc.string(),
)
const evidenceNames = [
  'challengeAuthority',
  'challengeAudience',
  'publishedAuthority',
  'publishedAudience',
  'skewSeconds',
  'host',
  'issuer',
  'proxy',
  'error',
]
const check: fc.Arbitrary<FoundCheck> = fc.record(
  {
    id: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: fc.string() }),
    status: fc.constantFrom('pass', 'warn', 'fail', 'skip'),
    message: text,
    durationMs: fc.oneof(fc.nat(), fc.double()),
    code: fc.oneof(fc.constantFrom(...(Object.keys(findings) as ErrorCode[])), fc.string() as fc.Arbitrary<ErrorCode>),
    cause: text,
    fix: text,
    evidence: fc.dictionary(fc.oneof(fc.constantFrom(...evidenceNames), fc.string()), text),
  },
  { requiredKeys: ['id', 'status', 'message', 'durationMs'] },
)
const attempted = { startedAt: 0, durationMs: 1, cached: false }
const token: fc.Arbitrary<DiagnosticsRun['token']> = fc.oneof(
  fc
    .record({ token: text, expiresOnTimestamp: fc.double() })
    .map((each) => ({ ...attempted, status: 'acquired' as const, token: each })),
  text.map((message) => ({
    ...attempted,
    status: 'failed' as const,
    error: new ServiceError('TOKEN_REJECTED', message),
  })),
  fc
    .record({ userCode: text, verificationUri: text, expiresOnTimestamp: fc.double() })
    .map((prompt) => ({ ...attempted, status: 'pending' as const, prompt: prompt as never })),
)
const run: fc.Arbitrary<DiagnosticsRun> = fc.record({
  token,
  checks: fc.array(check, { maxLength: 12 }),
  audience: text,
  plan: fc.constant(undefined),
  trace: fc.constant([]),
  checkedAt: fc.date({ noInvalidDate: false }),
})

const statuses = new Set(['ok', 'warning', 'failed', 'pending'])

/** What is wrong with a report as a whole. */
function problemsOf(report: DiagnosticsReport): string[] {
  const { status, checkedAt, rootCause } = report
  return [
    ...(statuses.has(status) ? [] : [`status ${status}`]),
    ...(Number.isNaN(Date.parse(checkedAt)) ? [`checkedAt ${checkedAt}`] : []),
    ...((status === 'failed') === (rootCause !== undefined)
      ? []
      : [`${status} with the root cause ${rootCause?.code}`]),
    ...(JSON.stringify(report).startsWith('{') ? [] : ['no JSON']),
  ]
}

describe('A report', () => {
  test('is assembled of any checks, conclusions and evidence', () => {
    fc.assert(
      fc.property(run, (each) => {
        expect(problemsOf(assemble(each, null))).toEqual([])
      }),
    )
  })

  test('of a run that is broken in any way is a failed report, never an error', () => {
    const part = fc.constantFrom(...(['token', 'checks', 'audience', 'plan', 'trace', 'checkedAt'] as const))
    fc.assert(
      fc.property(run, part, fc.constantFrom(undefined, null, {}, 7), (each, name, broken) => {
        const report = assemble({ ...each, [name]: broken } as DiagnosticsRun, null)
        const mustFail = name === 'token' || name === 'checks'
        expect([
          ...problemsOf(report),
          ...(mustFail && report.status !== 'failed' ? [`${name} is broken`] : []),
        ]).toEqual([])
      }),
    )
  })
})
