import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { exportFormats } from '../../../src/lib/export/export-formats.ts'
import { azCloud } from '../../../src/lib/profile/az-cloud.ts'
import type { CloudProfile } from '../../../src/lib/profile/cloud-profile.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { enclave, government, hostile, hostileText, stack, unvalidated } from './profiles.ts'
import { sourceShell } from './run-shell.ts'

const render = (format: string, profile: CloudProfile) => exportFormats[format]?.render(profile) ?? ''
const temp = useTemporaryDirectory()

/** What a script leaves in an empty environment, with an account and a container when they are given. */
const source = (format: string, profile: CloudProfile, given = '') =>
  sourceShell(`${given}\n${render(format, profile)}`)
const given = 'PLATFORM_STORAGE_ACCOUNT=backups\nSTORAGE_CONTAINER=nightly'

const otherAudience: CloudProfile = {
  ...enclave,
  serviceAudiences: { ...enclave.serviceAudiences, storage: 'https://storage.enclave.test/' },
}

describe('azure-json', () => {
  test('has the fields of the cloud provider and of external-dns', () => {
    expect(JSON.parse(render('azure-json', enclave))).toStrictEqual({
      cloud: 'AzureStackCloud',
      tenantId: 'contoso.test',
      subscriptionId: 'SUBSCRIPTION_ID',
      resourceGroup: 'RESOURCE_GROUP',
      activeDirectoryAuthorityHost: 'https://login.enclave.test:8443/',
      resourceManagerEndpoint: 'https://management.enclave.test:8444',
      resourceManagerAudience: 'https://management.core.enclave.test',
    })
  })

  test('names a known cloud, and leaves the path of a federation service to the tenant', () => {
    expect(JSON.parse(render('azure-json', government))).toStrictEqual({
      cloud: 'AzureUSGovernmentCloud',
      tenantId: 'TENANT_ID',
      subscriptionId: 'SUBSCRIPTION_ID',
      resourceGroup: 'RESOURCE_GROUP',
    })
    expect(JSON.parse(render('azure-json', stack))).toMatchObject({
      tenantId: 'adfs',
      activeDirectoryAuthorityHost: 'https://adfs.stack.test/',
    })
  })

  test('passes hostile text through unchanged', () => {
    expect(JSON.parse(render('azure-json', unvalidated))).toMatchObject({ tenantId: hostileText })
  })
})

describe('flux', () => {
  test('has the fields of its environment file, without the slashes that it would double', () => {
    expect(JSON.parse(render('flux', enclave))).toStrictEqual({
      name: 'AzureStackCloud',
      resourceManagerEndpoint: 'https://management.enclave.test:8444',
      tokenAudience: 'https://management.core.enclave.test',
      containerRegistryDNSSuffix: 'registry.enclave.test',
    })
  })
})

describe('rclone', () => {
  test('sourced by sh is a remote', () => {
    expect(source('rclone', enclave, given)).toMatchObject({
      RCLONE_CONFIG_ENCLAVE_TYPE: 'azureblob',
      RCLONE_CONFIG_ENCLAVE_ENV_AUTH: 'true',
      RCLONE_CONFIG_ENCLAVE_DISABLE_INSTANCE_DISCOVERY: 'true',
      RCLONE_CONFIG_ENCLAVE_ACCOUNT: 'backups',
      RCLONE_CONFIG_ENCLAVE_ENDPOINT: 'https://backups.blob.core.enclave.test',
      AZURE_AUTHORITY_HOST: 'https://login.enclave.test:8443/',
      AZURE_TENANT_ID: 'contoso.test',
    })
  })

  test('names the account by a word to replace until one is given', () => {
    expect(source('rclone', enclave)).toMatchObject({
      RCLONE_CONFIG_ENCLAVE_ACCOUNT: 'ACCOUNT',
      RCLONE_CONFIG_ENCLAVE_ENDPOINT: 'https://ACCOUNT.blob.core.enclave.test',
    })
  })

  test('keeps instance discovery where it works, and the path of a federation service away', () => {
    expect(source('rclone', government)).toMatchObject({
      RCLONE_CONFIG_PLATFORM_US_GOVERNMENT_DISABLE_INSTANCE_DISCOVERY: 'false',
    })
    expect(source('rclone', stack)).toMatchObject({
      AZURE_AUTHORITY_HOST: 'https://adfs.stack.test/',
      AZURE_TENANT_ID: 'adfs',
    })
  })

  test('makes the name of a remote of any name', () => {
    expect(source('rclone', { ...enclave, name: '漢字' })).toMatchObject({ RCLONE_CONFIG_CLOUD_TYPE: 'azureblob' })
    const remotes = Object.keys(source('rclone', hostile)).filter((name) => name.startsWith('RCLONE_CONFIG_'))
    expect(remotes).toHaveLength(5)
  })
})

