import type { ConstructKind } from './construct-table.ts'
import type { ConstructPlace } from './constructs.ts'
import { expressionFor } from './expressions.ts'
import type { Edit, Fix } from './finding.ts'
import { editOf } from './fixes.ts'
import type { Source } from './source.ts'

/** What to insert into a call. */
interface Insertion {
  readonly argument: string
  /** In options that stand in the call; empty where options are arguments. */
  readonly inLiteral: string
  readonly member: string
  readonly text: string
}

/** By language and kind: the argument, the option in a literal, the member of the export, and the text. `NAME` is that of the class. */
const insertions: Readonly<Record<string, Insertion>> = Object.fromEntries(
  String.raw`
typescript credential ~ credentialOptions ~ ...credentialOptions ~ credentialOptions ~ Pass credentialOptions (authorityHost: cloud.authorityHost)
typescript management-client ~ managementClientOptions ~ ...managementClientOptions ~ managementClientOptions ~ Pass managementClientOptions (endpoint and scope)
python credential ~ **credential_options() ~ ~ credential_options ~ Pass **credential_options() (authority=AUTHORITY)
python management-client ~ **MANAGEMENT_CLIENT_OPTIONS ~ ~ MANAGEMENT_CLIENT_OPTIONS ~ Pass **MANAGEMENT_CLIENT_OPTIONS (base_url=RESOURCE_MANAGER_ENDPOINT, credential_scopes)
go credential ~ &azidentity.NAMEOptions{ClientOptions: cloudprofile.ClientOptions} ~ ClientOptions: cloudprofile.ClientOptions ~ cloudprofile ~ Pass ClientOptions: cloudprofile.ClientOptions (Cloud: cloudprofile.Cloud)
go management-client ~ &arm.ClientOptions{ClientOptions: cloudprofile.ClientOptions} ~ ClientOptions: cloudprofile.ClientOptions ~ cloudprofile ~ Pass &arm.ClientOptions{ClientOptions: cloudprofile.ClientOptions}
dotnet credential ~ Cloud.CreateCredentialOptions<NAMEOptions>() ~ AuthorityHost = Cloud.AuthorityHost, DisableInstanceDiscovery = Cloud.DisableInstanceDiscovery ~ Cloud ~ Pass Cloud.CreateCredentialOptions<NAMEOptions>() (AuthorityHost = Cloud.AuthorityHost; using CloudProfile;)
dotnet management-client ~ new ArmClientOptions { Environment = Cloud.ArmEnvironment } ~ Environment = Cloud.ArmEnvironment ~ Cloud ~ Pass new ArmClientOptions { Environment = Cloud.ArmEnvironment } (using CloudProfile;)
`
    .trim()
    .split('\n')
    .map((row) => {
      const [key = '', argument = '', inLiteral = '', member = '', text = ''] = row
        .split('~')
        .map((cell) => cell.trim())
      return [
        key,
        { argument, inLiteral, member, text: `${text}, of \`cloud-profile export ${key.split(' ')[0] ?? ''}\`` },
      ] as const
    }),
)

const constructTexts: Readonly<Record<ConstructKind, string>> = {
  credential: 'Set its authority host, from `cloud-profile export`',
  'sign-in-library': "Set its authority: the profile's authorityHost followed by the tenant",
  'management-client': 'Set its endpoint and its audience, from `cloud-profile export`',
  'graph-client': "Set its base URL and its scope to the profile's Microsoft Graph: the SDK asks the public one",
  'data-client':
    'Set its audience to that of the cloud: the SDK asks for a token of the public one, whatever the endpoint',
  'connection-string': 'Add EndpointSuffix= and the storage suffix of the cloud without .blob',
  'provider-block': 'Set environment, or metadata_host for a private cloud: see `cloud-profile export terraform`',
  'login-step': 'Add `environment: ${{ vars.AZURE_ENVIRONMENT }}` under `with`, and set the variable in every cloud',
  'sign-in-command': 'Name the cloud',
  manifest: 'Name the cloud: without it the public one is asked',
}

