import { toolNameOf } from '../../lib/clouds/tool-names.ts'
import { azCloud } from '../../lib/profile/az-cloud.ts'
import { resolveProvider } from '../../lib/profile/identity-provider.ts'
import { defineExport, type ExportFormat } from './define-export.ts'
import { azExport, azJsonExport } from './export-az.ts'
import { bicepAddresses, envExport } from './export-env.ts'
import { goAutorestExport, kubeloginExport } from './export-kubernetes.ts'
import { powershellExport } from './export-powershell.ts'
import { terraformExport } from './export-terraform.ts'
import { formatJson } from './quote.ts'
import { snippets } from './snippets.ts'

// Exports write a profile as text for another tool. This folder reads no file and no variable, and makes no request.

const bicep = defineExport({
  name: 'bicep',
  what: 'bicepconfig.json: the cloud and its registries',
  group: 'infrastructure',
  comment: '//',
  addByHand: 'BICEP_TRUSTED_CLOUDS, which `cloud-profile run` sets: without it Bicep ignores the cloud',
  reader: 'a JSON parser; by hand also Bicep 0.49.2',
  notes: () => ['Bicep requests tokens for the resource manager endpoint, not for the audience of the profile.'],
  write(profile) {
    const known = toolNameOf(profile, 'bicep') ?? toolNameOf(profile, 'az')
    const name = known ?? azCloud(resolveProvider({ profile })).name
    return formatJson({
      cloud: {
        currentProfile: name,
        ...(known === undefined ? { profiles: { [name]: bicepAddresses(profile) } } : {}),
        credentialPrecedence: ['Environment', 'AzureCLI'],
      },
      security: { trustedRegistries: [`*${profile.serviceDnsSuffixes.containerRegistry}`] },
    })
  },
})

/** Source: `extensions/microsoft-authentication/package.json` of microsoft/vscode. */
const vscode = defineExport({
  name: 'vscode',
  what: 'settings.json for the Azure extensions of VS Code',
  group: 'editor',
  addByHand: 'NODE_EXTRA_CA_CERTS, or `http.systemCertificates`',
  reader: '@azure/ms-rest-azure-env 2.0, with which VS Code reads a custom environment',
  write(profile) {
    if (toolNameOf(profile, 'az') === 'AzureCloud') return formatJson({})
    const known = toolNameOf(profile, 'vscode')
    const cloud = resolveProvider({ profile })
    const environment = {
      name: azCloud(cloud).name,
      portalUrl: profile.portalUrl ?? profile.resourceManagerEndpoint,
      managementEndpointUrl: profile.resourceManagerEndpoint,
      resourceManagerEndpointUrl: profile.resourceManagerEndpoint,
      activeDirectoryEndpointUrl: cloud.provider.authorityUrl,
      activeDirectoryResourceId: profile.resourceManagerAudience,
    }
    return formatJson({
      'microsoft-sovereign-cloud.environment': known ?? 'custom',
      'microsoft-sovereign-cloud.customEnvironment': known === undefined ? environment : undefined,
    })
  },
})

/** Every export by its name. Within a group, the order is also the order of the help. */
export const exportFormats: Readonly<Record<string, ExportFormat>> = Object.fromEntries(
  [
    envExport,
    azExport,
    azJsonExport,
    powershellExport,
    terraformExport,
    bicep,
    goAutorestExport,
    kubeloginExport,
    vscode,
    ...snippets,
  ].map((format) => [format.name, format]),
)
