import type { ConstructKind } from './construct-table.ts'
import type { ConstructPlace } from './constructs.ts'
import { editOf } from './embed.ts'
import { expressionFor } from './expressions.ts'
import type { Edit, Fix } from './finding.ts'
import type { Source } from './source.ts'

/** What to insert into a call. `NAME` is that of the class. */
interface Insertion {
  readonly argument: string
  /** In options that stand in the call. Absent where options are arguments. */
  readonly inLiteral?: string
  /** What the argument sets, for the text. */
  readonly about?: string
  readonly member: string
}

const insertions: Readonly<Record<string, Insertion>> = {
  'typescript credential': {
    argument: 'credentialOptions',
    inLiteral: '...credentialOptions',
    about: 'authorityHost: cloud.authorityHost',
    member: 'credentialOptions',
  },
  'typescript management-client': {
    argument: 'managementClientOptions',
    inLiteral: '...managementClientOptions',
    about: 'endpoint and scope',
    member: 'managementClientOptions',
  },
  'python credential': {
    argument: '**credential_options()',
    about: 'authority=AUTHORITY',
    member: 'credential_options',
  },
  'python management-client': {
    argument: '**MANAGEMENT_CLIENT_OPTIONS',
    about: 'base_url=RESOURCE_MANAGER_ENDPOINT, credential_scopes',
    member: 'MANAGEMENT_CLIENT_OPTIONS',
  },
  // With the address alone the token stays that of the public cloud.
  'python scopes': { argument: 'credential_scopes=[RESOURCE_MANAGER_SCOPE]', member: 'RESOURCE_MANAGER_SCOPE' },
  'go credential': {
    argument: '&azidentity.NAMEOptions{ClientOptions: cloudprofile.ClientOptions}',
    inLiteral: 'ClientOptions: cloudprofile.ClientOptions',
    about: 'Cloud: cloudprofile.Cloud',
    member: 'cloudprofile',
  },
  'go management-client': {
    argument: '&arm.ClientOptions{ClientOptions: cloudprofile.ClientOptions}',
    inLiteral: 'ClientOptions: cloudprofile.ClientOptions',
    member: 'cloudprofile',
  },
  'dotnet credential': {
    argument: 'Cloud.CreateCredentialOptions<NAMEOptions>()',
    inLiteral: 'AuthorityHost = Cloud.AuthorityHost, DisableInstanceDiscovery = Cloud.DisableInstanceDiscovery',
    about: 'AuthorityHost = Cloud.AuthorityHost; using CloudProfile;',
    member: 'Cloud',
  },
  'dotnet management-client': {
    argument: 'new ArmClientOptions { Environment = Cloud.ArmEnvironment }',
    inLiteral: 'Environment = Cloud.ArmEnvironment',
    about: 'using CloudProfile;',
    member: 'Cloud',
  },
}

const texts: Readonly<Record<Exclude<ConstructKind, 'sign-in-command'>, string>> = {
  credential: 'Set its authority host, from `cloud-profile export`',
  'sign-in-library': "Set its authority: the profile's authorityHost followed by the tenant",
  'management-client': 'Set its endpoint and its audience, from `cloud-profile export`',
  'graph-client': "Set its base URL and its scope to the profile's Microsoft Graph: the SDK asks the public one",
  'data-client':
    'Set its audience to that of the cloud: the SDK asks for a token of the public one, whatever the endpoint',
  'connection-string': 'Add EndpointSuffix= and the storage suffix of the cloud without .blob',
  'provider-block': 'Set environment, or metadata_host for a private cloud: see `cloud-profile export terraform`',
  'login-step': 'Add `environment: ${{ vars.AZURE_ENVIRONMENT }}` under `with`, and set the variable in every cloud',
  manifest:
    'Add the cloud, from the values of each cloud: `environmentType` of a secret store, `cloud:` of a trigger (with endpointSuffix and activeDirectoryEndpoint for a private cloud)',
}

/** The fix of a construct without a cloud. */
export function fixOfConstruct(source: Source, place: ConstructPlace): Fix {
  const { language, lines, path } = source
  const { kind, name, call } = place
  if (kind === 'sign-in-command') return signInFix(source, place)
  const text = texts[kind]
  if (name.endsWith('.Provider'))
    return { text: 'Set its environment, and metadataHost for a private cloud: see `cloud-profile export pulumi`' }
  if (kind === 'connection-string') {
    const suffix = expressionFor(language.fix, 'storage', 'suffix')
    return { text: suffix === undefined ? text : `${text}: ${suffix.code}` }
  }
  if (kind === 'provider-block' && !path.endsWith('.json')) {
    const indent = /^[ \t]*/.exec(lines.textOf(lines.rowOf(place.start), 100))?.[0] ?? ''
    const region = { start: place.end, end: place.end }
    return { text, edit: editOf(source, region, `\n${indent}  environment = var.environment`, false) }
  }
  if (kind === 'credential' && language.fix === 'java' && call !== undefined) {
    const at = call.arguments.close + 1
    const step = '.authorityHost(Cloud.AUTHORITY_HOST)'
    const edit = editOf(source, { start: at, end: at }, step, true, 'Cloud')
    return { text: `Call ${step} of \`cloud-profile export java\``, edit }
  }
  const list = call?.arguments.list ?? []
  // Python takes no argument twice.
  const hasUrl =
    list.some(({ code }) => code.startsWith('base_url')) ||
    list.filter(({ code }) => !/^\w+\s*=(?!=)/.test(code)).length > 2
  const isScopes = language.fix === 'python' && kind === 'management-client' && hasUrl
  const row = insertions[`${language.fix} ${isScopes ? 'scopes' : kind}`]
  if (row === undefined || call === undefined) return { text }
  const argument = row.argument.replaceAll('NAME', name.replace(/^New/, ''))
  const edit = insertion(source, call, { ...row, argument }, kind === 'management-client')
  const about = row.about === undefined ? '' : ` (${row.about})`
  return { text: `Pass ${argument}${about}, of \`cloud-profile export ${language.fix}\``, ...(edit && { edit }) }
}

