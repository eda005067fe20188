import type { CloudProfile } from '../profile/cloud-profile.ts'
import { toolNameOf, withoutDot, withoutSlash } from '../profile/tool-values.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { formatJson } from './quote.ts'

/**
 * The environment file of the controllers of Flux. `export go-autorest` has these fields too, but Flux appends `/.default` to two of them.
 *
 * Source: `auth/azure/options.go` and `auth/azure/provider.go` of fluxcd/pkg, July 2026.
 */
export const fluxExport = defineExport({
  name: 'flux',
  what: 'JSON for AZURE_ENVIRONMENT_FILEPATH of Flux',
  group: 'kubernetes',
  addByHand:
    'the file in a ConfigMap that the controllers mount, and AZURE_ENVIRONMENT_FILEPATH with its path; AZURE_AUTHORITY_HOST and SSL_CERT_FILE in the same pods. With tenants: [instance discovery](instance-discovery.md)',
  read: 'fluxcd/pkg of July 2026',
  write,
})

function write(profile: CloudProfile): ExportText {
  const body = formatJson({
    name: toolNameOf(profile, 'goAutorest') ?? 'AzureStackCloud',
    resourceManagerEndpoint: withoutSlash(profile.resourceManagerEndpoint),
    tokenAudience: withoutSlash(profile.resourceManagerAudience),
    containerRegistryDNSSuffix: withoutDot(profile.serviceDnsSuffixes.containerRegistry),
  })
  return { body }
}
