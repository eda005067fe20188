import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, type Installation, programs, secretOf } from '../client.ts'

const folderOf = (cache: string): string => join(cache, 'rust')

const cargoVariables = (cache: string): Record<string, string> => ({ CARGO_HOME: join(cache, 'cargo') })

export const rust: Client = {
  name: 'azure_identity for Rust',
  version: '1.0.0',
  exports: ['rust'],
  inCi: false,
  traps: [
    'It never asks for instance discovery.',
    'It appends `/{tenant}/oauth2/v2.0/token` to the authority, so a federation service is impossible.',
  ],
  install: async ({ cache, run }: Installation) => {
    await cp(join(programs, 'rust'), folderOf(cache), { recursive: true })
    const options = { cwd: folderOf(cache), env: cargoVariables(cache) }
    await run('cargo', ['fetch', '--quiet'], options)
  },
  modes: [
    {
      name: 'secret',
      authority: 'tenants',
      set: 'the module of `export rust`; PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, SSL_CERT_FILE',
      run: async ({ enclave, files, home, cache, exportTo, run }) => {
        const folder = folderOf(cache)
        await cp(await exportTo('cloud.rs', 'rust'), join(folder, 'src/cloud.rs'))
        const rustup = process.env['RUSTUP_HOME'] ?? join(process.env['HOME'] ?? '', '.rustup')
        const env = { ...cargoVariables(cache), RUSTUP_HOME: rustup }
        await run('cargo', ['build', '--quiet', '--offline'], { cwd: folder, env })
        const token = await run(join(folder, 'target/debug/interop'), [], { env: secretOf(enclave), cwd: home })
        const address = `${enclave.resourceManagerEndpoint}subscriptions?api-version=2022-12-01`
        // On stdin, so that it stands in no list of processes.
        const request = `header = "Authorization: Bearer ${token}"\nurl = "${address}"\n`
        const options = ['--silent', '--show-error', '--fail', '--cacert', files.authorityPath, '--config', '-']
        await run('curl', options, { input: request })
      },
    },
  ],
}
