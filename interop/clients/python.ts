import { join } from 'node:path'
import { type Authority, type Client, type Mode, secretOf } from '../client.ts'
import { programs } from '../programs.ts'

const mode = (authority: Authority): Mode => ({
  name: 'secret',
  authority,
  set: 'the module of `export python`; PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, REQUESTS_CA_BUNDLE',
  run: async ({ enclave, home, cache, exportTo, run }) => {
    await exportTo('cloud.py', 'python')
    const env = { ...secretOf(enclave), PYTHONPATH: home }
    await run(join(cache, 'python/bin/python'), [join(programs, 'python/list_subscriptions.py')], { env })
  },
})

export const python: Client = {
  name: 'azure-identity for Python',
  version: '1.27.0',
  exports: ['python'],
  inCi: true,
  traps: [
    'A management client takes endpoint and scope separately from the credential. Without `credential_scopes` it requests a token of the public cloud.',
    'It trusts REQUESTS_CA_BUNDLE, and not the certificates of the system.',
  ],
  install: async ({ cache, run }) => {
    const requirements = join(programs, 'python/requirements.txt')
    await run('python3', ['-m', 'venv', join(cache, 'python')])
    await run(join(cache, 'python/bin/pip'), ['install', '--quiet', '--requirement', requirements])
  },
  modes: [mode('tenants'), mode('federation service')],
}
