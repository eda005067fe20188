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
  })

  test('leaves out what its readers understand in different ways', () => {
    for (const profile of [enclave, government]) {
      expect(Object.keys(sourceShell(envExport.render(profile)))).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^AZURE_(?:ENVIRONMENT|AD_RESOURCE)$/)]),
      )
    }
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
  test('registers, sets, turns instance discovery off and logs in', () => {
    expect(recordCalls(azExport.render(enclave), 'az')).toStrictEqual([
      [
        'cloud',
        'register',
        '--name=enclave',
        '--endpoint-resource-manager=https://management.enclave.test:8444',
        '--endpoint-active-directory=https://login.enclave.test:8443',
        '--endpoint-active-directory-resource-id=https://management.core.enclave.test',
        '--endpoint-active-directory-graph-resource-id=https://graph.placeholder.invalid/',
        '--suffix-storage-endpoint=core.enclave.test',
        '--suffix-keyvault-dns=.vault.enclave.test',
        '--suffix-sql-server-hostname=.database.enclave.test',
        '--suffix-acr-login-server-endpoint=.registry.enclave.test',
      ],
      ['cloud', 'set', '--name=enclave'],
      ['config', 'set', 'core.instance_discovery=false', '--only-show-errors'],
      ['login', '--use-device-code', '--allow-no-subscriptions', '--tenant=contoso.test'],
    ])
  })

  test('logs in as a service principal when the environment has its secret, which no argument shows', () => {
    const env = { PLATFORM_CLIENT_ID: 'app', PLATFORM_CLIENT_SECRET: 's e $cret', PLATFORM_TENANT_ID: 'other.test' }
    expect(recordCalls(azExport.render(enclave), 'az', env).at(-1)).toStrictEqual([
      'login',
      '--service-principal',
      '--allow-no-subscriptions',
      '--tenant=other.test',
      '--username=app',
      '--password=@-',
      's e $cret',
    ])
  })

  test('only sets a cloud that az knows', () => {
    expect(recordCalls(azExport.render(government), 'az')).toStrictEqual([
      ['cloud', 'set', '--name=AzureUSGovernment'],
      ['login', '--use-device-code', '--allow-no-subscriptions'],
    ])
  })

  test.each([
    ['another authority', { authorityHost: 'https://login.enclave.test/' }],
    ['another suffix', { serviceDnsSuffixes: { ...government.serviceDnsSuffixes, storage: '.blob.own.test' } }],
  ])('registers a cloud with %s under its own name', (_name, changes) => {
    expect(recordCalls(azExport.render({ ...government, ...changes }), 'az')[0]).toContain(
      '--name=platform-us-government',
    )
  })

  test('keeps the path of a federation service, by which az knows it', () => {
    expect(recordCalls(azExport.render(stack), 'az')[0]).toContain(
      '--endpoint-active-directory=https://adfs.stack.test/adfs',
    )
  })

  test('gives az the GUID of the directory in place of the tenant adfs, which it cannot resolve', () => {
    expect(recordCalls(azExport.render(stack), 'az').at(-1)).toStrictEqual([
      'login',
      '--use-device-code',
      '--allow-no-subscriptions',
    ])
    const env = { PLATFORM_TENANT_ID: 'adfs', PLATFORM_DIRECTORY_ID: 'e2bf6aa1-7a8f-4bb9-b8cb-caef446339ec' }
    expect(recordCalls(azExport.render(stack), 'az', env).at(-1)).toContain(
      '--tenant=e2bf6aa1-7a8f-4bb9-b8cb-caef446339ec',
    )
  })

  test.each([
    ['my cloud', 'my-cloud'],
    ['@/etc/passwd', 'etc-passwd'],
    ['a]\n[b', 'a-b'],
    ['漢字', 'cloud-profile'],
    ['azuregermancloud', 'azuregermancloud-profile'],
  ])('never hands az a name that it would read as something else: %j', (name, registered) => {
    expect(recordCalls(azExport.render({ ...enclave, name }), 'az')[0]).toContain(`--name=${registered}`)
  })
})

describe('kubelogin', () => {
  test('names a known cloud by its name', () => {
    expect(recordCalls(renderKubelogin(government), 'kubelogin')).toStrictEqual([
      ['convert-kubeconfig', '--environment=AzureUSGovernmentCloud'],
    ])
  })

  test('writes the user of any other cloud itself, with authority and without instance discovery', () => {
    const calls = recordCalls(`set -- --login=spn\n${renderKubelogin(stack)}`, 'kubectl', { KUBE_USER: 'a user' })
    expect(calls).toStrictEqual([
      [
        'config',
        'set-credentials',
        'a user',
        '--exec-api-version=client.authentication.k8s.io/v1beta1',
        '--exec-command=kubelogin',
        '--exec-arg=get-token',
        '--exec-arg=--authority-host=https://adfs.stack.test/',
        '--exec-arg=--tenant-id=adfs',
        '--exec-arg=--disable-instance-discovery',
        '--exec-arg=--login=spn',
      ],
    ])
  })
})
