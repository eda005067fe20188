import { cp, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Authority, type Client, type Installation, type Mode, programs, secretOf, type Stage } from '../client.ts'

/** Where Go keeps what it downloads and builds. Writable, so that the cache can be removed like any folder. */
export const goVariables = (cache: string): Record<string, string> => ({
  GOMODCACHE: join(cache, 'go/modules'),
  GOCACHE: join(cache, 'go/build'),
  // The checksum database, and no file here, says what a version holds.
  GOFLAGS: '-modcacherw -buildvcs=false -mod=mod',
  GOTOOLCHAIN: 'local',
})

/** Builds a program with the versions that a module of `programs` names. */
export async function buildTool({ cache, run }: Installation, name: string, path: string): Promise<void> {
  const cwd = await copyProgram(cache, name)
  await run('go', ['build', '-o', join(cache, 'bin', name), path], { cwd, env: goVariables(cache) })
}

/** The build adds the checksums to the copy. */
async function copyProgram(cache: string, name: string): Promise<string> {
  const copy = join(cache, 'go-programs', name)
  await cp(join(programs, name), copy, { recursive: true })
  return copy
}

const program = (stage: Stage, name: string): string => join(stage.cache, 'bin', name)

const subscriptions = 'github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/resources/armsubscriptions'

const install = async ({ cache, run }: Installation): Promise<void> => {
  const options = { cwd: await copyProgram(cache, 'go'), env: goVariables(cache) }
  // The package that our export makes is not there yet; the others need nothing of it.
  await run('go', ['build', '-o', `${join(cache, 'bin')}/`, './go-azure-sdk', './go-autorest'], options)
  await run('go', ['build', 'github.com/Azure/azure-sdk-for-go/sdk/azidentity', subscriptions], options)
}
const withExport = (authority: Authority): Mode => ({
  name: 'secret',
  authority,
  set: 'the package of `export go`; PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, SSL_CERT_FILE',
  run: async ({ enclave, home, cache, exportTo, run }) => {
    const source = join(home, 'source')
    await cp(join(cache, 'go-programs/go'), source, { recursive: true })
    await mkdir(join(source, 'cloudprofile'))
    await rename(await exportTo('cloud.go', 'go'), join(source, 'cloudprofile/cloud.go'))
    const built = join(home, 'list')
    await run('go', ['build', '-o', built, './azidentity'], {
      cwd: source,
      env: { ...goVariables(cache), GOPROXY: 'off' },
    })
    await run(built, [], { env: secretOf(enclave) })
  },
})

export const azidentity: Client = {
  name: 'azidentity and armsubscriptions for Go',
  version: '1.15.0',
  exports: ['go'],
  inCi: true,
  traps: [
    'A client appends `/.default` to the audience in `cloud.Configuration`: with a final slash the scope has two slashes, which some authorities refuse.',
    '`DisableInstanceDiscovery` belongs to each credential, not to the cloud.',
  ],
  install,
  modes: [withExport('tenants'), withExport('federation service')],
}

export const goAzureSdk: Client = {
  name: 'hashicorp/go-azure-sdk',
  version: '0.20260811.1225050',
  exports: [],
  inCi: true,
  traps: [
    'It requires `name`, `resourceManager` and `microsoftGraphResourceId` in the 2022-09-01 document.',
    'It appends `/` and the tenant to `authentication.loginEndpoint`. With a final slash the path begins with two slashes, which is no token endpoint.',
    'It never contacts the public instance discovery.',
    'It requests a token for the resource manager endpoint, whatever audience the metadata document names. In a cloud that does not accept its endpoint as an audience it gets AADSTS500011. This run used `enclave --lenient`.',
  ],
  install,
  modes: [
    {
      name: 'environments.FromEndpoint, secret',
      authority: 'tenants',
      asksForEndpoint: true,
      set: 'our metadata host; PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, SSL_CERT_FILE',
      run: async (stage) => {
        const env = {
          ...secretOf(stage.enclave),
          PLATFORM_TENANT_ID: stage.enclave.tenantId,
          METADATA_ENDPOINT: await stage.metadataHost(),
        }
        await stage.run(program(stage, 'go-azure-sdk'), [], { env })
      },
    },
  ],
}

const environmentFile = (authority: Authority): Mode => ({
  name: 'environment file, secret',
  authority,
  set: '`export go-autorest` in AZURE_ENVIRONMENT_FILEPATH; tenant, client and secret; SSL_CERT_FILE',
  run: async (stage) => {
    const env = {
      ...secretOf(stage.enclave),
      PLATFORM_TENANT_ID: stage.enclave.tenantId,
      AZURE_ENVIRONMENT_FILEPATH: await stage.exportTo('environment.json', 'go-autorest'),
    }
    await stage.run(program(stage, 'go-autorest'), [], { env })
  },
})

export const goAutorest: Client = {
  name: 'go-autorest',
  version: '0.11.30',
  exports: ['go-autorest'],
  inCi: true,
  traps: [
    'It reads the cloud of the file only under the name `AzureStackCloud`.',
    'It calls the older token endpoint with `resource`, so the audience of the token is spelled as `tokenAudience` in the file.',
  ],
  install,
  modes: [environmentFile('tenants'), environmentFile('federation service')],
}
