import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Authority, azureSecretOf, type Client, type Installation, type Mode, type Stage } from '../client.ts'
import { programs } from '../programs.ts'
import { buildTool, goVariables } from './go.ts'

/** Sources one of our exports, then runs a command. */
const sourced = async (
  { exportTo, run }: Stage,
  format: string,
  env: Readonly<Record<string, string>>,
  script: string,
): Promise<string> => {
  const path = await exportTo(`${format}.sh`, format)
  return run('sh', ['-ec', `. "$1"\n${script}`, 'sh', path], { env })
}

const reaches: Mode['reaches'] = ['login', 'storage']
const program = ({ cache }: Stage, name: string): string => join(cache, 'bin', name)

/** A client that asks for instance discovery beside tenants: without an answer, with ours, and beside a federation service. */
const withDiscovery = (set: string, run: (stage: Stage) => Promise<void>): readonly Mode[] => [
  {
    name: 'secret, no instance discovery',
    authority: 'tenants',
    discovery: 'absent',
    namesAccount: true,
    set,
    reaches,
    run,
  },
  {
    name: 'secret, our instance discovery',
    authority: 'tenants',
    discovery: 'ours',
    namesAccount: true,
    set: `${set}; login.microsoftonline.com leads to our metadata host`,
    reaches,
    run,
  },
  { name: 'secret', authority: 'federation service', namesAccount: true, set, reaches, run },
]

/** Copies a blob there and back, and fails when it comes back changed. */
const rcloneScript = `
head -c 100000 /dev/urandom > sent
"$RCLONE" --config '' copyto sent enclave:example/folder/blob
"$RCLONE" --config '' copyto enclave:example/folder/blob received
cmp sent received
`

const rcloneMode = (authority: Authority): Mode => ({
  name: 'secret, a blob copied both ways',
  authority,
  namesAccount: true,
  reaches,
  set: 'the variables of `export rclone`; PLATFORM_STORAGE_ACCOUNT, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET; SSL_CERT_FILE',
  run: async (stage) => {
    const env = {
      ...azureSecretOf(stage.enclave),
      PLATFORM_STORAGE_ACCOUNT: 'backups',
      RCLONE: program(stage, 'rclone'),
    }
    await sourced(stage, 'rclone', env, rcloneScript)
  },
})

export const rclone: Client = {
  name: 'rclone',
  version: '1.76.0',
  exports: ['rclone'],
  inCi: false,
  traps: [
    'It was built with the backends `azureblob` and `local` and the commands that the run uses, because the whole program takes half an hour.',
    'With `client_secret` in its configuration it ignores `disable_instance_discovery`. With `env_auth` it obeys.',
    'It requests tokens for `https://storage.azure.com/`, whatever storage audience the profile has.',
  ],
  install: (installation: Installation) => buildTool(installation, 'rclone', '.'),
  modes: [rcloneMode('tenants'), rcloneMode('federation service')],
}

const resticScript = `
echo 'what is backed up' > document
"$RESTIC" --quiet init
"$RESTIC" --quiet backup document
"$RESTIC" --quiet restore latest --target restored
cmp document restored/document || cmp document "restored$PWD/document"
`

export const restic: Client = {
  name: 'restic',
  version: '0.19.1',
  exports: ['restic'],
  inCi: false,
  traps: [
    'It has no switch for instance discovery.',
    'It requests tokens for `https://storage.azure.com/`, whatever storage audience the profile has.',
    'It puts `.blob.` between the account and AZURE_ENDPOINT_SUFFIX.',
  ],
  install: (installation: Installation) => buildTool(installation, 'restic', 'github.com/restic/restic/cmd/restic'),
  modes: withDiscovery(
    'the variables of `export restic`; PLATFORM_STORAGE_ACCOUNT, STORAGE_CONTAINER, RESTIC_PASSWORD, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET; SSL_CERT_FILE',
    async (stage) => {
      const env = {
        ...azureSecretOf(stage.enclave),
        PLATFORM_STORAGE_ACCOUNT: 'backups',
        STORAGE_CONTAINER: 'repository',
        RESTIC_PASSWORD: 'interop',
        RESTIC: program(stage, 'restic'),
      }
      await sourced(stage, 'restic', env, resticScript)
    },
  ),
}

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
  ),
}
