import type { Clouds } from './clouds.ts'
import { editOf, embed } from './embed.ts'
import { expressionFor, forms, hasExport, variableFor, type Expression, type Form } from './expressions.ts'
import type { Fix } from './finding.ts'
import type { HostOccurrence } from './hosts.ts'
import type { FixLanguage } from './languages.ts'
import type { Region, Source } from './source.ts'
import { fieldOf, type Target } from './target.ts'

export function fixOfHost(source: Source, occurrence: HostOccurrence, clouds: Clouds, target: Target | undefined): Fix {
  const { service, isAudience, host } = occurrence
  const special = specialFix(source, occurrence) ?? valueFix(source, occurrence, clouds)
  const fix = typeof special === 'string' ? { text: special } : special
  const own = /(?:^|\.)privatelink\./.test(host) ? undefined : target?.fieldText(service, isAudience)
  return own === undefined ? fix : { ...fix, text: `${fix.text}. In this profile ${own}` }
}

/** The region of a value in its line, with what a fix replaces too: the dot, `https://`, the final slash, `.default`. */
interface Reading extends Region {
  readonly form: Form
  /** `queue`, in the host of a queue. */
  readonly storagePart?: string
}

/** Services with one address and no names of resources before it. */
const addressOnly = new Set(['login', 'resource-manager', 'portal', 'gallery', 'microsoft-graph', 'directory-graph'])

