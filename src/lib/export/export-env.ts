import { builtInClouds, builtInProfileNames } from '../clouds/known-clouds.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { valueAt } from '../base/json.ts'
import { overrideVariables } from '../profile/field-path.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteShell } from '../base/quote-shell.ts'
import { toolNameOf, withoutSlash } from '../profile/tool-values.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'

/**
 * The built-in profile under the override variables: that of the same kind of cloud, otherwise the stack's, which has placeholders only.
 */
function baseOf({ name, environment }: CloudProfile): string {
  if (builtInProfileNames.includes(name)) return name
  return builtInClouds.find((document) => document.environment === environment)?.name ?? 'platformstack-custom'
}

/**
 * Variables for a POSIX shell, to be sourced: the profile as this service's override variables over a built-in one,
 * and the variables by which the credential libraries of other tools find their authority.
 */
export const envExport = defineExport({
  name: 'env',
  what: 'variables to source in a POSIX shell',
  group: 'command-line',
  comment: '#',
  addByHand:
    'the client and its secret, under the names that the reader wants; AZURE_ENVIRONMENT_FILEPATH for programs that read AZURE_ENVIRONMENT; ARM_CLOUD_METADATA_URL for the machine learning SDK',
  read: 'auth of go-autorest, azure-ai-ml',
  write,
})

function write(profile: CloudProfile): ExportText {
  const variables: [string, string][] = [['PLATFORM_CLOUD', baseOf(profile)]]
  for (const [variable, path] of Object.entries(overrideVariables)) {
    const value = valueAt(profile, path)
    if (typeof value === 'string' && variable !== 'PLATFORM_ARM_AUDIENCE') variables.push([variable, value])
  }
  const { authorityBase, tenantId } = identityProviderOf(profile)
  variables.push(
    ['AZURE_AUTHORITY_HOST', authorityBase],
    // For programs that log in by go-autorest's own variables. Without the first they use the public cloud.
    ['AZURE_ENVIRONMENT', toolNameOf(profile, 'goAutorest') ?? 'AzureStackCloud'],
    // The machine learning SDK, which uses the public cloud without a warning otherwise.
    ['AZUREML_CURRENT_CLOUD', toolNameOf(profile, 'az') ?? profile.name],
    ['AZURE_AD_RESOURCE', withoutSlash(profile.resourceManagerAudience)],
  )
  if (tenantId !== undefined) variables.push(['AZURE_TENANT_ID', tenantId])
  const lines = variables.map(([name, value]) => `export ${name}=${quoteShell(value)}\n`)
  const notes = [
    'Names, portal, metadata endpoint and serviceAudiences.arm have no variable: they are those of PLATFORM_CLOUD.',
    ...(toolNameOf(profile, 'goAutorest') === undefined
      ? [
          'AZURE_ENVIRONMENT=AzureStackCloud also needs AZURE_ENVIRONMENT_FILEPATH: the path of the text of export go-autorest.',
        ]
      : []),
  ]
  return { notes, body: lines.join('') }
}
