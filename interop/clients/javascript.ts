import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, programs, secretOf } from '../client.ts'

export const javascript: Client = {
  name: '@azure/identity with storage and key vault clients',
  version: '4.14.1',
  exports: ['typescript'],
  inCi: true,
  traps: [
    'Newer management clients take `credentials: { scopes }`, older ones `credentialScopes`; they ignore the wrong one and request a token of the public cloud.',
    'The `audience` of the storage client is a scope and must end with `/.default`.',
    'The key vault client refuses a challenge for another domain than the vault’s. Behind a proxy or a tunnel, set `disableChallengeResourceVerification`.',
  ],
  install: async ({ cache, run }) => {
    await cp(join(programs, 'javascript'), join(cache, 'javascript'), { recursive: true })
    await run('npm', ['install', '--no-package-lock', '--no-audit', '--no-fund'], { cwd: join(cache, 'javascript') })
  },
  modes: [
    {
      name: 'secret',
      authority: 'tenants',
      set: 'the module of `export typescript`; PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, NODE_EXTRA_CA_CERTS',
      reaches: ['login', 'resource-manager', 'storage', 'vault'],
      run: async ({ enclave, home, cache, exportTo, run }) => {
        // The module is TypeScript and looks for its library beside itself, so it goes where the library is.
        const folder = join(cache, 'javascript')
        await exportTo('cloud.ts', 'typescript')
        await cp(join(programs, 'javascript/list.mjs'), join(folder, 'list.mjs'))
        await cp(join(home, 'cloud.ts'), join(folder, 'cloud.ts'))
        const env = {
          ...secretOf(enclave),
          CLOUD_MODULE: join(folder, 'cloud.ts'),
          STORAGE_URL: enclave.storageEndpoint,
          VAULT_URL: enclave.vaultEndpoint,
        }
        await run(process.execPath, [join(folder, 'list.mjs')], { env })
      },
    },
  ],
}
