import { describe, expect, test } from 'vitest'
import { exportFormats } from '../../src/lib/export/export-formats.ts'
import { fieldPaths } from '../../src/lib/profile/field-path.ts'
import { resolveCloudProfile } from '../../src/lib/profile/resolve-cloud-profile.ts'
import { sourceShell } from '../lib/export/run-shell.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { runInProcess } from './run-in-process.ts'
import { useProfileCommand } from './run-profile.ts'

const runProfile = useProfileCommand()
const temp = useTemporaryDirectory()

describe('the command line', () => {
  test.each([
    ['profile', ['--help']],
    ['a command', ['discover', '--help']],
  ])('the help of %s goes to stdout', async (_name, args) => {
    const { code, stdout, stderr } = await runProfile(args)
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage: npm run profile -- /)
  })

  test.each<[string, string[], RegExp]>([
    ['no command', [], /^Usage: npm run profile/],
    ['an unknown command', ['exprt'], /^Unknown command "exprt"\. Did you mean export\?/],
    ['a file that is missing', ['export', 'env', '--profile', '/missing.json'], /"\/missing\.json" does not exist/],
  ])('%s ends with one readable message and 2', async (_name, args, message) => {
    const { code, stdout, stderr } = await runProfile(args)
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test.each<[string, string[], RegExp]>([
    ['an unknown export format', ['export', 'pyton'], /^Unknown format "pyton"\. Did you mean python\?/],
    ['a name of Object', ['export', 'constructor'], /^Unknown format "constructor"\./],
    ['a command of Object', ['constructor'], /^Unknown command "constructor"\./],
    ['no export format', ['export'], /^Name one format: env, az, az-json/],
    ['two export formats', ['export', 'az', 'env'], /^Name one format/],
    ['an unknown report format', ['check', '--format', 'yaml', 'x'], /^--format must be one of text, json, sarif, but/],
    ['nothing to check', ['check'], /Name at least one profile file/],
    ['an unknown cloud', ['explain', '--cloud', 'platform-comercial'], /Did you mean platform-commercial\?/],
    ['a cloud and a file', ['explain', '--cloud', 'platform-commercial', '--profile', 'x'], /not both/],
    ['an empty file name', ['explain', '--profile', ' '], /needs the path of a file/],
    ['no endpoint', ['discover'], /Give one resource manager endpoint/],
    ['two endpoints', ['discover', 'https://a.test', 'https://b.test'], /Give one resource manager endpoint/],
    ['an empty name', ['discover', 'https://a.test', '--name', ' '], /--name needs a name/],
    ['an unknown option', ['drift', '--strict'], /^Unknown option '--strict'/],
    ['a misspelt option', ['drift', '--formt', 'json'], /^Unknown option '--formt'\. Did you mean '--format'\?/],
    ['an option without its value', ['drift', '--format'], /--format/],
  ])('%s is a usage error', async (_name, args, message) => {
    await expect(runInProcess(args)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(message) as string,
    })
  })

  test.each<[string, string[], string]>([
    ['an endpoint that is no address', ['discover', 'management.test'], 'ARGUMENT_INVALID'],
    ['a cloud without metadata', ['drift', '--cloud', 'platform-us-gov-secret'], 'METADATA_NOT_CONFIGURED'],
  ])('%s has its code', async (_name, args, code) => {
    await expect(runInProcess(args)).rejects.toMatchObject({ code })
  })
})

describe('explain', () => {
  const env = {
    PLATFORM_CLOUD: 'platform-commercial',
    PLATFORM_RESOURCE_MANAGER_AUDIENCE: 'https://primary.test/',
    PLATFORM_ARM_AUDIENCE: 'https://alias.test/',
  }

  test('shows value, source and the values beaten', async () => {
    const { code, stdout, stderr } = await runProfile(['explain'], { env })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^resourceManagerAudience +https:\/\/primary\.test\/ +PLATFORM_RESOURCE_MANAGER_AUDIENCE +https:\/\/alias\.test\/ \(PLATFORM_ARM_AUDIENCE\), https:\/\/management\.azure\.com\/ \(built-in platform-commercial\)$/m,
    )
    expect(stdout).not.toContain('\u001b')
    expect(stderr).toMatch(/^warning ARM_AUDIENCE_DIFFERS: /m)
  })

  test('as JSON holds the whole profile, which resolves to itself when saved', async () => {
    const { stdout } = await runProfile(['explain', '--format', 'json'], { env })
    const explained = JSON.parse(stdout) as { profile: object; fields: Record<string, unknown> }
    expect(Object.keys(explained.fields).every((path) => fieldPaths.some((known) => known === path))).toBe(true)
    expect(explained.fields['resourceManagerAudience']).toMatchObject({ beat: { length: 2 } })
    const file = temp.write('explained.json', explained.profile)
    expect(resolveCloudProfile({ customProfilePath: file, env: {} })).toStrictEqual(explained.profile)
  })

  test('of a named cloud is not overruled by a file of the environment', async () => {
    const args = ['explain', '--cloud', 'platform-us-government']
    const { stdout } = await runProfile(args, { env: { CUSTOM_CLOUD_PROFILE_PATH: '/missing.json' } })
    expect(stdout).toMatch(/^built-in platform-us-government\n/)
  })

  test('lets no text of a file reach the terminal as a control sequence', async () => {
    const profile = resolveCloudProfile({ env: {} })
    const file = temp.write('hostile.json', { ...profile, notes: 'a\u2028b\u202ec\u2066d' })
    const { stdout } = await runProfile(['explain', '--profile', file])
    expect(stdout).toMatch(/^notes +a b c d /m)
  })
})

describe('export', () => {
  test.each(['az', 'az-json'])('%s writes the export and nothing else to stdout', async (name) => {
    const env = {
      PLATFORM_CLOUD: 'platform-us-gov-secret',
      PLATFORM_CLIENT_SECRET: 'not-for-export',
      PLATFORM_PASSWORD: 'not-for-export',
    }
    const { code, stdout, stderr } = await runProfile(['export', name], { env })
    expect(code).toBe(0)
    expect(stdout).toBe(exportFormats[name]?.render(resolveCloudProfile({ env })))
    expect(`${stdout}${stderr}`).not.toContain('not-for-export')
    expect(stderr).toMatch(/^warning PLACEHOLDER_FIELD/)
  })

  test('of the environment, sourced again, is a fixed point', async () => {
    const env = { PLATFORM_CLOUD: 'platform-commercial', PLATFORM_STORAGE_DNS_SUFFIX: '.blob.other.test' }
    const first = await runProfile(['export', 'env'], { env })
    const second = await runProfile(['export', 'env'], { env: sourceShell(first.stdout) })
    expect(second.stdout).toBe(first.stdout)
  })
})
