import { join } from 'node:path'
import { installDebian } from './debian.ts'
import { type Authority, type Client, installPython, type Mode, type Stage, secretOf } from '../client.ts'

/** One version of the tool: the folder of the cache with a program `az` in it. */
interface AzTool {
  readonly folder: string
  /** The words that hand over a certificate. */
  readonly certificate: (path: string) => readonly string[]
}

const variables = (tool: AzTool, { cache, home }: Stage): Record<string, string> => ({
  PATH: `${join(cache, tool.folder)}:${process.env['PATH'] ?? ''}`,
  AZURE_CONFIG_DIR: join(home, 'az'),
})

const az = (tool: AzTool, stage: Stage, ...args: readonly string[]): Promise<string> =>
  stage.run('az', args, { env: variables(tool, stage) })

/** Our script: it registers the cloud, makes it the active one and logs in, with a secret when it is given one. */
async function runScript(tool: AzTool, stage: Stage, secret: Readonly<Record<string, string>>): Promise<void> {
  const script = await stage.exportTo('register.sh', 'az')
  const env = { ...variables(tool, stage), ...secret, PLATFORM_DIRECTORY_ID: stage.enclave.directoryId }
  await stage.run('sh', [script], { env })
}

/** A token, and a call that the resource manager accepts. */
async function use(tool: AzTool, stage: Stage): Promise<void> {
  const { resourceManagerEndpoint, resourceManagerAudience } = stage.enclave
  await az(tool, stage, 'account', 'get-access-token', '--output', 'json')
  const address = `${resourceManagerEndpoint}subscriptions?api-version=2022-12-01`
  await az(tool, stage, 'rest', '--url', address, '--resource', resourceManagerAudience)
}

async function activate(tool: AzTool, stage: Stage): Promise<void> {
  await az(tool, stage, 'cloud', 'set', '--name', 'enclave')
  await az(tool, stage, 'config', 'set', 'core.instance_discovery=false', '--only-show-errors')
}

const logIn = (tool: AzTool, stage: Stage, ...credential: readonly string[]): Promise<string> => {
  const { clientId, directoryId } = stage.enclave
  return az(tool, stage, 'login', '--service-principal', '--username', clientId, '--tenant', directoryId, ...credential)
}

/** What the tool does in a cloud with one kind of login authority. */
function modesOf(tool: AzTool, authority: Authority): readonly Mode[] {
  return [
    {
      name: 'secret',
      authority,
      set: 'the script of `export az`; REQUESTS_CA_BUNDLE',
      run: async (stage) => {
        await runScript(tool, stage, secretOf(stage.enclave))
        await use(tool, stage)
      },
    },
    {
      name: 'device code',
      authority,
      set: 'the script of `export az`; REQUESTS_CA_BUNDLE',
      run: async (stage) => {
        await runScript(tool, stage, {})
        await use(tool, stage)
      },
    },
    {
      name: 'certificate',
      authority,
      set: '`az cloud register --cloud-config` with `export az-json`; REQUESTS_CA_BUNDLE',
      run: async (stage) => {
        const cloud = await stage.exportTo('cloud.json', 'az-json')
        await az(tool, stage, 'cloud', 'register', '--name', 'enclave', '--cloud-config', `@${cloud}`)
        await activate(tool, stage)
        await logIn(tool, stage, ...tool.certificate(stage.files.clientCertificatePath))
        await use(tool, stage)
      },
    },
  ]
}

const byMetadata = (tool: AzTool, authority: Authority): Mode => ({
  name: 'secret, registered by metadata',
  authority,
  set: '`az cloud register --endpoint-resource-manager` with the resource manager alone; REQUESTS_CA_BUNDLE',
  run: async (stage) => {
    const { resourceManagerEndpoint, clientSecret } = stage.enclave
    const address = resourceManagerEndpoint.replace(/\/$/, '')
    await az(tool, stage, 'cloud', 'register', '--name', 'enclave', '--endpoint-resource-manager', address)
    await activate(tool, stage)
    await logIn(tool, stage, `--password=${clientSecret}`)
    await use(tool, stage)
  },
})

