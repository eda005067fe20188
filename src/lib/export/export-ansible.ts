import type { CloudProfile } from '../profile/cloud-profile.ts'
import { shouldDisableInstanceDiscovery } from '../profile/instance-discovery.ts'
import { header } from './header.ts'
import { quoteWide as quote } from './quote.ts'
import { knownCloudOf } from '../clouds/known-cloud-of.ts'
import { withoutSlash } from '../profile/tool-values.ts'

/**
 * A play's defaults for the modules of `azure.azcollection`, for `module_defaults`. A cloud that they do not know by
 * name is named by its resource manager, whose metadata they ask.
 */
export function exportAnsible(profile: CloudProfile): string {
  const known = knownCloudOf(profile)
  const isFederation = profile.tenantId?.toLowerCase() === 'adfs'
  const settings: readonly (readonly [name: string, value: string])[] = [
    // The modules append `/metadata/…`, so the endpoint loses its final slash.
    ['cloud_environment', quote(known?.az ?? withoutSlash(profile.resourceManagerEndpoint))],
    ...(isFederation ? [['adfs_authority_url', quote(withoutSlash(profile.authorityHost))] as const] : []),
    ...(profile.tenantId === undefined ? [] : [['tenant', quote(profile.tenantId)] as const]),
    ...(shouldDisableInstanceDiscovery(profile.authorityHost) ? [['disable_instance_discovery', 'true'] as const] : []),
  ]
  const notes = [
    'Put it into a play, or into a file that the play includes. AZURE_CLIENT_ID and AZURE_SECRET come from the environment.',
    ...(known === undefined ? ['The modules ask the resource manager for its metadata at every start.'] : []),
  ]
  return `${header(profile, 'ansible', '#', ...notes)}module_defaults:
  group/azure.azcollection.azure:
${settings.map(([name, value]) => `    ${name}: ${value}\n`).join('')}`
}
