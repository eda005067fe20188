import { expect, test } from 'vitest'
import { supportText } from '../../src/page/details.ts'
import { samples, withHostileProfile } from '../support/sample-reports.ts'

test('the support report says verdict, cause, fix, who answers, checks, profile and runtime, a line each', () => {
  const { report, profile } = samples.failed
  const lines = supportText(report, profile).split('\n')
  for (const line of [
    'verdict: Failed',
    'code: AUTHORITY_UNTRUSTED',
    `cause: ${report.rootCause?.cause}`,
    `fix: ${report.rootCause?.fix}`,
    'hosts: login.microsoftonline.us',
    'issuer: "Enclave Root CA 2"',
    'version: 2.0.0',
    'host: enclave-worker-7',
    'checked: 2026-11-21 02:10:00 UTC',
    'profile: platform-us-government (built-in platform-us-government)',
    'auth mode: clientSecret, ClientSecretCredential',
    'token: failed, AUTHORITY_UNTRUSTED, 127 ms',
    'passed: 19 checks',
    'fail resource-manager.challenge: What resource-manager.challenge says [CHALLENGE_AUDIENCE_MISMATCH] (0 ms)',
    'authorityHost: https://login.microsoftonline.us/',
    'tenantId: 7d1c8f6e-2f0a-4b54-9a7e-0c5f2f8f9b10 (PLATFORM_TENANT_ID)',
    'last scheduled run: fail, profiles only, 2026-11-21 02:00:00 UTC',
    'proxy: no',
  ]) {
    expect(lines).toContain(line)
  }
})

test('the support report says each thing once', () => {
  for (const { report, profile } of Object.values(samples)) {
    const lines = supportText(report, profile).split('\n')
    expect(new Set(lines).size).toBe(lines.length)
    const { message, cause, fix } = report.rootCause ?? {}
    const told = [message, cause, fix].filter((text) => text !== undefined)
    expect(told.map((text) => lines.filter((line) => line.includes(text)).length)).toEqual(told.map(() => 1))
  }
})

test('no value can forge a line of the support report', () => {
  const { report, profile } = withHostileProfile((path) => `${path}\nstate: OK\r\nstate: OK`, 'failed')
  const lines = supportText(report, profile).split('\n')
  expect(lines.filter((line) => line.startsWith('verdict: '))).toEqual(['verdict: Failed'])
})
