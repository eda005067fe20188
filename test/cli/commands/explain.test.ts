import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { valueAt } from '../../../src/lib/base/json.ts'
import { fieldPaths } from '../../../src/lib/profile/field-path.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { runCommand } from '../run-command.ts'
const temp = useTemporaryDirectory()

describe('explain', () => {
  const env = {
    PLATFORM_CLOUD: 'platform-commercial',
    PLATFORM_RESOURCE_MANAGER_AUDIENCE: 'https://primary.test/',
    PLATFORM_ARM_AUDIENCE: 'https://alias.test/',
  }

  test('shows the value, the source and the overridden values', async () => {
    const { code, stdout, stderr } = await runCommand(['explain'], { env })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^warning ARM_AUDIENCE_DIFFERS: /m)
    expect(stdout).toMatch(
      /^resourceManagerAudience +https:\/\/primary\.test\/ +PLATFORM_RESOURCE_MANAGER_AUDIENCE +https:\/\/alias\.test\/ \(PLATFORM_ARM_AUDIENCE\), https:\/\/management\.azure\.com\/ \(built-in platform-commercial\)$/m,
    )
  })

  test('prints at most 15 lines, and with --all every field', async () => {
    const lines = (text: string) => text.trimEnd().split('\n')
    for (const name of ['platform-us-government', 'platform-us-gov-secret', 'platform-commercial']) {
      const { stdout } = await runCommand(['explain', '--cloud', name])
      expect(lines(stdout).length).toBeLessThanOrEqual(15)
      expect(stdout.split('built-in').length - 1).toBeLessThanOrEqual(1)
      const all = await runCommand(['explain', '--cloud', name, '--all'])
      for (const path of ['name', 'serviceDnsSuffixes.sqlServer', 'serviceAudiences.arm'])
        expect(all.stdout).toMatch(new RegExp(`^${path} `, 'm'))
    }
  })

  test('as JSON contains the whole profile, which resolves to itself when saved', async () => {
    const { stdout } = await runCommand(['explain', '--format', 'json'], { env })
    const explained = JSON.parse(stdout) as { profile: object; fields: Record<string, unknown> }
    const present = fieldPaths.filter((path) => valueAt(explained.profile, path) !== undefined)
    expect(Object.keys(explained.fields)).toEqual(expect.arrayContaining(present))
    expect(explained.fields['resourceManagerAudience']).toMatchObject({ overridden: { length: 2 } })
    const file = temp.write('explained.json', explained.profile)
    expect(resolveCloudProfile({ customProfilePath: file, env: {} })).toEqual(explained.profile)
  })

  test('of a stack says that functions cannot run there, and warns of a managed identity', async () => {
    const stack = { PLATFORM_CLOUD: 'platformstack-custom', WEBSITE_INSTANCE_ID: 'instance' }
    const { code, stdout, stderr } = await runCommand(['explain', '--format', 'json'], { env: stack })
    expect([code, stderr]).toEqual([0, ''])
    const { notes, warnings } = JSON.parse(stdout) as Record<'notes' | 'warnings', readonly object[]>
    expect(notes).toMatchObject([{ code: 'FUNCTIONS_ON_STACK' }])
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'MANAGED_IDENTITY_ON_STACK' }))
    const text = /^warning MANAGED_IDENTITY_ON_STACK: .*clientCertificate[^]*\nnote FUNCTIONS_ON_STACK: /m
    expect((await runCommand(['explain'], { env: stack })).stderr).toMatch(text)
  })

  test('names what selected the profile and the mode', async () => {
    const env = { PLATFORM_CLOUD: 'platform-commercial', IDENTITY_ENDPOINT: 'http://127.0.0.1/' }
    const text = await runCommand(['explain'], { env })
    expect(text.stdout).toMatch(/^Selected by: PLATFORM_CLOUD\nAuth mode: managedIdentity \(from IDENTITY_ENDPOINT\)$/m)
    const json = await runCommand(['explain', '--format', 'json'])
    const byDefault = { selectedBy: 'default', authMode: 'platformCli', authModeFrom: 'default' }
    expect(JSON.parse(json.stdout)).toMatchObject(byDefault)
  })

  test('says whether instance discovery is disabled, why, and what credentials of each language set', async () => {
    const { stdout } = await runCommand(['explain', '--profile', 'cloud-profiles/known/bleu.json', '--all'])
    expect(stdout).toMatch(/^Instance discovery: disabled, because \S+login\.sovcloud-identity\.fr\/ is not one of /m)
    expect(stdout).toMatch(/^Python +authority +disable_instance_discovery=True *$/m)
    const json = await runCommand(['explain', '--format', 'json'])
    expect(JSON.parse(json.stdout)).toMatchObject({
      disableInstanceDiscovery: false,
      instanceDiscovery: { disabled: false, settings: { length: 5 } },
    })
  })

  test('shows the tenant in use beside that of a custom file, and warns of the difference', async () => {
    const file = temp.write('tenant.json', { ...resolveCloudProfile({ env: {} }), tenantId: 'own.test' })
    const env = { PLATFORM_TENANT_ID: 'other.test' }
    const { stdout, stderr } = await runCommand(['explain', '--profile', file], { env })
    expect(stdout).toMatch(/^Tenant in use: other\.test \(from PLATFORM_TENANT_ID; the profile has own\.test\)$/m)
    expect(stderr).toMatch(/^warning TENANT_DIFFERS: /m)
  })

  test('takes clouds from --known-clouds, and names the owner of a foreign value', async () => {
    const portalUrl = 'https://portal.one.test/'
    const folder = join(temp.write('clouds/one.json', { name: 'one', displayName: 'One', portalUrl }), '..')
    const file = temp.write('foreign.json', { ...resolveCloudProfile({ env: {} }), portalUrl })
    const { stderr } = await runCommand(['explain', '--profile', file, '--known-clouds', folder])
    expect(stderr).toContain('which belongs to One, but authorityHost belongs to the US Government cloud')
    const checked = await runCommand(['check', '--strict', '--known-clouds', folder, file])
    expect([checked.code, checked.stdout]).toEqual([1, expect.stringContaining('which belongs to One')])
  })

  test.each([[[]], [['--format', 'json']]])('%j with an invalid setting explains, and ends with 2', async (more) => {
    const ended = await runCommand(['explain', ...more], { env: { ...env, PORT: '99999' } })
    expect(ended).toMatchObject({ code: 2, stdout: /primary\.test/, stderr: /^SETTING_INVALID: PORT must be /m })
  })
})

test.each(['platformCli', 'managedIdentity', 'clientSecret'])(
  'a placeholder profile with %s has the lines to paste',
  async (AUTH_MODE) => {
    const names = 'AUTHORITY_HOST RESOURCE_MANAGER_ENDPOINT STORAGE_DNS_SUFFIX KEYVAULT_DNS_SUFFIX SQL_DNS_SUFFIX'
    const block = [...names.split(' '), 'ACR_DNS_SUFFIX'].map((name) => `export PLATFORM_${name}=\\S+`).join('\\n *')
    for (const args of [['explain'], ['smoke-test', '--check-token']]) {
      const { stdout, stderr } = await runCommand(args, {
        env: { AUTH_MODE, PLATFORM_CLOUD: 'platform-us-gov-secret' },
      })
      expect(`${stdout}${stderr}`).toMatch(new RegExp(block))
      // The metadata of a placeholder can't be read, and az needs real addresses.
      expect(`${stdout}${stderr}`).not.toMatch(/PLATFORM_DISCOVER_AUDIENCE|az cloud register/)
    }
  },
)
