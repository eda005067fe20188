import { toolNameOf } from '../profile/tool-values.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide as quote } from './quote.ts'

/**
 * A scrape job of Prometheus 2 that finds virtual machines. Version 3 knows clouds by name only.
 *
 * Source: `discovery/azure/azure.go` of Prometheus 2.42 and 3.
 */
export const prometheusExport = defineExport({
  name: 'prometheus',
  what: 'azure_sd_configs of Prometheus 2',
  group: 'observability',
  comment: '#',
  addByHand:
    'subscription, client and secret; AZURE_ENVIRONMENT_FILEPATH with `export go-autorest` in the environment of Prometheus; SSL_CERT_FILE',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = toolNameOf(profile, 'goAutorest')
  const { tenantId = 'TENANT_ID' } = identityProviderOf(profile)
  const body = `scrape_configs:
  - job_name: azure
    azure_sd_configs:
      - environment: ${known ?? 'AzureStackCloud'}
        authentication_method: OAuth
        subscription_id: SUBSCRIPTION_ID
        tenant_id: ${quote(tenantId)}
        client_id: CLIENT_ID
        client_secret: CLIENT_SECRET
        port: 9100
`
  const notes = [
    'Replace SUBSCRIPTION_ID, CLIENT_ID, CLIENT_SECRET and the port.',
    ...(known === undefined
      ? [
          'Prometheus 2 only, with AZURE_ENVIRONMENT_FILEPATH: npm run --silent profile -- export go-autorest > FILE',
          'Prometheus 3 knows clouds by name only, and refuses to start with AzureStackCloud.',
          'It requests its token for the resource manager endpoint, whatever audience the profile has.',
        ]
      : []),
  ]
  return { notes, body }
}
