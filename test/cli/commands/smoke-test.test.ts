import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatText } from '../../../src/cli/smoke-test-formats.ts'
import type { Env } from '../../../src/lib/base/env.ts'
import type { SmokeTestResult, SmokeTestRun } from '../../../src/lib/diagnostics/report.ts'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import { offline } from '../../support/environment.ts'
import { unreachableDocument } from '../../support/profile-document.ts'
import { runCommand } from '../run-command.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { elementsOf } from '../../support/well-formed-xml.ts'

const directory = useTemporaryDirectory()
const valid = directory.write('valid.json', unreachableDocument())
const invalid = directory.write('invalid.json', unreachableDocument({ name: '', notes: 'hunter2' }))
const named = unreachableDocument({ name: `</testsuite>&"'<x>`, displayName: ']]>' })
const hostile = directory.write('hostile.json', { ...named, ']]><b>&': 'x' })

const smokeTest = (args: readonly string[], env: Env = {}) => runCommand(['smoke-test', ...args], { env })
const runOf = (stdout: string) => JSON.parse(stdout) as SmokeTestRun

describe('Exit code and results', () => {
  test('--all checks the five built-ins and exits 0, with results on stdout and nothing on stderr', async () => {
    const { code, stdout, stderr } = await smokeTest(['--all'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const name of builtInProfileNames) expect(stdout).toContain(name)
    expect(stdout).toMatch(/2 passed, 3 with warnings, 0 failed in \d+ ms\n$/)
  })

  test('without any option, the profile that the environment selects is checked', async () => {
    const env = { CUSTOM_CLOUD_PROFILE_PATH: valid, PLATFORM_CLOUD: 'platform-commercial' }
    const { code, stdout } = await smokeTest(['--format', 'json'], env)
    expect(code).toBe(0)
    expect(runOf(stdout).results.map(({ profile }) => profile)).toEqual(['my-enclave'])
  })

  test('a misspelled variable is a warning, and fails with --strict', async () => {
    const env = { PLATFORM_AUTHORTY_HOST: 'https://x/' }
    const { code, stdout } = await smokeTest(['--format', 'json'], env)
    expect(runOf(stdout).results[0]).toMatchObject({ status: 'warn', warnings: [{ code: 'UNKNOWN_VARIABLE' }] })
    expect([code, (await smokeTest(['--strict'], env)).code]).toEqual([0, 1])
  })

  test.each([
    ['an unknown cloud', [], { PLATFORM_CLOUD: 'nope' }, /^Unsupported PLATFORM_CLOUD "nope"/],
    ['an invalid override', ['--cloud', 'platform-commercial'], { PLATFORM_STORAGE_DNS_SUFFIX: 'x' }, /_DNS_SUFFIX\)/],
    ['an invalid setting', [], { AUTH_MODE: 'x', PORT: 'y' }, /^AUTH_MODE must be .*\nPORT must be .*$/m],
  ] as const)('%s is exit code 2 with a message and no stack trace', async (_what, args, env, message) => {
    const ended = await smokeTest(args, env)
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: message })
    expect(ended.stderr).not.toMatch(/^\s+at /m)
  })

  test('--cloud and --profile may be repeated and mixed, and a name is meant even where a custom file is set', async () => {
    const args = ['--cloud', 'platform-commercial', '--cloud', 'platformstack-custom', '--profile', valid]
    const env = { CUSTOM_CLOUD_PROFILE_PATH: invalid, PLATFORM_PORTAL: 'x', PLATFORM_TENANT_ID: 'mine.example' }
    const { code, stdout } = await smokeTest([...args, '--format', 'json'], env)
    expect(code).toBe(0)
    expect(runOf(stdout).results.map(({ profile, status }) => [profile, status])).toEqual([
      // PLATFORM_PORTAL isn't a setting.
      ['platform-commercial', 'warn'],
      ['platformstack-custom', 'warn'],
      ['my-enclave', 'warn'],
    ])
  })

  test.each([
    [invalid, 'PROFILE_INVALID'],
    [join(directory.path, 'missing.json'), 'PROFILE_UNREADABLE'],
    ['/dev/zero', 'PROFILE_UNREADABLE'],
  ])('--profile %s is a failed result and exit code 1, and the others are checked all the same', async (path, code) => {
    const ended = await smokeTest(['--profile', path, '--profile', valid, '--format', 'json'])
    expect(ended.code).toBe(1)
    const { status, results } = runOf(ended.stdout)
    expect(status).toBe('fail')
    expect(results).toMatchObject([{ profile: path, status: 'fail', checks: [{ code }] }, { profile: 'my-enclave' }])
    expect(ended.stdout).not.toContain('hunter2')
  })

  test('--check-token: a failed token is exit code 1', async () => {
    const stdout = /PLACEHOLDER_PROFILE[^]*Cause: .*\n\s+Fix:/
    expect(await smokeTest(['--check-token'], offline)).toMatchObject({ code: 1, stdout, stderr: '' })
  })

  test('--all --check-token acquires it with the active profile only, and prints that profile once', async () => {
    const { code, stdout } = await smokeTest(['--check-token', '--all', '--format', 'json'], offline)
    expect(code).toBe(1)
    const asked = runOf(stdout).results.map(({ checks }) => checks.some(({ id }) => id === 'token.acquired'))
    expect(asked).toEqual([false, false, false, false, true])
    const names = runOf(stdout).results.map(({ profile }) => profile)
    expect(new Set(names).size).toBe(names.length)
  })
})

