import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide } from './quote.ts'
import { knownCloudOf } from '../clouds/known-cloud-of.ts'
import { withoutSlash } from '../profile/tool-values.ts'

/**
 * A play's defaults for the modules of `azure.azcollection`, for `module_defaults`. A cloud that they do not know by
 * name is named by its resource manager, whose metadata they ask.
 */
export const ansibleExport = defineExport({
  name: 'ansible',
  what: 'defaults of a play for azure.azcollection',
  group: 'infrastructure',
  comment: '#',
  addByHand: 'AZURE_CLIENT_ID and AZURE_SECRET; REQUESTS_CA_BUNDLE',
  read: 'azure.azcollection',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = knownCloudOf(profile)
  const { kind, tenantId, authorityUrl, disableInstanceDiscovery } = identityProviderOf(profile)
  const settings: readonly (readonly [name: string, value: string])[] = [
    // The modules append `/metadata/…`, so the endpoint loses its final slash.
    ['cloud_environment', quote(known?.az ?? addressOf(profile.resourceManagerEndpoint))],
    ...(kind === 'federation-service' ? [['adfs_authority_url', quote(addressOf(authorityUrl))] as const] : []),
    ...(tenantId === undefined ? [] : [['tenant', quote(tenantId)] as const]),
    ...(disableInstanceDiscovery ? [['disable_instance_discovery', 'true'] as const] : []),
  ]
  const notes = [
    'Put it into a play, or into a file that the play includes. AZURE_CLIENT_ID and AZURE_SECRET come from the environment.',
    ...(known === undefined ? ['The modules ask the resource manager for its metadata at every start.'] : []),
  ]
  const body = `module_defaults:
  group/azure.azcollection.azure:
${settings.map(([name, value]) => `    ${name}: ${value}\n`).join('')}`
  return { notes, body }
}

/** A URL's own escapes leave no brace in it: Ansible runs what stands between two of them. */
function addressOf(url: string): string {
  return withoutSlash(URL.canParse(url) ? new URL(url).href : url)
}

/** A text that Ansible does not evaluate. */
function quote(text: string): string {
  return `${text.includes('{') ? '!unsafe ' : ''}${quoteWide(text)}`
}
