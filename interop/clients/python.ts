import { join } from 'node:path'
import { type Authority, type Client, type Installation, type Mode, secretOf } from '../client.ts'
import { programs } from '../programs.ts'

const mode = (folder: string, authority: Authority): Mode => ({
  name: 'secret',
  authority,
  set: 'the module of `export python`; PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, REQUESTS_CA_BUNDLE',
  run: async ({ enclave, home, cache, exportTo, run }) => {
    await exportTo('cloud.py', 'python')
    const env = { ...secretOf(enclave), PYTHONPATH: home }
    await run(join(cache, folder, 'bin/python'), [join(programs, 'python/list_subscriptions.py')], { env })
  },
})

/** @param requirements Words for pip. */
const installInto = async (folder: string, { cache, run }: Installation, requirements: readonly string[]) => {
  await run('python3', ['-m', 'venv', join(cache, folder)])
  await run(join(cache, folder, 'bin/pip'), ['install', '--quiet', ...requirements])
}

export const python: Client = {
  name: 'azure-identity for Python',
  version: '1.27.0',
  exports: ['python'],
  inCi: true,
  traps: [
    'A management client takes endpoint and scope separately from the credential. Without `credential_scopes` it requests a token of the public cloud.',
    'It trusts REQUESTS_CA_BUNDLE, and not the certificates of the system.',
  ],
  install: (installation) =>
    installInto('python', installation, ['--requirement', join(programs, 'python/requirements.txt')]),
  modes: [mode('python', 'tenants'), mode('python', 'federation service')],
}

export const oldestPython: Client = {
  name: 'azure-identity for Python, the oldest that works',
  version: '1.13.0',
  exports: ['python'],
  inCi: false,
  traps: ['Older releases cannot disable instance discovery, and contact the public cloud: the module refuses them.'],
  install: (installation) =>
    installInto('python-oldest', installation, ['azure-identity==1.13.0', 'azure-mgmt-subscription==3.1.1']),
  modes: [mode('python-oldest', 'tenants'), mode('python-oldest', 'federation service')],
}
