import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide as quote } from './quote.ts'
import { toolNameOf, metadataHostOf } from '../profile/tool-values.ts'

/**
 * A stack's configuration for the providers of Pulumi. A cloud that they do not know by name is named by its metadata
 * host, which they ask over https for the version 2022-09-01.
 */
export const pulumiExport = defineExport({
  name: 'pulumi',
  what: 'configuration of a stack',
  group: 'infrastructure',
  comment: '#',
  addByHand:
    'ARM_CLIENT_ID, ARM_CLIENT_SECRET, the subscription; SSL_CERT_FILE; a metadata host with the version 2022-09-01 (`--metadata-host`)',
  read: 'the configuration of pulumi-azure-native, pulumi-azure and pulumi-azuread',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = toolNameOf(profile, 'terraform')
  const cloud = known === undefined ? ['metadataHost', metadataHostOf(profile)] : ['environment', known]
  const { kind, tenantId, disableInstanceDiscovery } = identityProviderOf(profile)
  const tenant = tenantId === undefined ? [] : [['tenantId', tenantId]]
  // The older providers are made from those of Terraform, which learn from the metadata that an authority is private.
  const native = disableInstanceDiscovery ? [['disableInstanceDiscovery', 'true']] : []
  const providers = {
    'azure-native': [cloud, ...tenant, ...native],
    azure: [cloud, ...tenant],
    azuread: [cloud, ...tenant],
  }
  const lines = Object.entries(providers).flatMap(([provider, settings]) =>
    settings.map(([name = '', value = '']) => `  ${provider}:${name}: ${quote(value)}\n`),
  )
  const notes =
    kind === 'federation-service'
      ? [
          'Beside a federation service azure and azuread cannot sign in: they request tokens at /oauth2/v2.0/token, which it does not have.',
        ]
      : []
  return { notes: ['File name: Pulumi.STACK.yaml', ...notes], body: `config:\n${lines.join('')}` }
}
