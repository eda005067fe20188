import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Authority, Client, Mode } from '../client.ts'

/** Lists the resource groups: the smallest module that logs in and contacts the resource manager. */
const play = (defaults: string): string => `- hosts: localhost
  gather_facts: false
${defaults.replace(/^(?=.)/gm, '  ')}  tasks:
    - azure.azcollection.azure_rm_resourcegroup_info:
`

const mode = (authority: Authority): Mode => ({
  name: 'secret',
  authority,
  set: '`export ansible` in a play, the file of `export python-sitecustomize` on PYTHONPATH; AZURE_CLIENT_ID, AZURE_SECRET, AZURE_SUBSCRIPTION_ID, AZURE_TENANT, REQUESTS_CA_BUNDLE',
  run: async ({ enclave, home, cache, exported, exportTo, run }) => {
    await mkdir(join(home, 'python'))
    await rename(await exportTo('site.py', 'python-sitecustomize'), join(home, 'python/sitecustomize.py'))
    await writeFile(join(home, 'play.yml'), play(await exported('ansible')))
    const env = {
      PATH: `${join(cache, 'ansible/bin')}:${process.env['PATH'] ?? ''}`,
      PYTHONPATH: join(home, 'python'),
      // All four, which would make modules without parameters log in to the public cloud.
      AZURE_CLIENT_ID: enclave.clientId,
      AZURE_SECRET: enclave.clientSecret,
      AZURE_SUBSCRIPTION_ID: enclave.subscriptionId,
      AZURE_TENANT: enclave.tenantId,
    }
    await run('ansible-playbook', ['play.yml'], { env })
  },
})

export const ansible: Client = {
  name: 'azure.azcollection 3.12.0 of ansible',
  version: '12.3.0',
  exports: ['ansible', 'python-sitecustomize'],
  inCi: false,
  traps: [
    'Module parameters and environment exclude each other: without `client_id` as a parameter the modules read the environment, ignore `cloud_environment` and contact the public cloud.',
    'A URL as `cloud_environment` fails, because the library that it calls lost the function in October 2023. The name must be that of a cloud in `azure.cli.core.cloud`.',
    'It requests tokens for the resource manager endpoint, whatever audience the cloud has. The file of `export python-sitecustomize` requests the audience of the profile.',
    '`adfs_authority_url` is the federation service without `/adfs`, because the tenant `adfs` is appended.',
    'The modules `azure_rm_ad*` contact the public Microsoft Graph, and the inventory plugin does not read `module_defaults`.',
  ],
  install: async ({ cache, run }) => {
    const pip = join(cache, 'ansible/bin/pip')
    await run('python3', ['-m', 'venv', join(cache, 'ansible')])
    await run(pip, ['install', '--quiet', 'ansible==12.3.0'])
    // The collection's own list, which comes with it.
    const find =
      'import ansible_collections, pathlib; print(pathlib.Path(next(iter(ansible_collections.__path__))) / "azure/azcollection/requirements.txt")'
    const requirements = await run(join(cache, 'ansible/bin/python'), ['-c', find])
    await run(pip, ['install', '--quiet', '--requirement', requirements.trim()])
  },
  modes: [mode('tenants'), mode('federation service')],
}
