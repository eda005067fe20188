import type { Clouds } from './clouds.ts'
import { embed, type Region } from './embed.ts'
import { expressionFor, variableFor, type Expression, type Form } from './expressions.ts'
import type { Edit, Fix } from './finding.ts'
import type { HostOccurrence } from './hosts.ts'
import type { FixLanguage } from './languages.ts'
import { fieldOf, type Target } from './target.ts'
import { decode, type Source } from './source.ts'

/** The change of a part of a file. */
export function editOf(
  { text }: Source,
  start: number,
  end: number,
  newText: string,
  isCertain: boolean,
  member?: string,
): Edit {
  const oldText = decode(text.slice(start, end))
  return { start, end, oldText, newText, isCertain, ...(member !== undefined && { members: [member] }) }
}

/** What of a text a value is, with what belongs to it: the dot, `https://`, the final slash, `.default`. */
interface Reading {
  readonly form: Form
  readonly region: Region
  /** `queue`, in the host of a queue. */
  readonly storagePart?: string
}

/** The forms that a value may have, best first. */
function readingsOf({ text }: Source, occurrence: HostOccurrence, clouds: Clouds): readonly Reading[] {
  const { start, end, host, service, isAudience } = occurrence
  const written = text.slice(start, end)
  if (written.includes('\\')) {
    const scheme = /https?:\\?\/\\?\/$/.exec(text.slice(Math.max(0, start - 12), start))
    return scheme === null ? [] : [{ form: 'address', region: { start: start - scheme[0].length, end } }]
  }
  const encoded = /https?%3A%2F%2F$/i.exec(text.slice(Math.max(0, start - 20), start))
  const scheme = /https?:\/\/$/.exec(text.slice(Math.max(0, start - 8), start))
  const from = start - (scheme?.[0].length ?? 0)
  const slash = text[end] === '/' ? 1 : 0
  const scope = /^\/{0,2}\.default(?!\w)/.exec(text.slice(end, end + 11))
  if (encoded !== null) return []
  const readings: Reading[] = []
  if (scheme !== null && scope !== null)
    readings.push({ form: 'scope', region: { start: from, end: end + scope[0].length } })
  if (scheme !== null && isAudience && scope === null && !/[\w%{$]/.test(text[end + slash] ?? ''))
    readings.push({ form: 'audience', region: { start: from, end: end + slash } })
  const listed = listedPart(host, clouds)
  const hasName = listed.length < host.length || text[start - 1] === '.'
  if (scheme !== null && !hasName) readings.push({ form: 'address', region: { start: from, end: end + slash } })
  const suffixStart = end - listed.length
  const dot = text[suffixStart - 1] === '.' ? 1 : 0
  if (
    dot === 1 ||
    !['login', 'resource-manager', 'portal', 'gallery', 'microsoft-graph', 'directory-graph'].includes(service)
  ) {
    const part =
      service === 'storage'
        ? /(?:^|\.)(blob|queue|table|file|dfs|web)$/.exec(
            text.slice(Math.max(0, suffixStart - 8), suffixStart - 1),
          )?.[1]
        : undefined
    const dotBefore = part !== undefined && text[suffixStart - part.length - 2] === '.' ? 1 : 0
    readings.push({
      form: 'suffix',
      region: { start: suffixStart - dot, end },
      ...(part !== undefined && dotBefore === 1 && { storagePart: part }),
    })
  }
  if (scheme === null && dot === 0 && !isAudience) readings.push({ form: 'host', region: { start, end } })
  return readings
}

/** The listed host at the end of a host: what all accounts of the service share. */
function listedPart(host: string, { ownerOfHost }: Clouds): string {
  const known = ownerOfHost(host)
  const labels = host.split('.')
  for (let from = labels.length - 2; from > 0; from--) {
    const rest = labels.slice(from).join('.')
    const owner = ownerOfHost(rest)
    if (owner !== undefined && !owner.isUnlisted && owner.service === known?.service) return rest
  }
  return host
}

/** The region of a reading in the form that an expression has: with or without its dot, slash and part. */
function fit(
  { text }: Source,
  { form, region, storagePart }: Reading,
  { hasDot, hasSlash }: Expression,
  language: FixLanguage,
): { readonly region: Region; readonly isExact: boolean } {
  if (form === 'suffix') {
    const dot = text[region.start] === '.' ? 1 : 0
    if (hasDot !== true) return { region: { start: region.start + dot, end: region.end }, isExact: true }
    // The suffix of an export holds the part of blobs.
    const isExport =
      storagePart !== undefined && ['typescript', 'python', 'go', 'dotnet', 'java', 'rust'].includes(language)
    return {
      region: { start: isExport ? region.start - storagePart.length - 1 : region.start, end: region.end },
      isExact: dot === 1,
    }
  }
  if (form !== 'address' && form !== 'audience') return { region, isExact: true }
  const slash = text[region.end - 1] === '/' ? 1 : 0
  // The value ends where the string does: with a slash more it is the same address.
  const endsThere = /["'`\s),;]/.test(text[region.end] ?? '\n')
  const end = form === 'address' && hasSlash !== true ? region.end - slash : region.end
  return { region: { start: region.start, end }, isExact: hasSlash !== true || slash === 1 || endsThere }
}

/** The fix of a host or an audience. */
export function fixOfHost(source: Source, occurrence: HostOccurrence, clouds: Clouds, target: Target | undefined): Fix {
  const { service, isAudience } = occurrence
  const special = specialFix(source, occurrence)
  const found =
    special === undefined
      ? valueEdit(source, occurrence, clouds)
      : special.edit === undefined
        ? undefined
        : { edit: special.edit, text: special.text }
  const text = special?.text ?? found?.text ?? settingText(source, service, isAudience, occurrence)
  const own =
    target === undefined || /(?:^|\.)privatelink\./.test(occurrence.host)
      ? undefined
      : target.fieldText(service, isAudience)
  return {
    text: own === undefined ? text : `${text}. In this profile ${own}`,
    ...(found?.edit && { edit: found.edit }),
  }
}

function valueEdit(
  source: Source,
  occurrence: HostOccurrence,
  clouds: Clouds,
): { readonly edit?: Edit; readonly text: string } | undefined {
  const language = source.language.fix
  let text: string | undefined
  for (const reading of readingsOf(source, occurrence, clouds)) {
    const expression = expressionFor(language, occurrence.service, reading.form, reading.storagePart)
    if (expression === undefined) continue
    text ??= sentence(language, expression, occurrence.service, reading.form)
    const { region, isExact } = fit(source, reading, expression, language)
    if (!isExact) continue
    const edit = embed(source, region, expression)
    if (edit !== undefined) return { edit, text: sentence(language, expression, occurrence.service, reading.form) }
  }
  return text === undefined ? undefined : { text }
}

const exportNames: Partial<Readonly<Record<FixLanguage, string>>> = {
  typescript: 'typescript',
  python: 'python',
  go: 'go',
  dotnet: 'dotnet',
  java: 'java',
  rust: 'rust',
}

const formWords: Readonly<Record<Form, string>> = {
  suffix: 'the DNS suffix with its dot',
  address: 'the address with its final slash',
  audience: 'the audience',
  scope: 'the scope with .default',
  host: 'the host',
}

function sentence(
  language: FixLanguage,
  { code, member, isCertain, hasDot }: Expression,
  service: string,
  form: Form,
): string {
  const field = fieldOf(service, form === 'audience' || form === 'scope')
  if (member !== undefined)
    return `Write ${code} of \`cloud-profile export ${exportNames[language] ?? language}\`${language === 'dotnet' ? ' (using CloudProfile;)' : ''}`
  if (isCertain === true)
    return `Write ${code}${form === 'suffix' ? (hasDot === true ? ', which begins with a dot' : ', which begins without a dot') : ''}`
  const from = field === undefined ? 'set for each cloud' : `from the profile's ${field}`
  if (language === 'terraform') return `Write the attribute of the resource, or ${code} (${formWords[form]}), ${from}`
  return `Write ${code} (${formWords[form]}), ${from}`
}

/** Values and places that need another change than the usual one. */
function specialFix(
  source: Source,
  { host, service, start, end, isUnlisted, isAudience }: HostOccurrence,
): Fix | undefined {
  const { text, language } = source
  if (isUnlisted)
    return { text: 'No list names this host. Check whether each cloud has it, and read it from a setting' }
  if (service === 'federation')
    return { text: "Write the profile's federatedAudience, from a setting: each cloud has its own" }
  if (/^sts\.(?:windows\.net|chinacloudapi\.cn)$/.test(host))
    return {
      text: "Read the issuer from the OpenID configuration of the profile's authorityHost: an issuer is not the authority",
    }
  // cloud-profile-ignore: it has no counterpart
  if (host === 'ms.portal.azure.com')
    return { text: "Write the profile's portalUrl: this host exists in the public cloud only" }
  if (/(?:^|\.)in\.applicationinsights\./.test(host))
    return {
      text: 'Use the connection string of the resource (APPLICATIONINSIGHTS_CONNECTION_STRING), which names the ingestion endpoint of its cloud',
    }
  if (language.fix === 'dotnet') {
    const uri = dotnetUri(source, host, service, start)
    if (uri !== undefined) return uri
  }
  const span = source.stringAt(start)
  if (language.fix === 'bicep' && /(?:^|\.)privatelink\./.test(host)) return privateZone(source, host, start, end)
  if (/(?:^|\.)privatelink\./.test(host) && language.fix !== 'bicep') {
    const zone = expressionFor(
      language.fix,
      `${
        host
          .split('.')
          .slice(1)
          .find((label) => !/^privatelink$/.test(label)) ?? service
      }-private-dns`,
      'host',
    )
    return {
      text:
        zone === undefined
          ? `Read the name of the zone ${host} from a setting for each cloud`
          : `Write ${zone.code}, the name of the zone in each cloud`,
    }
  }
  switch (language.fix) {
    case 'settings':
      return {
        text:
          /login|authority/i.test(service) && /appsettings|local\.settings/i.test(source.path)
            ? "Set AzureAd__Instance for each cloud, to the profile's authorityHost"
            : 'Leave it out here, and set it for each cloud: an environment variable, or one file for each cloud',
      }
    case 'env':
      return {
        text: `Write the value of each cloud into its own .env file (${variableFor(service, isAudience ? 'audience' : 'host')})`,
      }
    case 'psd1':
      return {
        text: 'Import-PowerShellDataFile takes no expression: leave it out here, and read (Get-AzContext).Environment where it is used',
      }
    case 'bicepparam':
      return bicepparamFix(source, service, start, span)
    case 'bicep':
      if (span !== undefined && /^br[:/]/.test(text.slice(span.start + 1, span.start + 4)))
        return { text: "Name the registry in moduleAliases of each cloud's bicepconfig.json" }
      if (span?.quote?.open === "'''")
        return {
          text: 'Pass the value as an environment variable of the script: a text in three quotes takes no expression',
        }
      if (
        service === 'container-registry' &&
        span !== undefined &&
        /^\s*param\b/.test(source.lines.textOf(source.lines.rowOf(start), 200))
      )
        return { text: 'Take the registry from a parameter without a default: each cloud has its own' }
      return undefined
    default:
      return undefined
  }
}

function bicepparamFix(source: Source, service: string, start: number, span: Region | undefined): Fix {
  const variable = variableFor(service, 'host')
  const text = `Write readEnvironmentVariable('${variable}'): a parameter file knows no environment()`
  if (
    span === undefined ||
    !/^'(?:https?:\/\/)?[\w.-]+\/?'$/.test(source.text.slice(span.start, span.end)) ||
    /^\s*(?:using|import)\b/.test(source.lines.textOf(source.lines.rowOf(start), 100))
  )
    return { text }
  return {
    text,
    edit: editOf(source, span.start, span.end, `readEnvironmentVariable('${variable}')`, false),
  }
}

const zoneSuffixes: readonly (readonly [zone: RegExp, code: string])[] = [
  [
    // cloud-profile-ignore: what environment() can say in no simpler way
    /^privatelink\.vaultcore\.azure\.net$/,
    "replace('privatelink${environment().suffixes.keyvaultDns}', '.vault.', '.vaultcore.')",
  ],
]

function privateZone(source: Source, host: string, start: number, end: number): Fix | undefined {
  if (
    // cloud-profile-ignore: zones whose suffix environment() knows
    /^privatelink\.(?:(?:blob|queue|table|file|dfs|web)\.core\.windows\.net|database\.windows\.net|azurecr\.io)$/.test(
      host,
    )
  )
    return undefined
  const code = zoneSuffixes.find(([zone]) => zone.test(host))?.[1]
  const span = source.stringAt(start)
  if (code !== undefined && span !== undefined && span.start === start - 1 && span.end === end + 1)
    return {
      text: `Write ${code}`,
      edit: editOf(source, span.start, span.end, code, true),
    }
  const name = host
    .replace(/^privatelink\./, '')
    .replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase())
    .replaceAll(/\W/g, '')
  return {
    text: `Take a parameter ${name.slice(0, 1).toLowerCase()}${name.slice(1, 40)}PrivateDnsZone without a default: environment() does not know this zone`,
  }
}

const uriMethods: Readonly<Record<string, string>> = { storage: 'StorageUri', 'key-vault': 'KeyVaultUri' }

/** `new Uri("https://contoso-kv.vault.azure.net/")` and the hosts of servers: the export has a function for each. */
function dotnetUri(source: Source, host: string, service: string, start: number): Fix | undefined {
  const span = source.stringAt(start)
  const name = host.split('.')[0] ?? ''
  const text = source.text.slice(span?.start, span?.end)
  const method = uriMethods[service]
  if (
    span === undefined ||
    method === undefined ||
    !/^[a-z0-9-]+$/.test(name) ||
    (service === 'storage' && !/\.blob\.core\./.test(host)) ||
    !new RegExp(String.raw`^"https://${host.replaceAll('.', String.raw`\.`)}/?"$`, 'i').test(text)
  )
    return undefined
  const before = /\bnew\s+Uri\(\s*$/.exec(source.text.slice(Math.max(0, span.start - 20), span.start))
  const after = /^\s*\)/.exec(source.text.slice(span.end, span.end + 10))
  if (before === null || after === null || host.split('.').length < 4 - (service === 'key-vault' ? 0 : -1))
    return undefined
  const [from, to] = [span.start - before[0].length, span.end + after[0].length]
  const newText = `Cloud.${method}("${name}")`
  return {
    text: `Write ${newText} of \`cloud-profile export dotnet\` (using CloudProfile;)`,
    edit: editOf(source, from, to, newText, true, 'Cloud'),
  }
}

function settingText({ language }: Source, service: string, isAudience: boolean, { host }: HostOccurrence): string {
  const field = fieldOf(service, isAudience)
  const from = field === undefined ? 'set for each cloud' : `from the profile's ${field}`
  const form: Form = isAudience ? 'audience' : host.split('.').length > 4 ? 'host' : 'suffix'
  const expression = expressionFor(language.fix, service, form)
  return expression === undefined
    ? `Read it from a setting, such as the variable ${variableFor(service, form)} (${formWords[form]}), ${from}`
    : `Write ${expression.code} (${formWords[form]}), ${from}`
}

const names: Partial<Readonly<Record<FixLanguage, string>>> = {
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

/** The expression that takes the place of a constant: qualifier, language, and what to write. */
const constants: readonly (readonly [language: FixLanguage, constant: RegExp, code: string, member: string])[] = [
  ['go', /\bcloud\.Azure(?:Public|Government|China)$/, 'cloudprofile.Cloud', 'cloudprofile'],
  ['dotnet', /\bAzureAuthorityHosts\.\w+$/, 'Cloud.AuthorityHost', 'Cloud'],
  ['dotnet', /\bArmEnvironment\.\w+$/, 'Cloud.ArmEnvironment', 'Cloud'],
  ['python', /\bAzureAuthorityHosts\.\w+$/, 'AUTHORITY', 'AUTHORITY'],
  ['typescript', /\bAzureAuthorityHosts\.\w+$/, 'cloud.authorityHost', 'cloud'],
  ['java', /\bAzureAuthorityHosts\.\w+$/, 'Cloud.AUTHORITY_HOST', 'Cloud'],
  ['java', /\bAzureEnvironment\.\w+$/, 'new AzureEnvironment(Cloud.ENDPOINTS)', 'Cloud'],
]

/** The fix of a name of a cloud. */
export function fixOfName(source: Source, start: number, end: number): Fix {
  const { text, language } = source
  if (/Audience(?:\.|::)$/.test(text.slice(Math.max(0, start - 12), start)))
    return { text: 'Write the audience of the cloud, from a setting: the type takes a text too' }
  const words = names[language.fix] ?? 'Take the name from a setting, without a default'
  const written = text.slice(Math.max(0, start - 40), end)
  for (const [of, constant, code, member] of constants) {
    const found = of === language.fix ? constant.exec(written) : null
    if (found === null) continue
    const from = end - found[0].length
    return {
      text: `Write ${code} of \`cloud-profile export ${exportNames[of] ?? of}\``,
      edit: editOf(source, from, end, code, true, member),
    }
  }
  if (
    language.fix === 'shell' &&
    /\baz\s+cloud\s+set\s+(?:--name|-n)\s+["']?$/.test(text.slice(Math.max(0, start - 60), start))
  ) {
    const quoted = /["']/.test(text[start - 1] ?? '') ? 1 : 0
    return {
      text: words,
      edit: editOf(source, start - quoted, end + quoted, '"$AZURE_CLOUD_NAME"', false),
    }
  }
  if (language.fix === 'workflow' && /\benvironment:\s*["']?$/.test(text.slice(Math.max(0, start - 40), start)))
    return { text: words, edit: editOf(source, start, end, '${{ vars.AZURE_ENVIRONMENT }}', false) }
  const span = source.stringAt(start)
  if (language.fix === 'bicep' && span !== undefined && span.start === start - 1) {
    const isAllowed = /@allowed/.test(text.slice(Math.max(0, start - 600), start))
    return {
      text: isAllowed ? 'Write any(environment().name): the type of the parameter is the list above' : words,
      edit: editOf(
        source,
        span.start,
        span.end,
        isAllowed ? 'any(environment().name)' : 'environment().name',
        !isAllowed,
      ),
    }
  }
  return { text: words }
}

/** The fix of a selection that reaches no other cloud. */
export const fixOfSelection = (clouds: readonly string[]): Fix => ({
  text: `No third cloud can be reached: the selection knows ${clouds.join(', ')}. Read the value from the cloud profile (see \`cloud-profile export\`) here, or before the selection`,
})
