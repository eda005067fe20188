import type { CloudProfile } from '../profile/cloud-profile.ts'
import { azCloud } from '../profile/az-cloud.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { toolNameOf, withoutSlash } from '../profile/tool-values.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide } from './quote.ts'

/** A play's defaults for the modules of `azure.azcollection`, for `module_defaults`. */
export const ansibleExport = defineExport({
  name: 'ansible',
  what: 'defaults of a play for azure.azcollection',
  group: 'infrastructure',
  comment: '#',
  addByHand:
    'AZURE_CLIENT_ID, AZURE_SECRET, AZURE_SUBSCRIPTION_ID; REQUESTS_CA_BUNDLE; for a private cloud the file of `ansible-sitecustomize` on PYTHONPATH. The inventory plugin does not read `module_defaults`: repeat the values in its file. `azure_rm_ad*` modules contact the public Microsoft Graph whatever the cloud',
  write: writeDefaults,
})

function writeDefaults(profile: CloudProfile): ExportText {
  const known = toolNameOf(profile, 'az')
  const { kind, tenantId, authorityBase, disableInstanceDiscovery } = identityProviderOf(profile)
  const settings: readonly (readonly [name: string, value: string])[] = [
    ['cloud_environment', quote(known ?? azCloud(profile).name)],
    // The credential library appends the tenant, also that of a federation service.
    ...(kind === 'federation-service' ? [['adfs_authority_url', quote(addressOf(authorityBase))] as const] : []),
    ['tenant', tenantId === undefined ? variable('AZURE_TENANT') : quote(tenantId)],
    ['client_id', variable('AZURE_CLIENT_ID')],
    ['secret', variable('AZURE_SECRET')],
    ['subscription_id', variable('AZURE_SUBSCRIPTION_ID')],
    ...(disableInstanceDiscovery ? [['disable_instance_discovery', 'true'] as const] : []),
  ]
  const notes = [
    'Put it into a play, or into a file that the play includes.',
    'The modules take all of these values as parameters, or none: without client_id they read the environment and ignore the cloud.',
    ...(known === undefined
      ? [
          'They do not know this cloud: export ansible-sitecustomize > python/sitecustomize.py, then export PYTHONPATH=$PWD/python.',
          'For modules on another machine, set PYTHONPATH there with the keyword "environment" of the play.',
        ]
      : []),
  ]
  const lines = settings.map(([name, value]) => `    ${name}: ${value}\n`)
  return { notes, body: `module_defaults:\n  group/azure.azcollection.all:\n${lines.join('')}` }
}

/** A Python file that teaches `azure.azcollection` a cloud, because no parameter can since its release of October 2023. */
export const ansibleSitecustomizeExport = defineExport({
  name: 'ansible-sitecustomize',
  what: 'sitecustomize.py by which those modules know the cloud',
  group: 'infrastructure',
  comment: '#',
  addByHand: 'its folder in PYTHONPATH where the modules run. A `sitecustomize.py` of the system is then not loaded',
  write: writeSitecustomize,
})

function writeSitecustomize(profile: CloudProfile): ExportText {
  const { name, endpoints, suffixes } = azCloud(profile)
  const { authorityBase } = identityProviderOf(profile)
  const all = {
    ...endpoints,
    resourceManager: profile.resourceManagerEndpoint,
    activeDirectory: withoutSlash(authorityBase),
  }
  const scope = `${withoutSlash(profile.resourceManagerAudience)}/.default`
  if (toolNameOf(profile, 'az') !== undefined) {
    return { notes: ['Not needed: azure.azcollection knows this cloud by its name.'], body: 'pass\n' }
  }
  return {
    notes: ['File name: sitecustomize.py. Python loads it from PYTHONPATH at each start.'],
    body: `import sys
from importlib.machinery import PathFinder

NAME = ${quoteWide(name)}
ENDPOINTS = ${dictionary(all)}
SUFFIXES = ${dictionary(suffixes)}
RESOURCE_MANAGER_SCOPE = ${quoteWide(scope)}


def add_cloud(module):
    """The collection takes as a cloud what it finds in this module under the given name."""
    endpoints, suffixes = module.CloudEndpoints(), module.CloudSuffixes()
    for key, value in ENDPOINTS.items():
        setattr(endpoints, key, value)
    for key, value in SUFFIXES.items():
        setattr(suffixes, key, value)
    module.CLOUD_PROFILE = module.Cloud(NAME, endpoints=endpoints, suffixes=suffixes)


def use_audience(module):
    """The collection requests tokens for the address of the resource manager. Its audience can be another one."""
    policy = module.BearerTokenCredentialPolicy
    init = policy.__init__
    asked = ENDPOINTS["resource_manager"].rstrip("/") + "/.default"

    def init_with_audience(self, credential, *scopes, **options):
        scopes = [RESOURCE_MANAGER_SCOPE if scope == asked else scope for scope in scopes]
        init(self, credential, *scopes, **options)

    policy.__init__ = init_with_audience


class AfterImport:
    """Runs a function after a module has been imported, so that other programs do not pay for it."""

    changes = {"azure.cli.core.cloud": add_cloud, "azure.core.pipeline.policies._authentication": use_audience}

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        change = cls.changes.get(name)
        spec = PathFinder.find_spec(name, path, target) if change else None
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                change(module)

            spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, AfterImport)
`,
  }
}

/** A Python dictionary with the keys in the spelling of Python. */
function dictionary(values: Readonly<Record<string, string>>): string {
  const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return `{\n${Object.entries(values)
    .map(([key, value]) => `    "${snake(key)}": ${quoteWide(value)},\n`)
    .join('')}}`
}

/** A template that reads a variable of the control node, and fails by its name when it is not set. */
function variable(name: string): string {
  return `"{{ lookup('env', '${name}', default=undef(hint='Set ${name}')) }}"`
}

/** A URL's own escapes leave no brace in it: Ansible runs what stands between two of them. */
function addressOf(url: string): string {
  return withoutSlash(URL.canParse(url) ? new URL(url).href : url)
}

/** A text that Ansible does not evaluate. */
function quote(text: string): string {
  return `${text.includes('{') ? '!unsafe ' : ''}${quoteWide(text)}`
}