/** The fix of a construct without a cloud. */
export function fixOfConstruct(source: Source, place: ConstructPlace): Fix {
  const { language } = source
  const { kind, name, call } = place
  if (kind === 'sign-in-command') return signInFix(source, place)
  if (name.endsWith('.Provider'))
    return { text: 'Set its environment, and metadataHost for a private cloud: see `cloud-profile export pulumi`' }
  if (kind === 'manifest')
    return {
      text:
        name === 'azurekv'
          ? 'Add environmentType, from the values of each cloud'
          : 'Add `cloud:` (and for a private cloud its endpointSuffix and activeDirectoryEndpoint), from the values of each cloud',
    }
  if (kind === 'credential' && language.fix === 'java' && call !== undefined) {
    const at = call.arguments.close + 1
    return {
      text: 'Call .authorityHost(Cloud.AUTHORITY_HOST) of `cloud-profile export java`',
      edit: editOf(source, at, at, '.authorityHost(Cloud.AUTHORITY_HOST)', true, 'Cloud'),
    }
  }
  if (kind === 'connection-string') {
    const suffix = expressionFor(language.fix, 'storage', 'suffix')
    return { text: `${constructTexts[kind]}${suffix === undefined ? '' : `: ${suffix.code}`}` }
  }
  if (kind === 'provider-block' && source.text[place.end - 1] === '{' && !source.path.endsWith('.json')) {
    const indent = /^[ \t]*/.exec(source.lines.textOf(source.lines.rowOf(place.start), 100))?.[0] ?? ''
    return {
      text: constructTexts[kind],
      edit: editOf(source, place.end, place.end, `\n${indent}  environment = var.environment`, false),
    }
  }
  const row = insertionOf(source, place)
  if (row === undefined || call === undefined) return { text: constructTexts[kind] }
  const text = row.text.replaceAll('NAME', name.replace(/^New/, ''))
  const edit = insertion(source, place, call, row)
  return { text, ...(edit && { edit }) }
}

/** The row of a call. Python takes no argument twice. */
function insertionOf({ language }: Source, { kind, call }: ConstructPlace): Insertion | undefined {
  const row = insertions[`${language.fix} ${kind}`]
  const list = call?.arguments.list ?? []
  const hasUrl =
    list.some(({ code }) => code.startsWith('base_url')) ||
    list.filter(({ code }) => !/^\w+\s*=(?!=)/.test(code)).length > 2
  if (language.fix !== 'python' || kind !== 'management-client' || row === undefined || !hasUrl) return row
  const argument = 'credential_scopes=[RESOURCE_MANAGER_SCOPE]'
  const text = `Pass ${argument} of \`cloud-profile export python\`: with the address alone the token stays that of the public cloud`
  return { ...row, argument, member: 'RESOURCE_MANAGER_SCOPE', text }
}

