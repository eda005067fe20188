import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Log } from 'sarif'
import { describe, expect, test } from 'vitest'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { lineOfField } from '../../../src/cli/commands/check.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { runCommand } from '../run-in-process.ts'
import { useProfileCommand } from '../run-profile.ts'

const runProfile = useProfileCommand()
const temp = useTemporaryDirectory()
const valid = resolveCloudProfile({ name: 'platform-us-government', env: {} })
const placeholder = resolveCloudProfile({ name: 'platform-us-gov-secret', env: {} })
const broken = {
  ...valid,
  authorityHost: 'https://login.test',
  serviceDnsSuffixes: { ...valid.serviceDnsSuffixes, keyVault: 'vault.test' },
}

interface JsonReport {
  readonly files: readonly { path: string; status: string; findings: readonly Record<string, string>[] }[]
  readonly summary: object
}

const checkJson = async (files: readonly string[], ...options: string[]) => {
  const { code, stdout } = await runCommand(['check', '--format', 'json', ...options, ...files])
  return { code, report: JSON.parse(stdout) as JsonReport }
}

describe('exit codes', () => {
  test('0 when every file passes, warnings or not', async () => {
    const files = [temp.write('valid.json', valid), temp.write('placeholder.json', placeholder)]
    const { code, stdout, stderr } = await runCommand(['check', ...files])
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^ok {4}.*valid\.json$/m)
    expect(stdout).toMatch(/warn PLACEHOLDER_FIELD: .*authorityHost/)
    expect(stdout).toMatch(/^warn {2}1 passed, 1 with warnings, 0 failed in \d+ ms$/m)
  })

  test('1 when warnings are to fail', async () => {
    const { code, report } = await checkJson([temp.write('placeholder.json', placeholder)], '--strict')
    expect(code).toBe(1)
    expect(report.summary).toStrictEqual({ files: 1, failed: 1, withWarnings: 1 })
  })
})

test('prints what smoke-test prints, with cause and fix, failures first', async () => {
  const files = [temp.write('valid.json', valid), temp.write('broken.json', broken)]
  const checked = await runCommand(['check', ...files])
  const tested = await runCommand(['smoke-test', ...files.flatMap((file) => ['--profile', file])])
  const comparable = (text: string) => text.replace(/\d+ ms/, '').replace(files[0] ?? '', valid.name)
  expect(comparable(checked.stdout)).toBe(comparable(tested.stdout))
  expect(checked.stdout).toMatch(/^FAIL .*\n {6}PROFILE_INVALID: [^]*\n {6}Cause: .*\n {6}Fix: {3}.*\nok /)
  expect(checked.code).toBe(tested.code)
})

test('each problem is a finding with its field', async () => {
  const { report } = await checkJson([temp.write('broken.json', { ...broken, portalURL: 'https://x.test' })])
  expect(report.files[0]?.findings).toMatchObject([
    { level: 'error', code: 'PROFILE_INVALID', field: 'authorityHost', message: /must end with "\/"/ },
    { level: 'error', code: 'PROFILE_INVALID', field: 'serviceDnsSuffixes.keyVault' },
    { level: 'warning', code: 'UNKNOWN_FIELD', field: 'portalURL', message: /portalUrl\?/ },
  ])
})

test.each([
  ['UNKNOWN_FIELD', 'services.serviceBuss', { services: { serviceBuss: { url: 'https://x.test/' } } }],
  ['UNKNOWN_FIELD', 'absent.0', { absent: ['serviceBuss'] }],
  ['TENANT_UNUSUAL', 'tenantId', { tenantId: 'contoso' }],
  [
    'GUID_TENANT_WITH_FEDERATION_SERVICE',
    'tenantId',
    { authorityHost: 'https://login.test/adfs/', tenantId: '11111111-2222-3333-4444-555555555555' },
  ],
])('%s has the field that it is about: %s', async (code, field, change) => {
  const { report } = await checkJson([temp.write('warned.json', { ...valid, ...change })])
  expect(report.files[0]?.findings).toContainEqual(expect.objectContaining({ level: 'warning', code, field }))
})

test('files that cannot be read are findings, and do not end the run', async () => {
  const loop = join(temp.path, 'loop.json')
  symlinkSync(loop, loop)
  const files = [
    join(temp.path, 'missing.json'),
    temp.path,
    loop,
    temp.write('empty.json', ''),
    temp.write('cut.json', '{"name": "se'),
    temp.write('list.json', []),
    temp.write('valid.json', valid),
  ]
  const { code, report } = await checkJson(files)
  expect(code).toBe(1)
  expect(report.files.map(({ findings }) => findings[0]?.['code'])).toStrictEqual([
    ...Array.from({ length: 5 }, () => 'PROFILE_UNREADABLE'),
    'PROFILE_INVALID',
    undefined,
  ])
})

test('the environment has no effect', async () => {
  const file = temp.write('broken.json', broken)
  const env = {
    PLATFORM_AUTHORITY_HOST: 'https://login.test/',
    PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true',
    AZURE_AUTHORITY_HOST: 'x',
  }
  const { stdout } = await runCommand(['check', '--format', 'json', file], { env })
  expect((JSON.parse(stdout) as JsonReport).files[0]?.findings).toHaveLength(2)
})

describe('sarif', () => {
  test('names tool, rules, files and lines', async () => {
    mkdirSync(join(temp.path, 'profiles'))
    temp.write('profiles/broken one.json', JSON.stringify(broken, undefined, 2))
    temp.write('profiles/valid.json', valid)
    const args = ['check', '--format', 'sarif', 'profiles/broken one.json', 'profiles/valid.json', '/missing.json']
    const { code, stdout } = await runProfile(args, { cwd: temp.path })
    expect(code).toBe(1)
    const [run] = (JSON.parse(stdout) as Log).runs
    expect(run?.tool.driver).toMatchObject({ name: 'cloud-profile-service' })
    expect(run?.tool.driver.rules?.map(({ id }) => id)).toStrictEqual(['PROFILE_INVALID', 'PROFILE_UNREADABLE'])
    const lines = JSON.stringify(broken, undefined, 2).split('\n')
    const at = (field: string) => lines.findIndex((line) => line.includes(`"${field}"`)) + 1
    const found = run?.results?.map(({ ruleId, level, locations }) => {
      const location = locations?.[0]?.physicalLocation
      return [ruleId, level, location?.artifactLocation?.uri, location?.region?.startLine]
    })
    expect(found).toStrictEqual([
      ['PROFILE_INVALID', 'error', 'profiles/broken%20one.json', at('authorityHost')],
      ['PROFILE_INVALID', 'error', 'profiles/broken%20one.json', at('keyVault')],
      ['PROFILE_UNREADABLE', 'error', pathToFileURL('/missing.json').href, 1],
    ])
  })

  test('a run without findings is a valid log without results', async () => {
    const { code, stdout } = await runCommand(['check', '--format', 'sarif', temp.write('valid.json', valid)])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ version: '2.1.0', runs: [{ results: [] }] })
  })

  test('a field inside a group is searched from its group on', () => {
    const text = '{\n "notes": "keyVault",\n "keyVault": 1,\n "serviceAudiences": {\n  "keyVault": "x" } }'
    expect(lineOfField(text, 'serviceAudiences.keyVault')).toBe(5)
    expect(lineOfField(text, 'tenantId')).toBe(1)
  })
})
