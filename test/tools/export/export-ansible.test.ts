import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { ansibleCloudExport } from '../../../src/tools/export/export-ansible.ts'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import { azCloud } from '../../../src/lib/profile/az-cloud.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { identityProviderOf } from '../../../src/lib/profile/identity-provider.ts'
import { resolveProvider } from '../../../src/lib/profile/resolved-cloud.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { missing } from '../../support/missing.ts'
import { enclave, government, stack, unvalidated } from '../../support/sample-profiles.ts'

const run = promisify(execFile)
const temp = useTemporaryDirectory()
const withoutPython = missing('python3', '--version')
const defaultsOf = (profile: CloudProfile) =>
  (
    parse(exportFormats['ansible']?.render(profile) ?? '') as {
      module_defaults: Record<string, Record<string, unknown>>
    }
  ).module_defaults['group/azure.azcollection.all']

test('ansible gives client, secret and subscription as parameters, because the modules otherwise read the environment only', () => {
  const read = (name: string) => `{{ lookup('env', '${name}', default=undef(hint='Set ${name}')) }}`
  expect(defaultsOf(enclave)).toEqual({
    cloud_environment: 'enclave',
    tenant: 'contoso.test',
    client_id: read('AZURE_CLIENT_ID'),
    secret: read('AZURE_SECRET'),
    subscription_id: read('AZURE_SUBSCRIPTION_ID'),
    disable_instance_discovery: true,
  })
  const known = { cloud_environment: 'AzureUSGovernment', tenant: read('AZURE_TENANT') }
  expect(defaultsOf(government)).toMatchObject(known)
  // The tenant is appended to the authority.
  expect(defaultsOf(stack)).toMatchObject({ adfs_authority_url: 'https://adfs.stack.test', tenant: 'adfs' })
})

/** What the modules import, reduced to what the file changes. */
const stubs = {
  'azure/cli/core/cloud.py': `class CloudEndpoints: pass
class CloudSuffixes: pass
class Cloud:
    def __init__(self, name, endpoints, suffixes): self.name, self.endpoints, self.suffixes = name, endpoints, suffixes
`,
  'azure/core/pipeline/policies/_authentication.py': `class Base:
    def __init__(self, credential, *scopes, **options): self.scopes = scopes
class BearerTokenCredentialPolicy(Base): pass
class ArmPolicy(BearerTokenCredentialPolicy): pass
`,
}
const main = `import json, sys
from azure.cli.core import cloud
from azure.core.pipeline.policies import _authentication as policies
c = cloud.CLOUD_PROFILE
print(json.dumps(dict(name=c.name, endpoints=vars(c.endpoints), suffixes=vars(c.suffixes),
  scopes=policies.ArmPolicy(None, sys.argv[1], "https://other.test/.default").scopes)))
`

/** What the modules find with the file on PYTHONPATH. @param endpoint The address for which they request a token. */
async function findCloud(profile: CloudProfile, endpoint = profile.resourceManagerEndpoint) {
  for (const [path, text] of Object.entries(stubs)) temp.write(`python/${path}`, text)
  temp.write('python/sitecustomize.py', ansibleCloudExport.render(profile))
  const env = { PATH: process.env['PATH'], PYTHONPATH: `${temp.path}/python` }
  const { stdout } = await run('python3', ['-B', '-c', main, `${endpoint}.default`], { env })
  return JSON.parse(stdout) as unknown
}

/** The endpoints and suffixes as Python spells them. */
function expectedCloud(profile: CloudProfile) {
  const { name, endpoints, suffixes } = azCloud(resolveProvider({ profile }))
  const snake = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        value,
      ]),
    )
  const authority = identityProviderOf(profile).authorityBase.replace(/\/$/, '')
  return {
    name,
    endpoints: snake({ ...endpoints, resourceManager: profile.resourceManagerEndpoint, activeDirectory: authority }),
    suffixes: snake(suffixes),
    scopes: [`${profile.resourceManagerAudience.replace(/\/$/, '')}/.default`, 'https://other.test/.default'],
  }
}

describe('ansible-cloud', () => {
  const profiles = {
    'with tenants': enclave,
    'with a federation service': stack,
    'that nothing has validated': unvalidated,
  }

  test.skipIf(withoutPython !== '').each(Object.entries(profiles))(
    `adds the cloud, and requests its audience: %s${withoutPython}`,
    async (_label, profile) => {
      expect(await findCloud(profile)).toEqual(expectedCloud(profile))
    },
  )

  test('says that the modules know a cloud', () => {
    expect(ansibleCloudExport.render(government)).toMatch(/^# Not needed for this cloud: azure\.azcollection/m)
  })
})
