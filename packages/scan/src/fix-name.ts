import { editOf } from './embed.ts'
import type { Fix } from './finding.ts'
import type { FixLanguage } from './languages.ts'
import type { Source } from './source.ts'

const texts: Partial<Readonly<Record<FixLanguage, string>>> = {
  terraform: 'Write var.environment, without a default, or set metadata_host: see `cloud-profile export terraform`',
  typescript: 'Write cloud.authorityHost of `cloud-profile export typescript`, which fits clouds without a name too',
  python: 'Write AUTHORITY of `cloud-profile export python`, which fits clouds without a name too',
  go: 'Write cloudprofile.Cloud of `cloud-profile export go`, which fits clouds without a name too',
  dotnet:
    'Write Cloud.AuthorityHost, Cloud.ArmEnvironment or .WithAuthority(Cloud.AuthorityHost + tenant) of `cloud-profile export dotnet`',
  java: 'Write Cloud.AUTHORITY_HOST or new AzureEnvironment(Cloud.ENDPOINTS) of `cloud-profile export java`',
  rust: 'Write cloud() of `cloud-profile export rust`, which fits clouds without a name too',
  powershell:
    'Take the name from a parameter without a default; `cloud-profile export powershell` adds the environment',
  workflow: 'Write ${{ vars.AZURE_ENVIRONMENT }}, and set the variable in every cloud',
  helm: 'Write {{ .Values.cloud.name }}',
  shell: 'Write "$AZURE_CLOUD_NAME"; `cloud-profile export az` registers the cloud',
  bicep: 'Write environment().name',
  arm: 'Write [environment().name]',
}

/** What takes the place of a name with its qualifier or quotes: language, the end of the text up to the name, the new text. */
const replacements: readonly (readonly [language: FixLanguage, written: RegExp, code: string, member?: string])[] = [
  ['go', /\bcloud\.Azure(?:Public|Government|China)$/, 'cloudprofile.Cloud', 'cloudprofile'],
  ['dotnet', /\bAzureAuthorityHosts\.\w+$/, 'Cloud.AuthorityHost', 'Cloud'],
  ['dotnet', /\bArmEnvironment\.\w+$/, 'Cloud.ArmEnvironment', 'Cloud'],
  ['python', /\bAzureAuthorityHosts\.\w+$/, 'AUTHORITY', 'AUTHORITY'],
  ['typescript', /\bAzureAuthorityHosts\.\w+$/, 'cloud.authorityHost', 'cloud'],
  ['java', /\bAzureAuthorityHosts\.\w+$/, 'Cloud.AUTHORITY_HOST', 'Cloud'],
  ['java', /\bAzureEnvironment\.\w+$/, 'new AzureEnvironment(Cloud.ENDPOINTS)', 'Cloud'],
  ['shell', /(?<=\baz\s+cloud\s+set\s+(?:--name|-n)\s+)["']?\w+$/, '"$AZURE_CLOUD_NAME"'],
  ['workflow', /(?<=\benvironment:\s*["']?)\w+$/, '${{ vars.AZURE_ENVIRONMENT }}'],
]

export function fixOfName(source: Source, start: number, end: number): Fix {
  const { text, language } = source
  const written = text.slice(Math.max(0, start - 60), end)
  if (/Audience(?:\.|::)\w+$/.test(written))
    return { text: 'Write the audience of the cloud, from a setting: the type takes a text too' }
  const words = texts[language.fix] ?? 'Take the name from a setting, without a default'
  for (const [of, pattern, code, member] of replacements) {
    const found = of === language.fix ? pattern.exec(written)?.[0] : undefined
    if (found === undefined) continue
    const quote = /^["']/.test(found) ? 1 : 0
    const edit = editOf(source, { start: end - found.length, end: end + quote }, code, member !== undefined, member)
    return { text: member === undefined ? words : `Write ${code} of \`cloud-profile export ${of}\``, edit }
  }
  const span = source.stringAt(start)
  if (language.fix !== 'bicep' || span?.start !== start - 1) return { text: words }
  return /@allowed/.test(text.slice(Math.max(0, start - 600), start))
    ? {
        text: 'Write any(environment().name): the type of the parameter is the list above',
        edit: editOf(source, span, 'any(environment().name)', false),
      }
    : { text: words, edit: editOf(source, span, 'environment().name', true) }
}

export const fixOfSelection = (clouds: readonly string[]): Fix => ({
  text: `No third cloud can be reached: the selection knows ${clouds.join(', ')}. Read the value from the cloud profile (see \`cloud-profile export\`) here, or before the selection`,
})