/** The forms that a value may have, best first. */
function readingsOf({ text }: Source, { start, end, host, service, isAudience }: HostOccurrence, clouds: Clouds) {
  const before = text.slice(Math.max(0, start - 20), start)
  const scheme = /https?:\\?\/\\?\/$/.exec(before)?.[0]
  const from = start - (scheme?.length ?? 0)
  const readings: Reading[] = []
  if (/https?%3A%2F%2F$/i.test(before)) return readings
  // An expression of a search.
  if (text.slice(start, end).includes('\\'))
    return scheme === undefined ? readings : [{ form: 'address' as const, start: from, end }]
  const slash = text[end] === '/' ? 1 : 0
  const scope = /^\/{0,2}\.default(?!\w)/.exec(text.slice(end, end + 11))?.[0]
  const listed = listedPart(host, clouds)
  if (scheme !== undefined) {
    if (scope !== undefined) readings.push({ form: 'scope', start: from, end: end + scope.length })
    else if (isAudience && !/[\w%{$]/.test(text[end + slash] ?? ''))
      readings.push({ form: 'audience', start: from, end: end + slash })
    if (listed.length === host.length && text[start - 1] !== '.')
      readings.push({ form: 'address', start: from, end: end + slash })
  }
  const suffixStart = end - listed.length
  const dot = text[suffixStart - 1] === '.' ? 1 : 0
  if (dot === 1 || !addressOnly.has(service)) {
    const part = /\.(blob|queue|table|file|dfs|web)\.$/.exec(text.slice(Math.max(0, suffixStart - 8), suffixStart))?.[1]
    const storagePart = service === 'storage' ? part : undefined
    readings.push({ form: 'suffix', start: suffixStart - dot, end, ...(storagePart !== undefined && { storagePart }) })
  }
  if (scheme === undefined && dot === 0 && !isAudience) readings.push({ form: 'host', start, end })
  return readings
}

/** The listed host at the end of a host: what all accounts of the service share. */
function listedPart(host: string, { ownerOfHost }: Clouds): string {
  const service = ownerOfHost(host)?.service
  const labels = host.split('.')
  const ends = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
  const isListed = (end: string) => {
    const owner = ownerOfHost(end)
    return owner !== undefined && !owner.isUnlisted && owner.service === service
  }
  return ends.findLast(isListed) ?? host
}

/** The region that an expression replaces: with or without the dot, the slash and the part. `undefined` where the expression does not fit. */
function fit({ text, language }: Source, reading: Reading, { hasDot, hasSlash }: Expression): Region | undefined {
  const { form, start, end, storagePart } = reading
  if (form === 'suffix') {
    const dot = text[start] === '.' ? 1 : 0
    if (hasDot !== true) return { start: start + dot, end }
    // The suffix of an export holds the part of blobs.
    const part = storagePart !== undefined && hasExport(language.fix) ? storagePart.length + 1 : 0
    return dot === 1 ? { start: start - part, end } : undefined
  }
  if (form !== 'address' && form !== 'audience') return { start, end }
  const slash = text[end - 1] === '/' ? 1 : 0
  if (hasSlash !== true) return { start, end: form === 'address' ? end - slash : end }
  // The value ends where the string does: with a slash more it is the same address.
  return slash === 1 || /["'`\s),;]/.test(text[end] ?? '\n') ? { start, end } : undefined
}

function valueFix(source: Source, occurrence: HostOccurrence, clouds: Clouds): Fix {
  const { service, isAudience, host } = occurrence
  const language = source.language.fix
  let text: string | undefined
  for (const reading of readingsOf(source, occurrence, clouds)) {
    const expression = expressionFor(language, service, reading.form, reading.storagePart)
    if (expression === undefined) continue
    const own = sentence(language, expression, service, reading.form)
    text ??= own
    const region = fit(source, reading, expression)
    // Behind an address without a slash the program adds its own.
    const hasSlash = reading.form !== 'address' || expression.hasSlash !== true || source.text[reading.end - 1] === '/'
    const isCertain = expression.isCertain === true && hasSlash
    const edit = region === undefined ? undefined : embed(source, region, { ...expression, isCertain })
    if (edit !== undefined) return { text: own, edit }
  }
  const form = isAudience ? 'audience' : host.split('.').length > 4 ? 'host' : 'suffix'
  const setting = `Read it from a setting, such as the variable ${variableFor(service, form)} (${forms[form]})`
  return { text: text ?? `${setting}, ${sourceOf(service, isAudience)}` }
}

function sourceOf(service: string, isAudience: boolean): string {
  const field = fieldOf(service, isAudience)
  return field === undefined ? 'set for each cloud' : `from the profile's ${field}`
}

function sentence(language: FixLanguage, expression: Expression, service: string, form: Form): string {
  const { code, member, isCertain, hasDot } = expression
  if (member !== undefined)
    return `Write ${code} of \`cloud-profile export ${language}\`${language === 'dotnet' ? ' (using CloudProfile;)' : ''}`
  if (isCertain === true)
    return `Write ${code}${form === 'suffix' ? `, which begins with${hasDot === true ? '' : 'out'} a dot` : ''}`
  const attribute = language === 'terraform' ? 'the attribute of the resource, or ' : ''
  return `Write ${attribute}${code} (${forms[form]}), ${sourceOf(service, form === 'audience' || form === 'scope')}`
}

/** Values that need another change than the usual one, in any language. */
const specialHosts: readonly (readonly [host: RegExp, text: string])[] = [
  [
    /^sts\.(?:windows\.net|chinacloudapi\.cn)$/,
    "Read the issuer from the OpenID configuration of the profile's authorityHost: an issuer is not the authority",
  ],
  [/^ms\.portal\./, "Write the profile's portalUrl: this host exists in the public cloud only"],
  [
    /(?:^|\.)in\.applicationinsights\./,
    'Use the connection string of the resource (APPLICATIONINSIGHTS_CONNECTION_STRING), which names the ingestion endpoint of its cloud',
  ],
]

function specialFix(source: Source, occurrence: HostOccurrence): Fix | string | undefined {
  const { host, service, start, isUnlisted, isAudience } = occurrence
  const { text, language, path, lines } = source
  if (isUnlisted) return 'No list names this host. Check whether each cloud has it, and read it from a setting'
  if (service === 'federation') return "Write the profile's federatedAudience, from a setting: each cloud has its own"
  const special = specialHosts.find(([pattern]) => pattern.test(host))
  if (special !== undefined) return special[1]
  if (/(?:^|\.)privatelink\./.test(host)) return zoneFix(source, occurrence)
  const span = source.stringAt(start)
  const row = lines.textOf(lines.rowOf(start), 200)
  switch (language.fix) {
    case 'settings':
      return service === 'login' && /appsettings|local\.settings/i.test(path)
        ? "Set AzureAd__Instance for each cloud, to the profile's authorityHost"
        : 'Leave it out here, and set it for each cloud: an environment variable, or one file for each cloud'
    case 'env':
      return `Write the value of each cloud into its own .env file (${variableFor(service, isAudience ? 'audience' : 'host')})`
    case 'psd1':
      return 'Import-PowerShellDataFile takes no expression: leave it out here, and read (Get-AzContext).Environment where it is used'
    case 'bicepparam': {
      const code = `readEnvironmentVariable('${variableFor(service, 'host')}')`
      const isValue = span !== undefined && /^'(?:https?:\/\/)?[\w.-]+\/?'$/.test(text.slice(span.start, span.end))
      return {
        text: `Write ${code}: a parameter file knows no environment()`,
        ...(isValue && !/^\s*(?:using|import)\b/.test(row) && { edit: editOf(source, span, code, false) }),
      }
    }
    case 'bicep':
      if (span !== undefined && /^.br[:/]/.test(text.slice(span.start, span.start + 4)))
        return "Name the registry in moduleAliases of each cloud's bicepconfig.json"
      if (span?.quote?.open === "'''")
        return 'Pass the value as an environment variable of the script: a text in three quotes takes no expression'
      return service === 'container-registry' && /^\s*param\b/.test(row)
        ? 'Take the registry from a parameter without a default: each cloud has its own'
        : undefined
    case 'dotnet':
      return uriFix(source, occurrence)
    default:
      return undefined
  }
}

/** The name of a private DNS zone. `environment()` of Bicep knows the suffixes of storage, SQL and registries, and that of vaults in another form. */
function zoneFix(source: Source, occurrence: HostOccurrence): Fix | string | undefined {
  const { host, service, start, end } = occurrence
  const language = source.language.fix
  if (language !== 'bicep') {
    const [, ...labels] = host.split('.')
    const label = labels.find((each) => each !== 'privatelink') ?? service
    const zone = expressionFor(language, `${label}-private-dns`, 'host')
    return zone === undefined
      ? `Read the name of the zone ${host} from a setting for each cloud`
      : `Write ${zone.code}, the name of the zone in each cloud`
  }
  if (/^privatelink\.(?:(?:blob|queue|table|file|dfs|web)\.core|database|azurecr)\.[a-z.]+$/.test(host))
    return undefined
  const span = source.stringAt(start)
  if (host.startsWith('privatelink.vaultcore.') && span?.start === start - 1 && span.end === end + 1) {
    const code = "replace('privatelink${environment().suffixes.keyvaultDns}', '.vault.', '.vaultcore.')"
    return { text: `Write ${code}`, edit: editOf(source, span, code, true) }
  }
  const name = host
    .replace(/^privatelink\./, '')
    .replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase())
    .replaceAll(/\W/g, '')
  const parameter = `${name.slice(0, 1).toLowerCase()}${name.slice(1, 40)}PrivateDnsZone`
  return `Take a parameter ${parameter} without a default: environment() does not know this zone`
}

/** `new Uri("https://contoso-kv.vault.azure.net/")`: the export has a function for it. */
function uriFix(source: Source, { host, service, start, end }: HostOccurrence): Fix | undefined {
  const { text } = source
  const [account = ''] = host.split('.', 1)
  const method = service === 'key-vault' ? 'KeyVaultUri' : /^[^.]+\.blob\./.test(host) ? 'StorageUri' : undefined
  const before = /\bnew\s+Uri\(\s*"https:\/\/$/.exec(text.slice(Math.max(0, start - 30), start))?.[0]
  const after = /^\/?"\s*\)/.exec(text.slice(end, end + 12))?.[0]
  if (method === undefined || before === undefined || after === undefined || host.split('.').length < 4)
    return undefined
  const code = `Cloud.${method}("${account}")`
  const region = { start: start - before.length, end: end + after.length }
  return {
    text: `Write ${code} of \`cloud-profile export dotnet\` (using CloudProfile;)`,
    edit: editOf(source, region, code, true, 'Cloud'),
  }
}
