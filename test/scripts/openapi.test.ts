import type { CloudName } from '../../src/lib/index.ts'
import { expect, test } from 'vitest'
import { builtInProfileNames } from '../../src/lib/clouds/known-clouds.ts'
import { resolveCloudProfile } from '../../src/lib/cloud.ts'
import { reportHealth } from '../../src/lib/service/health.ts'
import { enclave } from '../support/sample-profiles.ts'
import { contractProblems } from '../support/contract.ts'
import { samples } from '../support/sample-reports.ts'

const profiles = [
  enclave,
  ...builtInProfileNames.map((name) => resolveCloudProfile({ name: name as CloudName, env: {} })),
]

test.each(Object.entries(samples))('the sample report %s keeps to the schema', (_name, { report }) => {
  expect(contractProblems('DiagnosticsReport', report)).toEqual([])
  expect(contractProblems('DiagnosticsReport', { ...report, extra: 1 })).not.toEqual([])
})

test.each(profiles.map((profile) => [profile.name, profile] as const))(
  'the profile %s keeps to the schema',
  (_name, profile) => {
    expect(contractProblems('CloudProfile', profile)).toEqual([])
  },
)

test('the health report keeps to the schema', () => {
  const sound = { profile: 'platform-us-government', warnings: [] }
  const report = { status: 'failed', checkedAt: '2026-11-21T02:10:00.000Z' } as const
  const smokeTest = samples.ok.report.smokeTest ?? undefined
  for (const profileInvalid of [true, false]) {
    const health = reportHealth({ ...sound, token: { status: 'failed' }, report, smokeTest, profileInvalid })
    expect(contractProblems('HealthReport', { ...health, version: '2.0.0' })).toEqual([])
  }
})
