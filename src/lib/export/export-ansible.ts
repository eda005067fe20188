import type { CloudProfile } from '../profile/cloud-profile.ts'
import { azCloud } from '../profile/az-cloud.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { toolNameOf, withoutSlash } from '../profile/tool-values.ts'
import { defineExport, templateExport, type ExportText } from './define-export.ts'
import { quoteWide } from './quote.ts'

/** A play's defaults for the modules of `azure.azcollection`, for `module_defaults`. */
export const ansibleExport = defineExport({
  name: 'ansible',
  what: 'defaults of a play for azure.azcollection',
  group: 'infrastructure',
  comment: '#',
  addByHand:
    'AZURE_CLIENT_ID, AZURE_SECRET, AZURE_SUBSCRIPTION_ID; REQUESTS_CA_BUNDLE; for a private cloud the file of `python-sitecustomize` on PYTHONPATH. The inventory plugin does not read `module_defaults`: repeat the values in its file. `azure_rm_ad*` modules contact the public Microsoft Graph whatever the cloud',
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
          'They do not know this cloud: export python-sitecustomize > python/sitecustomize.py, then export PYTHONPATH=$PWD/python.',
          'For modules on another machine, set PYTHONPATH there with the keyword "environment" of the play.',
        ]
      : []),
  ]
  const lines = settings.map(([name, value]) => `    ${name}: ${value}\n`)
  return { notes, body: `module_defaults:\n  group/azure.azcollection.all:\n${lines.join('')}` }
}

/** A Python file that teaches programs a cloud that no parameter of theirs can, such as `azure.azcollection` since its release of October 2023. */
export const pythonSitecustomizeExport = templateExport({
  name: 'python-sitecustomize',
  what: 'sitecustomize.py by which Python programs know the cloud: azure.azcollection, Cloud Custodian',
  group: 'infrastructure',
  language: 'python',
  template: 'sitecustomize.py',
  comment: '#',
  addByHand:
    'its folder in PYTHONPATH where the programs run; `cloud-profile run --python-hook` does it for one program. A `sitecustomize.py` of the system is then not loaded',
  notes: (_, { isKnown }) => [
    'File name: sitecustomize.py. Python loads it from PYTHONPATH at each start.',
    ...(isKnown === true ? ['Not needed by azure.azcollection, which knows this cloud by its name.'] : []),
  ],
})

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
