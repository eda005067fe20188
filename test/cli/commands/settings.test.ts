import { describe, expect, test } from 'vitest'
import { settingRows } from '../../../src/lib/variables.ts'
import { runInProcess } from '../run-in-process.ts'
import sample from '../../../local.settings.sample.json' with { type: 'json' }

interface View {
  readonly name: string
  readonly value: string | null
  readonly from: string
  readonly isSet: boolean
  readonly secret: boolean
  readonly problem?: string
}
const secret = 'Planted-Secret-7c1f'
const env = {
  AUTH_MODE: 'clientSecret',
  PLATFORM_CLOUD: 'platform-commercial',
  PLATFORM_AUTHORITY_HOST: `https://user:${secret}@login.enclave.test/`,
  PLATFORM_CLIENT_SECRET: secret,
  PLATFORM_HOST_KEY: secret,
  PLATFORM_PASSWORD: secret,
  PORT: ' ',
}
const list = async (variables: Record<string, string>, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await runInProcess(['settings', '--format', 'json', ...args], { env: variables })
  const { settings } = JSON.parse(stdout) as { settings: readonly View[] }
  return { code, stderr, settings, named: (name: string) => settings.find((each) => each.name === name) }
}

describe('settings', () => {
  test('of the sample file have their defaults', () => {
    const defaults = Object.fromEntries(settingRows.map((row) => [row.name, row.default]))
    const { PLATFORM_CLOUD, PLATFORM_LOG_LEVEL, PORT } = defaults
    expect(sample.Values).toMatchObject({ PLATFORM_CLOUD, PLATFORM_LOG_LEVEL })
    expect(String(sample.Host.LocalHttpPort)).toBe(PORT)
  })

  test('lists every setting with its source, and no secret', async () => {
    const { code, settings, named } = await list(env)
    expect(code).toBe(0)
    expect(settings.map(({ name }) => name)).toEqual(settingRows.map(({ name }) => name))
    expect(named('PLATFORM_CLOUD')).toMatchObject({ value: 'platform-commercial', from: 'environment', isSet: true })
    expect(named('PORT')).toMatchObject({ value: '3000', from: 'default', isSet: false })
    expect(named('PLATFORM_CLIENT_SECRET')).toMatchObject({ value: '[redacted]', secret: true, isSet: true })
    expect(named('SMOKE_TEST_SCHEDULE')?.from).toMatch(/^derived from /)
    expect(JSON.stringify(settings)).not.toContain(secret)
  })

  test('names every value that is not valid, and an unknown variable', async () => {
    const { code, stderr, named } = await list({ PORT: '-1', AUTH_MODE: 'kerberos', PLATFORM_CLUOD: 'x' })
    expect(code).toBe(2)
    expect(named('PORT')?.problem).toMatch(/^PORT must be a whole number/)
    expect(stderr).toMatch(/^PORT must be .*$/m)
    expect(stderr).toMatch(/^AUTH_MODE must be one of .*$/m)
    expect(stderr).toContain('PLATFORM_CLOUD')
  })

  test('a secret with two sources is a problem of its setting', async () => {
    const both = { PLATFORM_PASSWORD: secret, PLATFORM_PASSWORD_PATH: '/run/secrets/password' }
    const { code, stderr, named } = await list(both)
    const problem = 'PLATFORM_PASSWORD and PLATFORM_PASSWORD_PATH are both set: keep one'
    expect([code, named('PLATFORM_PASSWORD')?.problem]).toEqual([2, problem])
    expect(stderr.match(/are both set/g)).toHaveLength(1)
  })

  test('as text is a table that fits the terminal', async () => {
    const { stdout } = await runInProcess(['settings'], { env })
    expect(stdout).toMatch(/^Setting +Value +From +Meaning$/m)
    expect(stdout).not.toContain('SMOKE_TEST_SCHEDULE')
    expect((await runInProcess(['settings', '--all'], { env })).stdout).toContain('SMOKE_TEST_SCHEDULE')
    expect(stdout).toMatch(/^PLATFORM_CLOUD +platform-commercial +environment +Name of a built-in profile$/m)
    expect(stdout).not.toContain(secret)
    const narrow = await runInProcess(['settings'], { env, columns: 60 })
    expect(Math.max(...narrow.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
  })
})