describe('azcopy', () => {
  /** Sources the text, and calls azcopy, in whose place a recorder stands. */
  const copy = (profile: CloudProfile) => {
    const recorder = temp.write('azcopy', `#!/bin/sh\nprintf '%s\\n' "$AZCOPY_ACTIVE_DIRECTORY_ENDPOINT" "$@"\n`)
    execFileSync('chmod', ['+x', recorder])
    const script = temp.write('azcopy.sh', `${render('azcopy', profile)}azcopy copy 'a b' c\n`)
    const path = `${temp.path}:${process.env['PATH'] ?? ''}`
    return execFileSync('env', ['-i', `PATH=${path}`, 'sh', script], { encoding: 'utf8' })
      .split('\n')
      .slice(0, -1)
  }

  test('logs in at the authority, and trusts the suffix of the cloud', () => {
    expect(copy(enclave)).toStrictEqual([
      'https://login.enclave.test:8443/',
      'copy',
      'a b',
      'c',
      '--trusted-microsoft-suffixes=*.core.enclave.test',
    ])
    expect(source('azcopy', enclave)).toMatchObject({ AZCOPY_AUTO_LOGIN_TYPE: 'SPN', AZCOPY_TENANT_ID: 'contoso.test' })
  })

  test('passes hostile text through unchanged', () => {
    expect(copy(unvalidated).at(0)).toBe(`https://login.test/${hostileText.split('\n')[0] ?? ''}`)
    expect(source('azcopy', unvalidated)).toMatchObject({ AZCOPY_TENANT_ID: hostileText })
  })
})

