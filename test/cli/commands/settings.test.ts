import { describe, expect, test } from 'vitest'
import { settingRows } from '../../../src/lib/variables.ts'
import { runCommand } from '../run-command.ts'
import sample from '../../../local.settings.sample.json' with { type: 'json' }

type View = Readonly<Record<'name' | 'from', string>> & { readonly problem?: string }
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
  const { code, stdout, stderr } = await runCommand(['settings', '--format', 'json', ...args], { env: variables })
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

  test('as text is a table of what is set, and with --all of the rest', async () => {
    const { stdout } = await runCommand(['settings'], { env })
    expect(stdout).toMatch(/^Setting +Value +From +Meaning$/m)
    expect(stdout).not.toContain('SMOKE_TEST_SCHEDULE')
    expect((await runCommand(['settings', '--all'], { env })).stdout).toContain('SMOKE_TEST_SCHEDULE')
    expect(stdout).toMatch(/^PLATFORM_CLOUD +platform-commercial +environment +Name of a built-in profile$/m)
    expect(stdout).not.toContain(secret)
  })
})
