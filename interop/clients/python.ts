import { join } from 'node:path'
import { type Authority, azureSecretOf, type Client, installPython, type Mode, programs, secretOf } from '../client.ts'

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
    installPython(installation, 'python', ['--requirement', join(programs, 'python/requirements.txt')]),
  modes: [mode('python', 'tenants'), mode('python', 'federation service')],
}

export const oldestPython: Client = {
  name: 'azure-identity for Python (oldest)',
  version: '1.13.0',
  exports: ['python'],
  inCi: false,
  traps: ['Older releases cannot disable instance discovery, and contact the public cloud: the module refuses them.'],
  install: (installation) =>
    installPython(installation, 'python-oldest', ['azure-identity==1.13.0', 'azure-mgmt-subscription==3.1.1']),
  modes: [mode('python-oldest', 'tenants'), mode('python-oldest', 'federation service')],
}

/** MSAL as older tools use it: they leave instance discovery on. */
const msalMode = (name: string, authority: Authority, discovery?: Mode['discovery']): Mode => ({
  name,
  authority,
  ...(discovery === undefined ? {} : { discovery }),
  set: '`export env`; AZURE_CLIENT_ID, AZURE_CLIENT_SECRET, REQUESTS_CA_BUNDLE',
  run: async ({ enclave, cache, exportTo, run }) => {
    const env = {
      ...azureSecretOf(enclave),
      SCOPE: `${enclave.resourceManagerAudience}.default`,
      SUBSCRIPTIONS: `${enclave.resourceManagerEndpoint}subscriptions?api-version=2022-12-01`,
    }
    const program = [join(cache, 'python-msal/bin/python'), join(programs, 'python/msal_discovery.py')]
    const script = ['-ec', '. "$1"; shift; exec "$@"', 'sh', await exportTo('cloud.sh', 'env'), ...program]
    await run('sh', script, { env })
  },
})

export const msalPython: Client = {
  name: 'MSAL for Python',
  version: '1.34.0',
  exports: ['env'],
  inCi: false,
  traps: [
    'It leaves the port out of the authority that it asks about.',
    'It asks for the aliases of all authorities, under the address of the public cloud, when an account is not in its cache.',
  ],
  install: (installation) => installPython(installation, 'python-msal', ['msal==1.34.0']),
  modes: [
    msalMode('secret, no instance discovery', 'tenants', 'absent'),
    msalMode('secret, our instance discovery', 'tenants', 'ours'),
    msalMode('secret', 'federation service'),
  ],
}