/** The change of a call: one argument more, one option more in a literal, or another one in the place of nothing. */
function insertion(
  source: Source,
  { arguments: { list, close }, options, row }: NonNullable<ConstructPlace['call']>,
  { argument, inLiteral, member }: Insertion,
  isManagement: boolean,
): Edit | undefined {
  const { text, language } = source
  const edit = (start: number, end: number, newText: string): Edit =>
    editOf(source, { start, end }, newText, !newText.includes('&arm.') || /azcore\/arm"/.test(text), member)
  if (options !== undefined && row.options !== 'named') {
    const end = options.start + options.text.length
    // A comment in the options moves its places.
    if (text.slice(options.start, end) !== options.text) return undefined
    if (/^(?:nil|null|undefined|default)$/.test(options.text)) return edit(options.start, end, argument)
    if (/^new\s+[\w.]*Options\s*\(\s*\)$/.test(options.text))
      return edit(options.start, end, isManagement ? `${options.text} { ${inLiteral ?? ''} }` : argument)
    const brace = options.text.indexOf('{')
    if (brace === -1 || inLiteral === undefined) return undefined
    // Go nests the options of the client, which may stand there already.
    const nested = language.fix === 'go' ? /\bClientOptions:\s*&?[\w.]*ClientOptions\{/.exec(options.text) : null
    const at = options.start + (nested === null ? brace + 1 : nested.index + nested[0].length)
    return edit(at, at, behindBrace(text, at, nested === null ? inLiteral : 'Cloud: cloudprofile.Cloud'))
  }
  const missing = typeof row.options === 'number' ? Math.max(0, row.options - list.length) : 0
  if (missing > 0 && (!isManagement || list.length === 0)) return undefined
  const fillers = language.fix === 'dotnet' ? Array.from({ length: missing }, () => 'default') : []
  // Behind the last argument, before the line break of the closing bracket.
  let at = close
  while (/\s/.test(text[at - 1] ?? '')) at -= 1
  const before = list.length === 0 ? '' : text[at - 1] === ',' ? ' ' : ', '
  return edit(at, at, before + [...fillers, argument].join(', '))
}

/** An option more behind an opening brace, on a line where the others have theirs. */
function behindBrace(text: string, at: number, option: string): string {
  const lines = /^(\r?\n[ \t]*)\S/.exec(text.slice(at, at + 200))
  if (lines !== null) return `${lines[1] ?? ''}${option},`
  const space = text[at] === ' ' ? ' ' : ''
  return space + option + (/^\s*\}/.test(text.slice(at, at + 20)) ? '' : ',')
}

/** The parameter of each module, which has its own names of clouds. */
const parameters: readonly (readonly [command: RegExp, parameter: string, note?: string])[] = [
  [/MgGraph/i, '-Environment $env:GRAPH_ENVIRONMENT', 'a name that Get-MgEnvironment lists'],
  [/AzureAD|MsolService|PnPOnline/i, '-AzureEnvironmentName $env:AZURE_ENVIRONMENT'],
  [/ExchangeOnline/i, '-ExchangeEnvironmentName $env:EXCHANGE_ENVIRONMENT'],
  [/IPPSSession/i, '-ConnectionUri $env:COMPLIANCE_URI'],
  [/SPOService/i, '-Region $env:SHAREPOINT_REGION'],
  [/MicrosoftTeams/i, '-TeamsEnvironmentName $env:TEAMS_ENVIRONMENT'],
  [/MsalToken/i, '-Authority $env:AUTHORITY', "the profile's authorityHost and the tenant"],
  [/^func/, '--management-url "$RESOURCE_MANAGER_URL"', "the profile's resourceManagerEndpoint"],
  [/^azwi/, '--azure-env "$AZURE_ENVIRONMENT"'],
  [
    /Az/i,
    '-Environment $env:AZURE_ENVIRONMENT',
    'set it in every cloud; `cloud-profile export powershell` adds the environment',
  ],
]

function signInFix(source: Source, { name, end }: ConstructPlace): Fix {
  const [, parameter = '', note = 'set it in every cloud'] = parameters.find(([command]) => command.test(name)) ?? []
  const isSplatted = /^[^\n|;]*\s@\w/.test(source.text.slice(end, end + 200))
  return {
    text: `Add ${parameter}, ${note}`,
    ...(!isSplatted && { edit: editOf(source, { start: end, end }, ` ${parameter}`, false) }),
  }
}
