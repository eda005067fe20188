import { servicesOf } from '../clouds/services-of.ts'
import { quoteShell } from '../base/quote-shell.ts'
import { azCloud } from '../profile/az-cloud.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { toolNameOf, withoutSlash } from '../profile/tool-values.ts'
import { instanceDiscoveryNotes } from './client-notes.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { exportVariables } from './shell-variables.ts'

/**
 * The variables by which the Azure data sources of Grafana learn a cloud. Grafana reads the first two and hands them to its data sources,
 * which then ignore the others.
 *
 * Source: `azsettings/cloud_settings.go`, `azsettings/env.go` and `azsettings/settings.go` of grafana-azure-sdk-go 2.4;
 * `pkg/setting/setting_azure.go` and `pkg/services/pluginsintegration/pluginconfig` of Grafana.
 */
export const grafanaExport = defineExport({
  name: 'grafana',
  what: 'variables of the Azure data sources of Grafana',
  group: 'observability',
  comment: '#',
  addByHand:
    'the credential in the data source, with the cloud chosen by its display name; SSL_CERT_FILE. With tenants: [instance discovery](instance-discovery.md)',
  read: 'grafana-azure-sdk-go 2.4, the settings of Grafana',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = toolNameOf(profile, 'az')
  if (known !== undefined) return { body: variables(known) }
  const { displayName, portalUrl, resourceManagerEndpoint } = profile
  const { logAnalytics, postgresql } = servicesOf(profile)
  const properties = {
    // The data source puts a path behind each.
    resourceManager: withoutSlash(resourceManagerEndpoint),
    ...(portalUrl === undefined ? {} : { portal: withoutSlash(portalUrl) }),
    ...(logAnalytics?.url === undefined ? {} : { logAnalytics: withoutSlash(logAnalytics.url) }),
    ...(postgresql?.audience === undefined ? {} : { ossrdbmsResourceId: withoutSlash(postgresql.audience) }),
  }
  const { authorityBase } = identityProviderOf(profile)
  // No name of a built-in cloud, and no reference that Grafana replaces.
  const { name } = azCloud(profile)
  const clouds = [{ name, displayName, aadAuthority: authorityBase, properties }]
  return { notes: instanceDiscoveryNotes(profile), body: variables(name, JSON.stringify(clouds)) }
}

/** Of Grafana (the section `azure` of its settings), and of a data source that runs alone. */
function variables(cloud: string, clouds?: string): string {
  // Grafana replaces `${…}`, `$__file{…}` and `%(…)s` in its settings.
  const escaped = clouds?.replaceAll('$', String.raw`\u0024`).replaceAll('%', String.raw`\u0025`)
  return ['GF', 'GFAZPL']
    .map((prefix) =>
      exportVariables({
        ...(escaped === undefined ? {} : { [`${prefix}_AZURE_CLOUDS_CONFIG`]: quoteShell(escaped) }),
        [`${prefix}_AZURE_CLOUD`]: quoteShell(cloud),
      }),
    )
    .join('')
}
