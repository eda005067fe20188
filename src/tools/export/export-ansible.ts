import { withoutFinalSlashes } from '../../lib/base/address.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { toolNameOf } from '../../lib/clouds/tool-names.ts'
import { azCloud } from '../../lib/profile/az-cloud.ts'
import { resolveProvider } from '../../lib/profile/resolved-cloud.ts'
import { defineExport } from './define-export.ts'
import { quoteWide } from './quote.ts'
import { Source, templateOf } from './template.ts'

/** Without this tag, Ansible evaluates braces in a text. */
const yaml = templateOf((text) => `${text.includes('{') ? '!unsafe ' : ''}${quoteWide(text)}`)
const python = templateOf(quoteWide, (flag) => (flag ? 'True' : 'False'))

const knownName = (profile: CloudProfile) => toolNameOf(profile, 'az')

/** `module_defaults` of a play, for the modules of `azure.azcollection`. */
export const ansibleExport = defineExport({
  name: 'ansible',
  what: 'defaults of a play for azure.azcollection',
  group: 'infrastructure',
  comment: '#',
  addByHand:
    'AZURE_CLIENT_ID, AZURE_SECRET, AZURE_SUBSCRIPTION_ID; REQUESTS_CA_BUNDLE; for a private cloud the file of `ansible-cloud` on PYTHONPATH. The inventory plugin does not read `module_defaults`: repeat the values in its file. `azure_rm_ad*` modules contact the public Microsoft Graph in every cloud',
  reader: 'a YAML parser; in version 1 also azure.azcollection 3.12',
  notes: (profile) => [
    'Put it into a play, or into a file that the play includes.',
    'Keep all of these values: without client_id the modules read the environment, and ignore the cloud.',
    ...(knownName(profile) === undefined
      ? [
          'The modules do not know this cloud. Write the export ansible-cloud to python/sitecustomize.py, and set PYTHONPATH=$PWD/python.',
          'For modules on another machine, set PYTHONPATH with the keyword "environment" of the play.',
        ]
      : []),
  ],
  write(profile) {
    const cloud = resolveProvider({ profile })
    const { authorityBase, kind, tenantId, disableInstanceDiscovery } = cloud.provider
    // The modules append the tenant. A parsed URL contains no braces.
    const isFederation = kind === 'federation-service'
    const address = isFederation ? withoutFinalSlashes(URL.parse(authorityBase)?.href ?? authorityBase) : undefined
    const name = knownName(profile) ?? azCloud(cloud).name
    const lookup = (variable: string) =>
      new Source(`"{{ lookup('env', '${variable}', default=undef(hint='Set ${variable}')) }}"`)
    return yaml`
module_defaults:
  group/azure.azcollection.all:
    cloud_environment: ${name}
    adfs_authority_url: ${address}
    tenant: ${tenantId ?? lookup('AZURE_TENANT')}
    client_id: ${lookup('AZURE_CLIENT_ID')}
    secret: ${lookup('AZURE_SECRET')}
    subscription_id: ${lookup('AZURE_SUBSCRIPTION_ID')}
    disable_instance_discovery: ${disableInstanceDiscovery ? true : undefined}`
  },
})

/** A Python file that adds a cloud to the modules. Since October 2023, no parameter of the modules can add one. */
export const ansibleCloudExport = defineExport({
  name: 'ansible-cloud',
  what: 'sitecustomize.py that adds a private cloud to azure.azcollection',
  group: 'infrastructure',
  comment: '#',
  addByHand: 'its folder in PYTHONPATH where the modules run. Python then ignores a `sitecustomize.py` of the system',
  reader: 'Python, with the names of azure-cli-core 2.91 and azure-core 1.36',
  notes: (profile) => [
    'File name: sitecustomize.py. Python loads it from PYTHONPATH at each start.',
    ...(knownName(profile) === undefined ? [] : ['Not needed for this cloud: azure.azcollection knows it by name.']),
  ],
  write(profile) {
    const cloud = resolveProvider({ profile })
    const { name, endpoints, suffixes } = azCloud(cloud)
    const all = {
      ...endpoints,
      resourceManager: profile.resourceManagerEndpoint,
      activeDirectory: withoutFinalSlashes(cloud.provider.authorityBase),
    }
    const rows = (values: Readonly<Record<string, string>>) =>
      Object.entries(values).map(([key, value]) => python`${snake(key)}: ${value},`)
    return python`
import sys
from importlib.machinery import PathFinder

ENDPOINTS = {
    ${rows(all)}
}
SUFFIXES = {
    ${rows(suffixes)}
}


def add_cloud(module):
    """The collection looks up a cloud in this module by the name of an attribute."""
    endpoints, suffixes = module.CloudEndpoints(), module.CloudSuffixes()
    vars(endpoints).update(ENDPOINTS)
    vars(suffixes).update(SUFFIXES)
    module.CLOUD_PROFILE = module.Cloud(${name}, endpoints=endpoints, suffixes=suffixes)


def use_audience(module):
    """The collection requests tokens for the address of the resource manager, which may differ from its audience."""
    policy = module.BearerTokenCredentialPolicy
    init = policy.__init__
    endpoint = ENDPOINTS["resource_manager"].rstrip("/") + "/.default"
    audience = ${`${withoutFinalSlashes(profile.resourceManagerAudience)}/.default`}

    def init_with_audience(self, credential, *scopes, **options):
        init(self, credential, *[audience if scope == endpoint else scope for scope in scopes], **options)

    policy.__init__ = init_with_audience


class AfterImport:
    """Changes a module after its import, so that programs without it lose no time."""

    changes = {
        "azure.cli.core.cloud": add_cloud,
        "azure.core.pipeline.policies._authentication": use_audience,
    }

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


sys.meta_path.insert(0, AfterImport)`
  },
})

const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
