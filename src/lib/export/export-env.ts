import { builtInClouds, builtInProfileNames } from '../clouds/known-clouds.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { valueAt } from '../base/json.ts'
import { overrideVariables } from '../profile/field-path.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteShell } from '../base/printable.ts'
import { withoutDot } from '../profile/tool-values.ts'
import { toolVariables } from './tool-variables.ts'

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
    'the client and its secret, under the names that the reader wants; ARM_CLOUD_METADATA_URL for the machine learning SDK. `cloud-profile run` sets these variables, the credential and the trust for one program',
  read: 'azure-ai-ml',
  write,
})

function write(profile: CloudProfile): ExportText {
  const variables: [string, string][] = [['PLATFORM_CLOUD', baseOf(profile)]]
  for (const [variable, path] of Object.entries(overrideVariables)) {
    const value = valueAt(profile, path)
    if (typeof value === 'string' && variable !== 'PLATFORM_ARM_AUDIENCE') variables.push([variable, value])
  }
  variables.push(...Object.entries(toolVariables(profile)))
  const lines = variables.map(([name, value]) => `export ${name}=${quoteShell(value)}\n`)
  const notes = [
    'Names, portal, metadata endpoint and serviceAudiences.arm have no variable: they are those of PLATFORM_CLOUD.',
    'PLATFORM_STORAGE_ACCOUNT before this text adds the variables of that account.',
  ]
  return { notes, body: `${lines.join('')}${storage(profile.serviceDnsSuffixes.storage)}` }
}

/** The account is known where the text is sourced. */
function storage(suffix: string): string {
  const endpoint = `"https://$PLATFORM_STORAGE_ACCOUNT"${quoteShell(suffix)}`
  return `if [ -n "\${PLATFORM_STORAGE_ACCOUNT:-}" ]; then
  export AZURE_STORAGE_ACCOUNT="$PLATFORM_STORAGE_ACCOUNT" AZURE_STORAGE_ACCOUNT_NAME="$PLATFORM_STORAGE_ACCOUNT"
  export AZURE_STORAGE_DOMAIN=${quoteShell(withoutDot(suffix))} AZURE_STORAGE_ENDPOINT=${endpoint}
fi
`
}
