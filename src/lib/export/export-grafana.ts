import { quoteShell } from '../base/quote-shell.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { knownToTools, withoutSlash } from '../profile/tool-values.ts'
import { instanceDiscoveryNotes } from './client-notes.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { exportVariables } from './shell-variables.ts'

/**
 * The variables by which the Azure data sources of Grafana learn a cloud.
 *
 * Source: `azsettings/cloud_settings.go` and `azsettings/env.go` of grafana-azure-sdk-go 2.4.
 */
export const grafanaExport = defineExport({
  name: 'grafana',
  what: 'variables of the Azure data sources of Grafana',
  group: 'observability',
  comment: '#',
  addByHand:
    'the credential in the data source, with the cloud chosen by its display name; SSL_CERT_FILE. With tenants: [instance discovery](instance-discovery.md)',
  read: 'grafana-azure-sdk-go 2.4',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = knownToTools(profile)
  if (known !== undefined) return { body: exportVariables({ GFAZPL_AZURE_CLOUD: quoteShell(known.az) }) }
  const { name, displayName, portalUrl, resourceManagerEndpoint, extensions = {} } = profile
  const { logAnalytics, openSourceDatabases } = extensions
  const properties = {
    // The data source puts a path behind each.
    resourceManager: withoutSlash(resourceManagerEndpoint),
    ...(portalUrl === undefined ? {} : { portal: withoutSlash(portalUrl) }),
    ...(logAnalytics === undefined ? {} : { logAnalytics: withoutSlash(logAnalytics) }),
    ...(openSourceDatabases === undefined ? {} : { ossrdbmsResourceId: withoutSlash(openSourceDatabases) }),
  }
  const { authorityBase } = identityProviderOf(profile)
  const clouds = [{ name, displayName, aadAuthority: authorityBase, properties }]
  const body = exportVariables({
    GFAZPL_AZURE_CLOUDS_CONFIG: quoteShell(JSON.stringify(clouds)),
    GFAZPL_AZURE_CLOUD: quoteShell(name),
  })
  return { notes: instanceDiscoveryNotes(profile), body }
}