/** The change of a call: one argument more, one option more in a literal, or another one in the place of nothing. */
function insertion(
  source: Source,
  { name, kind }: ConstructPlace,
  call: NonNullable<ConstructPlace['call']>,
  row: Insertion,
): Edit | undefined {
  const { text, language } = source
  const { list, close } = call.arguments
  const argument = row.argument.replaceAll('NAME', name.replace(/^New/, ''))
  const edit = (start: number, end: number, newText: string): Edit =>
    editOf(source, start, end, newText, !newText.includes('&arm.') || /azcore\/arm"/.test(text), row.member)
  const { options } = call
  if (options !== undefined && call.row.options !== 'named') {
    const end = options.start + options.text.length
    const brace = options.text.indexOf('{')
    // A comment in the options moves its places.
    if (text.slice(options.start, end) !== options.text) return undefined
    if (/^(?:nil|null|undefined|default)$/.test(options.text)) return edit(options.start, end, argument)
    if (/^new\s+[\w.]*Options\s*\(\s*\)$/.test(options.text))
      return edit(options.start, end, kind === 'credential' ? argument : `${options.text} { ${row.inLiteral} }`)
    if (brace === -1 || row.inLiteral === '') return undefined
    // Go nests the options of the client, which may stand there already.
    const nested = language.fix === 'go' ? /\bClientOptions:\s*&?[\w.]*ClientOptions\{/.exec(options.text) : null
    const at = options.start + (nested === null ? brace + 1 : nested.index + nested[0].length)
    return edit(at, at, inLiteral(text, at, nested === null ? row.inLiteral : 'Cloud: cloudprofile.Cloud'))
  }
  const missing = typeof call.row.options === 'number' ? Math.max(0, call.row.options - list.length) : 0
  const isManagement = kind === 'management-client'
  if (missing > 0 && (!isManagement || list.length === 0)) return undefined
  const fillers = language.fix === 'dotnet' ? Array.from({ length: missing }, () => 'default') : []
  const at = lastEnd(text, close)
  const before = list.length === 0 ? '' : text[at - 1] === ',' ? ' ' : ', '
  return edit(at, at, before + [...fillers, argument].join(', '))
}

/** An option more behind an opening brace, on a line where the others have theirs. */
function inLiteral(text: string, brace: number, option: string): string {
  const lines = /^(\r?\n[ \t]*)\S/.exec(text.slice(brace, brace + 200))
  if (lines !== null) return `${lines[1] ?? ''}${option},`
  return /^\s*\}/.test(text.slice(brace, brace + 20))
    ? text[brace] === ' '
      ? ` ${option}`
      : option
    : `${text[brace] === ' ' ? ' ' : ''}${option},`
}

/** Behind the last argument, before the line break of the closing bracket. */
function lastEnd(text: string, close: number): number {
  let at = close
  while (/\s/.test(text[at - 1] ?? '')) at -= 1
  return at
}

/** The parameter of each module, which has its own names of clouds. */
const parameters: readonly (readonly [command: RegExp, parameter: string, note: string])[] = [
  [/MgGraph/i, '-Environment $env:GRAPH_ENVIRONMENT', 'a name that Get-MgEnvironment lists'],
  [/AzureAD|MsolService|PnPOnline/i, '-AzureEnvironmentName $env:AZURE_ENVIRONMENT', 'set it in every cloud'],
  [/ExchangeOnline/i, '-ExchangeEnvironmentName $env:EXCHANGE_ENVIRONMENT', 'set it in every cloud'],
  [/IPPSSession/i, '-ConnectionUri $env:COMPLIANCE_URI', 'set it in every cloud'],
  [/SPOService/i, '-Region $env:SHAREPOINT_REGION', 'set it in every cloud'],
  [/MicrosoftTeams/i, '-TeamsEnvironmentName $env:TEAMS_ENVIRONMENT', 'set it in every cloud'],
  [/MsalToken/i, '-Authority $env:AUTHORITY', "the profile's authorityHost and the tenant"],
  [/^func/, '--management-url "$RESOURCE_MANAGER_URL"', "the profile's resourceManagerEndpoint"],
  [/^azwi/, '--azure-env "$AZURE_ENVIRONMENT"', 'set it in every cloud'],
  [
    /Az/i,
    '-Environment $env:AZURE_ENVIRONMENT',
    'set it in every cloud; `cloud-profile export powershell` adds the environment',
  ],
]

function signInFix(source: Source, { name, end }: ConstructPlace): Fix {
  const [, parameter = '', note = ''] = parameters.find(([command]) => command.test(name)) ?? []
  const isSplatted = /^[^\n|;]*\s@\w/.test(source.text.slice(end, end + 200))
  return {
    text: `Add ${parameter}, ${note}`,
    ...(!isSplatted && { edit: editOf(source, end, end, ` ${parameter}`, false) }),
  }
}
