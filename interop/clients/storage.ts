import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { azureSecretOf, type Client, type Installation, programs, type Stage, withDiscovery } from '../client.ts'
import { buildTool, goVariables } from './go.ts'

const ofStorage = { reaches: ['login', 'storage'], namesAccount: true } as const
const program = ({ cache }: Stage, name: string): string => join(cache, 'bin', name)

interface BackupStorageLocation {
  readonly spec: { readonly objectStorage: object; readonly config: Readonly<Record<string, string>> }
}

export const velero: Client = {
  name: 'storage client of velero',
  version: '1.18.3',
  exports: ['velero'],
  inCi: false,
  traps: [
    'The program is `pkg/util/azure` of velero in a small main: the plugin that holds the object store is not on the module proxy. It makes its client there.',
    'It has no switch for instance discovery.',
    'It requests tokens for `https://storage.azure.com/`, whatever storage audience the profile has.',
    'AZURE_CLOUD_NAME in the credentials file takes known clouds by name only; leave it out.',
  ],
  install: (installation: Installation) => buildTool(installation, 'velero', '.'),
  modes: withDiscovery(
    '`spec.config` of `export velero` with the account and the root; a credentials file with tenant, client and secret',
    async (stage) => {
      const { enclave, files, home, exported, run } = stage
      const text = (await exported('velero')).replaceAll('ACCOUNT', 'backups')
      const { config } = (parse(text) as BackupStorageLocation).spec
      const credentialsFile = join(home, 'credentials')
      const credentials = { ...azureSecretOf(enclave), AZURE_TENANT_ID: enclave.tenantId }
      const lines = Object.entries(credentials).map(([name, value]) => `${name}='${value}'\n`)
      await writeFile(credentialsFile, lines.join(''))
      // As velero does with `caCert` of the location.
      const caCert = await readFile(files.authorityPath, 'utf8')
      const location = JSON.stringify({ ...config, caCert, credentialsFile })
      await run(program(stage, 'velero'), [], { env: { LOCATION: location, BUCKET: 'example', SSL_CERT_FILE: '' } })
    },
    ofStorage,
  ),
}

export const opentofu: Client = {
  name: 'login of the azurerm backend of OpenTofu',
  version: '1.12.6',
  exports: [],
  inCi: false,
  traps: [
    'The program is `internal/backend/remote-state/azure/auth` of OpenTofu in a small main. The whole program has 1,783 packages, with the SDKs of every cloud.',
    'It requires `suffixes.storage` and `authentication.audiences` at `metadata_host`, api-version 2023-11-01.',
    'It has no switch for instance discovery.',
    'It requests tokens for `https://storage.azure.com/`, whatever storage audience the profile has.',
  ],
  install: async ({ cache, run }: Installation) => {
    const env = goVariables(cache)
    const download = await run('go', ['mod', 'download', '-json', 'github.com/opentofu/opentofu@v1.12.6'], { env })
    const { Dir: module } = JSON.parse(download) as { readonly Dir: string }
    // The package is internal, so the program stands in a copy of the module.
    const copy = join(cache, 'opentofu')
    await cp(module, copy, { recursive: true })
    await cp(join(programs, 'opentofu'), join(copy, 'cmd/interop'), { recursive: true })
    await run('go', ['build', '-o', join(cache, 'bin/opentofu'), './cmd/interop'], { cwd: copy, env })
  },
  modes: withDiscovery(
    'our metadata host in ARM_METADATA_HOST; ARM_TENANT_ID, ARM_CLIENT_ID, ARM_CLIENT_SECRET, account and container; SSL_CERT_FILE',
    async (stage) => {
      const { enclave, metadataHost, run } = stage
      const env = {
        ARM_METADATA_HOST: new URL(await metadataHost()).host,
        ARM_TENANT_ID: enclave.tenantId,
        ARM_SUBSCRIPTION_ID: enclave.subscriptionId,
        ARM_CLIENT_ID: enclave.clientId,
        ARM_CLIENT_SECRET: enclave.clientSecret,
        ACCOUNT: 'backups',
        CONTAINER: 'example',
      }
      await run(program(stage, 'opentofu'), [], { env })
    },
    ofStorage,
  ),
}
