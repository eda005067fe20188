import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { metadataVersions, writeMetadata } from '../../src/lib/metadata/write-metadata.ts'
import { builtInProfileNames } from '../../src/lib/clouds/known-clouds.ts'
import { resolveCloudProfile } from '../../src/lib/cloud.ts'
import { reportHealth } from '../../src/lib/service/health.ts'
import { createOpenApi } from '../../scripts/generate/openapi.ts'
import { enclave } from '../lib/export/profiles.ts'
import { contractProblems } from '../support/contract.ts'
import { samples } from '../support/sample-reports.ts'

const profiles = [enclave, ...builtInProfileNames.map((name) => resolveCloudProfile({ name, env: {} }))]

test('docs/reference/openapi.json is what the schemas of the sources make', () => {
  const written = readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')
  expect(JSON.parse(written)).toEqual(createOpenApi())
})

test.each(Object.entries(samples))('the sample report %s keeps to the schema', (_name, { report }) => {
  expect(contractProblems('DiagnosticsReport', report)).toEqual([])
})

test.each(profiles.map((profile) => [profile.name, profile] as const))(
  'the profile %s keeps to the schema, and so does its metadata document in each version',
  (_name, profile) => {
    expect(contractProblems('CloudProfile', profile)).toEqual([])
    for (const version of metadataVersions) {
      const document = writeMetadata(profile, version)
      expect([version, ...contractProblems('PublishedMetadata', document)]).toEqual([version])
    }
  },
)

test('the health report keeps to the schema', () => {
  const sound = { profile: 'platform-us-government', warnings: [] }
  const report = { status: 'failed', checkedAt: '2026-11-21T02:10:00.000Z' } as const
  const smokeTest = samples.ok.report.smokeTest ?? undefined
  for (const profileInvalid of [true, false]) {
    const health = reportHealth({ ...sound, token: { status: 'failed' }, report, smokeTest, profileInvalid })
    expect(contractProblems('HealthReport', { ...health, version: '1.0.0' })).toEqual([])
  }
})

describe('A field that is not documented is found', () => {
  const { report } = samples.ok
  test.each<[schema: string, body: object]>([
    ['DiagnosticsReport', { ...report, extra: 1 }],
    ['DiagnosticsReport', { ...report, token: { ...report.token, accessToken: 'x' } }],
    ['DiagnosticsReport', { ...report, checks: [{ ...report.checks[0], evidence: {} }] }],
    ['DiagnosticsReport', { ...report, cloud: { ...report.cloud, notes: 'x' } }],
    ['DiagnosticsReport', { ...report, warnings: [{ code: 'NO_SUCH_WARNING', message: 'x' }] }],
    ['CloudProfile', { ...enclave, portal: 'x' }],
    ['CloudProfile', { ...enclave, serviceDnsSuffixes: { ...enclave.serviceDnsSuffixes, queue: '.x' } }],
    ['HealthReport', { status: 'pass', description: '', checks: { profile: [], token: [], diagnostics: [] } }],
    ['ProblemDetails', { type: 'about:blank', title: 'x', status: 500, code: 'UNEXPECTED', stack: 'x' }],
  ])('%s %#', (schema, body) => {
    expect(contractProblems(schema, body)).not.toEqual([])
  })
})
