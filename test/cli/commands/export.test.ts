import { describe, expect, test } from 'vitest'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { sourceShell } from '../../support/run-shell.ts'
import { runCommand } from '../run-command.ts'
import { parseEnv } from 'node:util'
import { formatEnvironment, shells } from '../../../src/cli/commands/enclave.ts'

describe('export', () => {
  test.each(['az', 'az-json'])('%s writes the export and nothing else to stdout', async (name) => {
    const secrets = { PLATFORM_CLIENT_SECRET: 'not-for-export', PLATFORM_PASSWORD: 'not-for-export' }
    const env = { PLATFORM_CLOUD: 'platform-us-gov-secret', ...secrets }
    const { code, stdout, stderr } = await runCommand(['export', name, ...(name === 'az' ? ['--force'] : [])], { env })
    expect(code).toBe(0)
    expect(stdout).toBe(exportFormats[name]?.render(resolveCloudProfile({ env })))
    expect(`${stdout}${stderr}`).not.toContain('not-for-export')
    expect(stderr).toMatch(/^warning PLACEHOLDER_FIELD/)
  })

  test.each(['az', 'powershell'])('%s is refused with placeholders, which it would configure', async (name) => {
    const { code, stdout, stderr } = await runCommand(['export', name, '--cloud', 'platform-us-gov-secret'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/Replace authorityHost, .* or give --force$/m)
    expect((await runCommand(['export', name, '--cloud', 'platform-us-government'])).code).toBe(0)
  })

  test('of the environment, sourced again, is a fixed point', async () => {
    const env = { PLATFORM_CLOUD: 'platform-commercial', PLATFORM_STORAGE_DNS_SUFFIX: '.blob.other.test' }
    const first = await runCommand(['export', 'env'], { env })
    const second = await runCommand(['export', 'env'], { env: sourceShell(first.stdout) })
    expect(second.stdout).toBe(first.stdout)
  })
})

const values = {
  PLAIN: 'https://localhost:1/',
  SECRET: "a~'&+%b|c<d>e^f(g)!h;i`j$k",
  PERCENT: '%PATH%',
  SPACES: String.raw`C:\Program Files\ca.pem`,
  TYPOGRAPHIC: 'a\u2018b\u2019c\u201ad\u201be',
}

describe('Variables for', () => {
  test('a POSIX shell are read back unchanged', () => {
    const all = { ...values, LINES: 'a\nb' }
    expect(sourceShell(formatEnvironment(all, 'posix'))).toMatchObject(all)
  })

  test('PowerShell have every kind of single quote twice', () => {
    const text = formatEnvironment(values, 'powershell')
    expect(text).toContain(`$env:SECRET = 'a~''&+%b|c<d>e^f(g)!h;i\`j$k'\n`)
    expect(text).toContain(`$env:TYPOGRAPHIC = 'a\u2018\u2018b\u2019\u2019c\u201a\u201ad\u201b\u201be'\n`)
  })

  test('cmd are lines of a batch file, with percent signs twice', () => {
    expect(formatEnvironment(values, 'cmd')).toContain(`set "SECRET=a~'&+%%b|c<d>e^f(g)!h;i\`j$k"\r\n`)
    expect(formatEnvironment(values, 'cmd')).toContain('set "PERCENT=%%PATH%%"\r\n')
    expect(() => formatEnvironment({ A: 'a" & calc "' }, 'cmd')).toThrow('cannot express')
  })

  test('an environment file have no quotes', () => {
    const text = formatEnvironment(values, 'env')
    expect(text).toContain(`SECRET=${values.SECRET}\n`)
    expect(parseEnv(text)).toEqual(values)
  })

  test.each(shells.filter((shell) => shell !== 'posix'))('%s cannot have a line break', (shell) => {
    for (const value of ['a\nb', 'a\rb', 'a\0b'])
      expect(() => formatEnvironment({ A: value }, shell)).toThrow('cannot express')
  })

  test.each(shells)('%s have valid names only', (shell) => {
    for (const name of ['A;rm -rf', '', '1A', 'A=B', 'A\nB'])
      expect(() => formatEnvironment({ [name]: 'x' }, shell)).toThrow('not a valid variable name')
  })
})
