import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteHcl } from './quote.ts'
import { knownCloudOf } from '../clouds/known-cloud-of.ts'
import { metadataHostOf, withoutSlash } from '../profile/tool-values.ts'

/**
 * Provider blocks for Terraform. A cloud that the providers do not know by name is named by its metadata host, which
 * azurerm and azuread ask for every endpoint; azapi takes the endpoints as they are. An on-premises stack has a
 * separate provider.
 */
export const terraformExport = defineExport({
  name: 'terraform',
  what: 'provider blocks',
  group: 'infrastructure',
  comment: '#',
  addByHand:
    'ARM_CLIENT_ID, ARM_CLIENT_SECRET, the subscription; SSL_CERT_FILE; a metadata host with the version 2022-09-01',
  read: 'the providers azurerm, azurestack, azuread and azapi',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = knownCloudOf(profile)
  const { tenantId } = identityProviderOf(profile)
  const tenant = tenantId === undefined ? {} : { tenant_id: quoteHcl(tenantId) }
  const metadataHost = quoteHcl(metadataHostOf(profile))
  const cloud = known === undefined ? { metadata_host: metadataHost } : { environment: quoteHcl(known.terraform) }
  const isStack = profile.environment === 'platformstackcloud'
  const notes =
    known === undefined && profile.metadataEndpoint === undefined
      ? ['The profile has no metadataEndpoint: metadata_host works only if the resource manager offers metadata.']
      : []
  const blocks = [
    block(isStack ? 'azurestack' : 'azurerm', { ...cloud, ...tenant }, ['features {}']),
    ...(isStack ? [] : [block('azuread', { ...cloud, ...tenant })]),
    block('azapi', { ...(known === undefined ? azapiEndpoints(profile) : cloud), ...tenant }),
  ]
  return { notes, body: `\n${blocks.join('\n')}` }
}

function azapiEndpoints(profile: CloudProfile): Readonly<Record<string, string>> {
  return {
    environment: quoteHcl('custom'),
    disable_instance_discovery: String(identityProviderOf(profile).disableInstanceDiscovery),
    endpoint: `[{
    active_directory_authority_host = ${quoteHcl(identityProviderOf(profile).authorityBase)}
    resource_manager_endpoint       = ${quoteHcl(profile.resourceManagerEndpoint)}
    resource_manager_audience       = ${quoteHcl(withoutSlash(profile.resourceManagerAudience))}
  }]`,
  }
}

function block(provider: string, settings: Readonly<Record<string, string>>, first: readonly string[] = []): string {
  const width = Math.max(...Object.keys(settings).map((name) => name.length))
  const lines = [...first, ...Object.entries(settings).map(([name, value]) => `${name.padEnd(width)} = ${value}`)]
  return `provider "${provider}" {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
}