/** The tool reads the list of clouds that it knows from our metadata host, and nothing else is said to it. */
const fromMetadataHost: Mode = {
  name: 'secret, cloud from our metadata host',
  authority: 'tenants',
  set: 'ARM_CLOUD_METADATA_URL with our metadata host, api-version 2019-05-01; REQUESTS_CA_BUNDLE',
  run: async (stage) => {
    const list = `${await stage.metadataHost()}/metadata/endpoints?api-version=2019-05-01`
    const reading: Stage = {
      ...stage,
      run: (command, args, options = {}) =>
        stage.run(command, args, { ...options, env: { ...options.env, ARM_CLOUD_METADATA_URL: list } }),
    }
    await activate(current, reading)
    await logIn(current, reading, `--password=${stage.enclave.clientSecret}`)
    await use(current, reading)
  },
}

const current: AzTool = { folder: 'az/bin', certificate: (path) => ['--certificate', path] }
const debian: AzTool = { folder: 'az-debian/bin', certificate: (path) => [`--password=${path}`] }

export const azureCli: Client = {
  name: 'azure-cli',
  version: '2.91.0',
  exports: ['az', 'az-json'],
  inCi: true,
  traps: [
    'Pass the resource manager without its final slash, because the tool appends `/metadata/…`.',
    'In a cloud with tenants run `az config set core.instance_discovery=false` before the login; if not, it contacts the public cloud first.',
    'With a federation service it requires the GUID of the directory as tenant: it refuses `adfs`.',
    'It sends telemetry (`az config set core.collect_telemetry=no` before anything else) and checks for updates. It works without a route despite both.',
    '`az rest` takes the audience from `--resource`; without it, it sends no token to an address that is not the registered resource manager.',
    'With ARM_CLOUD_METADATA_URL it caches the list of clouds in `cloudEndpoints.json` of its configuration folder: delete that file after the metadata changes.',
  ],
  install: (installation) => installPython(installation, 'az', ['azure-cli==2.91.0']),
  modes: [
    ...modesOf(current, 'tenants'),
    ...modesOf(current, 'federation service'),
    byMetadata(current, 'tenants'),
    byMetadata(current, 'federation service'),
    fromMetadataHost,
  ],
}

const wrap = `
mkdir -p "$1/bin"
printf '#!/bin/sh\\nPYTHONPATH=%s exec /usr/bin/python3 -m azure.cli "$@"\\n' "$1/usr/lib/python3/dist-packages" > "$1/bin/az"
chmod +x "$1/bin/az"
`

export const debianCli: Client = {
  name: 'azure-cli of Debian 12',
  version: '2.45.0',
  exports: ['az', 'az-json'],
  inCi: false,
  traps: [
    'It cannot disable instance discovery: with tenants it needs ours.',
    'Pass a certificate as `--password=PATH`. The option `--certificate` came later.',
    'It contacts a host of its vendor to check for a newer version.',
  ],
  install: async (installation) => {
    await installDebian(installation, 'az-debian', 'azure-cli')
    await installation.run('sh', ['-ec', wrap, 'sh', join(installation.cache, 'az-debian')])
  },
  modes: [
    ...modesOf(debian, 'federation service'),
    byMetadata(debian, 'federation service'),
    ...(['absent', 'ours'] as const).map((discovery): Mode => ({
      name: discovery === 'ours' ? 'secret, our instance discovery' : 'secret, no instance discovery',
      authority: 'tenants',
      discovery,
      set: 'the script of `export az`; REQUESTS_CA_BUNDLE',
      run: async (stage) => {
        await runScript(debian, stage, secretOf(stage.enclave))
        await use(debian, stage)
      },
    })),
  ],
}
