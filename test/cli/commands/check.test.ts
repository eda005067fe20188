import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { runCommand } from '../run-command.ts'

const temp = useTemporaryDirectory()
const valid = resolveCloudProfile({ name: 'platform-us-government', env: {} })
const placeholder = resolveCloudProfile({ name: 'platform-us-gov-secret', env: {} })
const serviceDnsSuffixes = { ...valid.serviceDnsSuffixes, keyVault: 'vault.test' }
const broken = { ...valid, authorityHost: 'https://login.test', serviceDnsSuffixes }

interface JsonReport {
  readonly files: readonly { path: string; status: string; findings: readonly Record<string, string>[] }[]
  readonly summary: object
}

const checkJson = async (files: readonly string[], ...options: string[]) => {
  const { code, stdout } = await runCommand(['check', '--format', 'json', ...options, ...files])
  return { code, report: JSON.parse(stdout) as JsonReport }
}

test('the exit code is 0 when every file passes, and 1 for warnings with --strict', async () => {
  const files = [temp.write('valid.json', valid), temp.write('placeholder.json', placeholder)]
  const { code, stdout, stderr } = await runCommand(['check', ...files])
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^ok {4}.*valid\.json$/m)
  expect(stdout).toMatch(/warn PLACEHOLDER_FIELD: .*authorityHost/)
  expect(stdout).toMatch(/^warn {2}1 passed, 1 with warnings, 0 failed in \d+ ms$/m)
  const strict = await checkJson(files, '--strict')
  expect(strict).toMatchObject({ code: 1, report: { summary: { files: 2, failed: 1, withWarnings: 1 } } })
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
  const codes = [...Array<string>(5).fill('PROFILE_UNREADABLE'), 'PROFILE_INVALID', undefined]
  expect(report.files.map(({ findings }) => findings[0]?.['code'])).toStrictEqual(codes)
})

test('the environment has no effect', async () => {
  const file = temp.write('broken.json', broken)
  const env = { PLATFORM_AUTHORITY_HOST: 'https://login.test/', PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true' }
  const { stdout } = await runCommand(['check', '--format', 'json', file], { env })
  expect((JSON.parse(stdout) as JsonReport).files[0]?.findings).toHaveLength(2)
})
