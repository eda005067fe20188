import { describe, expect, test } from 'vitest'
import { azExport } from '../../../src/tools/export/export-az.ts'
import { envExport } from '../../../src/tools/export/export-env.ts'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { overrideVariables } from '../../../src/lib/profile/field-path.ts'
import { valueAt } from '../../../src/lib/base/json.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { enclave, government, hostile, stack } from '../../support/sample-profiles.ts'
import { recordCalls, sourceShell } from '../../support/run-shell.ts'

const renderKubelogin = (profile: CloudProfile) => exportFormats['kubelogin']?.render(profile) ?? ''

describe('env', () => {
  test.each([government, enclave, stack, hostile])(
    'sourced by sh resolves to the same values: $environment',
    (profile) => {
      const resolved = resolveCloudProfile({ env: sourceShell(envExport.render(profile)) })
      expect(resolved.environment).toBe(profile.environment === 'custom' ? 'platformstackcloud' : profile.environment)
      for (const path of Object.values(overrideVariables)) expect(valueAt(resolved, path)).toBe(valueAt(profile, path))
    },
  )

  test('tells other credential libraries their authority, which append the tenant adfs themselves', () => {
    expect(sourceShell(envExport.render(stack))).toMatchObject({
      AZURE_AUTHORITY_HOST: 'https://adfs.stack.test',
      AZURE_TENANT_ID: 'adfs',
    })
    // Readers understand these in different ways.
    for (const name of ['AZURE_ENVIRONMENT', 'AZURE_AD_RESOURCE'])
      expect(sourceShell(envExport.render(enclave))).not.toHaveProperty(name)
  })

  test('has the names that storage clients read, once there is an account', () => {
    const given = `PLATFORM_STORAGE_ACCOUNT=backups\n${envExport.render(enclave)}`
    expect(sourceShell(given)).toMatchObject({
      AZURE_STORAGE_ACCOUNT: 'backups',
      AZURE_STORAGE_ACCOUNT_NAME: 'backups',
      AZURE_STORAGE_DOMAIN: 'blob.core.enclave.test',
      AZURE_STORAGE_ENDPOINT: 'https://backups.blob.core.enclave.test',
    })
    expect(sourceShell(envExport.render(enclave))).not.toHaveProperty('AZURE_STORAGE_ACCOUNT')
  })
})

describe('az', () => {
  const calls = (profile: CloudProfile, env?: Record<string, string>) =>
    recordCalls(azExport.render(profile), 'az', env).map((words) => words.join(' '))

  test('registers, sets, turns instance discovery off and logs in', () => {
    const [register = '', ...others] = calls(enclave)
    expect(register.split(' --')).toStrictEqual([
      'cloud register',
      'name=enclave',
      'endpoint-resource-manager=https://management.enclave.test:8444',
      'endpoint-active-directory=https://login.enclave.test:8443',
      'endpoint-active-directory-resource-id=https://management.core.enclave.test',
      'endpoint-active-directory-graph-resource-id=https://graph.placeholder.invalid/',
      'suffix-storage-endpoint=core.enclave.test',
      'suffix-keyvault-dns=.vault.enclave.test',
      'suffix-sql-server-hostname=.database.enclave.test',
      'suffix-acr-login-server-endpoint=.registry.enclave.test',
    ])
    expect(others).toStrictEqual([
      'cloud set --name=enclave',
      'config set core.instance_discovery=false --only-show-errors',
      'login --use-device-code --allow-no-subscriptions --tenant=contoso.test',
    ])
  })

  test('logs in as a service principal when the environment has its secret, which no argument shows', () => {
    const env = { PLATFORM_CLIENT_ID: 'app', PLATFORM_CLIENT_SECRET: 's e $cret', PLATFORM_TENANT_ID: 'other.test' }
    // The last word comes from stdin.
    expect(calls(enclave, env).at(-1)).toBe(
      'login --service-principal --allow-no-subscriptions --tenant=other.test --username=app --password=@- s e $cret',
    )
  })

  test('only sets a cloud that az knows', () => {
    const login = 'login --use-device-code --allow-no-subscriptions'
    expect(calls(government)).toStrictEqual(['cloud set --name=AzureUSGovernment', login])
  })

  test.each([
    ['another authority', { authorityHost: 'https://login.enclave.test/' }],
    ['another suffix', { serviceDnsSuffixes: { ...government.serviceDnsSuffixes, storage: '.blob.own.test' } }],
  ])('registers a cloud with %s under its own name', (_name, changes) => {
    expect(calls({ ...government, ...changes })[0]).toContain('--name=platform-us-government ')
  })

  test('keeps the path of a federation service, and gives az the GUID of the directory in place of the tenant adfs', () => {
    expect(calls(stack)[0]).toContain('--endpoint-active-directory=https://adfs.stack.test/adfs ')
    expect(calls(stack).at(-1)).toBe('login --use-device-code --allow-no-subscriptions')
    const PLATFORM_DIRECTORY_ID = 'e2bf6aa1-7a8f-4bb9-b8cb-caef446339ec'
    const login = calls(stack, { PLATFORM_TENANT_ID: 'adfs', PLATFORM_DIRECTORY_ID }).at(-1)
    expect(login).toMatch(new RegExp(` --tenant=${PLATFORM_DIRECTORY_ID}$`))
  })

  test.each([
    ['my cloud', 'my-cloud'],
    ['@/etc/passwd', 'etc-passwd'],
    ['a]\n[b', 'a-b'],
    ['漢字', 'cloud-profile'],
    ['azuregermancloud', 'azuregermancloud-profile'],
  ])('never hands az a name that it would read as something else: %j', (name, registered) => {
    expect(calls({ ...enclave, name })[0]).toContain(`--name=${registered} `)
  })
})

test('kubelogin names a known cloud by its name', () => {
  expect(recordCalls(renderKubelogin(government), 'kubelogin')).toStrictEqual([
    ['convert-kubeconfig', '--environment=AzureUSGovernmentCloud'],
  ])
})

test('kubelogin gets the user of any other cloud, with authority and without instance discovery', () => {
  const [call] = recordCalls(`set -- --login=spn\n${renderKubelogin(stack)}`, 'kubectl', { KUBE_USER: 'a user' })
  const options = '--exec-api-version=client.authentication.k8s.io/v1beta1 --exec-command=kubelogin'
  const args =
    'get-token --authority-host=https://adfs.stack.test/ --tenant-id=adfs --disable-instance-discovery --login=spn'
  const given = args.split(' ').map((each) => `--exec-arg=${each}`)
  expect(call).toStrictEqual(['config', 'set-credentials', 'a user', ...options.split(' '), ...given])
})