/** The text of one profile's result. */
const textOf = (width: number, result: Partial<SmokeTestResult>) => {
  const results = [{ profile: 'enclave', status: 'fail', checks: [], warnings: [], ...result } as const]
  return formatText({ status: 'fail', durationMs: 5, results }, { colors: false, width, verbose: false })
}

test('warnings of one kind have their fix once', () => {
  const warnings = ['a', 'b'].map((message) => ({ code: 'OVERRIDE_UNUSED', message }) as const)
  expect(textOf(200, { warnings }).match(/PLATFORM_OVERRIDE_CUSTOM_PROFILE=true/g)).toHaveLength(1)
})

test('a failure that the root cause does not explain is printed too', () => {
  const failed = { status: 'fail', durationMs: 1, fix: 'Add the CA' } as const
  const secret = { ...failed, id: 'token.acquired', code: 'CLIENT_SECRET_INVALID', message: 'refused' } as const
  const vault = { ...failed, id: 'vault.tls', code: 'SERVICE_UNTRUSTED', message: 'no trust' } as const
  const text = textOf(80, { checks: [secret, vault] })
  expect(text).toMatch(/CLIENT_SECRET_INVALID: refused[^]*Also SERVICE_UNTRUSTED: no trust\n +Fix: +Add the CA\n/)
})

test('the ids that a ticket needs follow the fix, and nothing is repeated', () => {
  const evidence = { host: 'login.test', correlationId: 'c-1', traceId: 't-1' }
  const found = {
    code: 'CLIENT_SECRET_INVALID',
    message: 'login.test refused it',
    cause: 'why',
    fix: 'Change it',
  } as const
  const text = textOf(30, { rootCause: { ...found, evidence, checks: ['token.acquired'] } })
  expect(text).toContain('Fix:   Change it\n      Evidence: correlationId\n      c-1, traceId t-1\n')
  expect(text).toContain('FAIL  0 passed, 0 with\n      warnings, 1 failed in 5\n      ms\n')
})

describe('Formats', () => {
  test('the text has every line of the message that --format json has', async () => {
    const broken = directory.write('broken.json', '{ "name": "x", }')
    const args = [invalid, broken, '/nowhere.json'].flatMap((file) => ['--profile', file])
    const { results } = runOf((await smokeTest([...args, '--format', 'json'])).stdout)
    const plain = (await smokeTest(args)).stdout.replaceAll(/\s+/g, ' ')
    const lines = results.flatMap(({ checks }) => checks.flatMap(({ message }) => message.split('\n')))
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.filter((line) => !plain.includes(line.trim()))).toEqual([])
  })

  test('--format junit is well-formed XML with a suite per profile, for any profile name', async () => {
    const { code, stdout } = await smokeTest(['--all', '--profile', hostile, '--profile', invalid, '--format', 'junit'])
    expect(code).toBe(1)
    const elements = elementsOf(stdout)
    expect(elements[0]).toBe('testsuites')
    expect(elements.filter((name) => name === 'testsuite')).toHaveLength(7)
    expect(elements.filter((name) => name === 'failure')).toHaveLength(1)
    expect(stdout).toContain('profile.valid')
  })

  test('--format junit --strict names the warnings that failed', async () => {
    const { stdout } = await smokeTest(['--cloud', 'platformstack-custom', '--strict', '--format', 'junit'])
    expect(elementsOf(stdout)).toContain('failure')
    expect(stdout).toContain('PLACEHOLDER_FIELD')
  })
})