describe('restic', () => {
  test('sourced by sh is a repository', () => {
    expect(source('restic', enclave, given)).toMatchObject({
      AZURE_ACCOUNT_NAME: 'backups',
      AZURE_ENDPOINT_SUFFIX: 'core.enclave.test',
      RESTIC_REPOSITORY: 'azure:nightly:/',
      AZURE_AUTHORITY_HOST: 'https://login.enclave.test:8443/',
      AZURE_TENANT_ID: 'contoso.test',
    })
    expect(source('restic', stack)).toMatchObject({ AZURE_AUTHORITY_HOST: 'https://adfs.stack.test/' })
  })

  test('warns where the suffix has no blob service', () => {
    const serviceDnsSuffixes = { ...enclave.serviceDnsSuffixes, storage: '.storage.enclave.test' }
    expect(render('restic', { ...enclave, serviceDnsSuffixes })).toMatch(/^# Warning: restic puts "\.blob\."/m)
    expect(render('restic', enclave)).not.toContain('Warning')
  })

  test('passes hostile text through unchanged', () => {
    expect(source('restic', unvalidated)).toMatchObject({
      AZURE_ENDPOINT_SUFFIX: hostileText,
      AZURE_TENANT_ID: hostileText,
    })
  })
})

describe('grafana', () => {
  const clouds = (profile: CloudProfile) =>
    JSON.parse(source('grafana', profile)['GFAZPL_AZURE_CLOUDS_CONFIG'] ?? 'null') as unknown

  test('describes the cloud, and makes it the default', () => {
    const services = {
      logAnalytics: { url: 'https://logs.enclave.test/' },
      postgresql: { audience: 'https://oss.enclave.test' },
    }
    expect(clouds({ ...enclave, services })).toStrictEqual([
      {
        name: 'enclave',
        displayName: 'Enclave',
        aadAuthority: 'https://login.enclave.test:8443/',
        properties: {
          resourceManager: 'https://management.enclave.test:8444',
          portal: 'https://portal.enclave.test',
          logAnalytics: 'https://logs.enclave.test',
          ossrdbmsResourceId: 'https://oss.enclave.test',
        },
      },
    ])
    const variables = source('grafana', enclave)
    expect(variables).toMatchObject({ GF_AZURE_CLOUD: 'enclave', GFAZPL_AZURE_CLOUD: 'enclave' })
    // Grafana hands its own settings to its data sources, which then ignore the other variables.
    expect(variables['GF_AZURE_CLOUDS_CONFIG']).toBe(variables['GFAZPL_AZURE_CLOUDS_CONFIG'])
  })

  test('no text of a profile is a reference that Grafana replaces in its settings', () => {
    expect(source('grafana', unvalidated)['GF_AZURE_CLOUDS_CONFIG']).not.toMatch(/[$%]/)
  })

  test('names a known cloud', () => {
    const variables = source('grafana', government)
    expect(variables).toMatchObject({ GF_AZURE_CLOUD: 'AzureUSGovernment', GFAZPL_AZURE_CLOUD: 'AzureUSGovernment' })
    expect(variables).not.toHaveProperty('GFAZPL_AZURE_CLOUDS_CONFIG')
  })

  test('passes hostile text through unchanged, under a name without signs that is no built-in one', () => {
    const name = azCloud(unvalidated).name
    expect(clouds(unvalidated)).toMatchObject([
      { name, displayName: hostileText, aadAuthority: `https://login.test/${hostileText}/` },
    ])
    expect(source('grafana', unvalidated)).toMatchObject({ GF_AZURE_CLOUD: name, GFAZPL_AZURE_CLOUD: name })
    expect(source('grafana', { ...enclave, name: 'AzureCloud' })).toMatchObject({
      GF_AZURE_CLOUD: 'AzureCloud-profile',
    })
  })
})

describe('YAML', () => {
  test('of velero is a location with the address of the account', () => {
    expect(parse(render('velero', enclave))).toStrictEqual({
      apiVersion: 'velero.io/v1',
      kind: 'BackupStorageLocation',
      metadata: { name: 'default', namespace: 'velero' },
      spec: {
        provider: 'velero.io/azure',
        objectStorage: { bucket: 'CONTAINER', caCert: 'ROOTCERTIFICATE=' },
        config: {
          storageAccount: 'ACCOUNT',
          storageAccountURI: 'https://ACCOUNT.blob.core.enclave.test',
          // Its configuration is a map of texts.
          useAAD: 'true',
          activeDirectoryAuthorityURI: 'https://login.enclave.test:8443/',
        },
      },
    })
    expect(render('velero', government)).not.toMatch(/caCert|ROOTCERTIFICATE/)
    expect(Buffer.from('ROOTCERTIFICATE=', 'base64').toString('base64')).toBe('ROOTCERTIFICATE=')
  })

  test('of external-secrets is a store with a custom cloud, which only the newer SDK has', () => {
    expect(parse(render('external-secrets', enclave))).toMatchObject({
      apiVersion: 'external-secrets.io/v1',
      kind: 'SecretStore',
      spec: {
        provider: {
          azurekv: {
            vaultUrl: 'https://VAULT.vault.enclave.test',
            tenantId: 'contoso.test',
            environmentType: 'AzureStackCloud',
            useAzureSDK: true,
            customCloudConfig: {
              activeDirectoryEndpoint: 'https://login.enclave.test:8443/',
              keyVaultEndpoint: 'https://vault.enclave.test/',
              keyVaultDNSSuffix: 'vault.enclave.test',
              resourceManagerEndpoint: 'https://management.enclave.test:8444/',
            },
          },
        },
      },
    })
    const known = parse(render('external-secrets', government)) as { spec: { provider: { azurekv: object } } }
    expect(known.spec.provider.azurekv).toMatchObject({ environmentType: 'USGovernmentCloud' })
    expect(known.spec.provider.azurekv).not.toHaveProperty('customCloudConfig')
  })

  test('of keda has a trigger for each service, with an authority', () => {
    const authority = { cloud: 'Private', activeDirectoryEndpoint: 'https://login.enclave.test:8443/' }
    const profile = { ...enclave, services: { logAnalytics: { url: 'https://logs.enclave.test' } } }
    expect(parse(render('keda', profile))).toMatchObject({
      triggers: [
        { type: 'azure-blob', metadata: { ...authority, endpointSuffix: 'blob.core.enclave.test' } },
        { type: 'azure-queue', metadata: { ...authority, endpointSuffix: 'queue.core.enclave.test' } },
        {
          type: 'azure-log-analytics',
          metadata: { ...authority, logAnalyticsResourceURL: 'https://logs.enclave.test', threshold: '1' },
        },
      ],
    })
    const known = parse(render('keda', government)) as { triggers: { metadata: Record<string, string> }[] }
    expect(known.triggers.map(({ metadata }) => [metadata['cloud'], metadata['endpointSuffix']])).toStrictEqual(
      ['AzureUSGovernmentCloud', 'AzureUSGovernmentCloud', 'AzureUSGovernmentCloud'].map((cloud) => [cloud, undefined]),
    )
  })

  test('of secrets-store-csi names the environment file, and adfs as tenant beside a federation service', () => {
    const parameters = (profile: CloudProfile) =>
      (parse(render('secrets-store-csi', profile)) as { spec: { parameters: Record<string, string> } }).spec.parameters
    expect(parameters(stack)).toMatchObject({
      keyvaultName: 'VAULT',
      tenantID: 'adfs',
      cloudName: 'AzureStackCloud',
      cloudEnvFileName: '/etc/cloud-environment/cloud-environment.json',
    })
    const objects = parse(parameters(enclave)['objects'] ?? '') as { array: string[] }
    expect(objects.array.map((each) => parse(each) as unknown)).toStrictEqual([
      { objectName: 'SECRET', objectType: 'secret' },
    ])
    expect(parameters(government)).toMatchObject({ cloudName: 'AzureUSGovernmentCloud' })
    expect(parameters(government)).not.toHaveProperty('cloudEnvFileName')
  })

  test('of prometheus is a scrape job', () => {
    const [job] = (parse(render('prometheus', stack)) as { scrape_configs: object[] }).scrape_configs
    expect(job).toMatchObject({ azure_sd_configs: [{ environment: 'AzureStackCloud', tenant_id: 'adfs' }] })
    expect(render('prometheus', stack)).toMatch(/^# Prometheus 3 knows clouds by name only/m)
    expect(render('prometheus', government)).toContain('environment: AzureUSGovernmentCloud')
  })

  test.each([
    ['velero', (text: string) => [`https://login.test/${text}/`, `https://ACCOUNT${text}`]],
    ['external-secrets', (text: string) => [`https://login.test/${text}/`, text]],
    ['keda', (text: string) => [`https://login.test/${text}/`]],
    ['secrets-store-csi', (text: string) => [text]],
    ['prometheus', (text: string) => [text]],
  ])('of %s passes hostile text through unchanged', (format, expected) => {
    const read = JSON.stringify(parse(render(format, unvalidated)))
    for (const each of expected(hostileText)) expect(read).toContain(JSON.stringify(each).slice(1, -1))
  })
})

describe('a warning', () => {
  test.each(['rclone', 'azcopy', 'restic', 'velero', 'keda'])(
    'stands in %s where the storage audience of the profile is not the usual one',
    (format) => {
      expect(render(format, otherAudience)).toMatch(
        /^# Warning: it requests tokens for https:\/\/storage\.azure\.com\//m,
      )
      expect(render(format, enclave)).not.toContain('Warning')
    },
  )

  test.each(['azcopy', 'restic', 'velero', 'external-secrets', 'keda', 'secrets-store-csi', 'grafana'])(
    'stands in %s where it asks the public instance discovery',
    (format) => {
      expect(render(format, enclave)).toMatch(/^# It asks the public instance discovery/m)
      for (const profile of [stack, government]) expect(render(format, profile)).not.toContain('instance discovery')
    },
  )
})

describe('rust', () => {
  test('signs in at the authority of the cloud', () => {
    const text = render('rust', enclave)
    expect(text).toContain('pub const AUTHORITY: &str = "https://login.enclave.test:8443/";\n')
    expect(text).toContain('custom.authority_host = AUTHORITY.to_string();')
  })

  test('has no credential for a federation service, which the crate cannot reach', () => {
    expect(render('rust', stack)).not.toContain('ClientSecretCredential')
    expect(render('rust', stack)).toContain('pub const TENANT_ID: &str = "adfs";')
  })

  const compiler = (process.env['PATH'] ?? '')
    .split(':')
    .map((folder) => join(folder, 'rustc'))
    .find(existsSync)
  const missing = compiler === undefined ? ' [skipped: rustc is not installed]' : ''
  test.skipIf(compiler === undefined)(`compiled has the values of a hostile profile${missing}`, () => {
    const serviceDnsSuffixes = {
      ...enclave.serviceDnsSuffixes,
      storage: hostileText,
      sqlServer: '\b\f\v\0\ufeff\u{1f600}',
    }
    temp.write('cloud.rs', render('rust', { ...unvalidated, tenantId: 'adfs', serviceDnsSuffixes }))
    const print = ['STORAGE_SUFFIX', 'SQL_SERVER_SUFFIX'].map((name) => `print!("{}\\x01", cloud::${name});`).join(' ')
    const main = temp.write('main.rs', `mod cloud;\nfn main() { ${print} }\n`)
    const built = join(temp.path, 'main')
    execFileSync(compiler ?? '', ['--edition=2021', '-o', built, main], { stdio: 'pipe' })
    const values = execFileSync(built, { encoding: 'utf8' }).split('\u0001').slice(0, -1)
    expect(values).toStrictEqual([hostileText, serviceDnsSuffixes.sqlServer])
  })
})
