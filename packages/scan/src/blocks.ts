import { isCode, readArguments } from './calls.ts'
import type { ConstructPlace } from './constructs.ts'
import type { Source } from './source.ts'

/** A block of HCL with the texts that are assigned directly in it. */
interface Block {
  readonly start: number
  readonly open: number
  readonly type: string
  readonly label: string
  readonly values: ReadonlyMap<string, { readonly text: string; readonly start: number }>
}

/** Characters of a block that are read, where its bracket is not closed. */
const longestBlock = 8000
const providers = /^(?:azurerm|azuread|azapi)$/

const closeOf = (source: Source, open: number) => readArguments(source, open)?.close ?? open + longestBlock

/** The blocks of these types, wherever they stand. */
function readBlocks(source: Source, types: string): readonly Block[] {
  const { text } = source
  const begin = new RegExp(
    String.raw`(?<=^|\n|\{)([ \t]{0,40})(${types})[ \t]{0,10}(?:"([^"\n]{1,100})")?[ \t]{0,10}(?:"[^"\n]{1,100}")?[ \t]{0,10}\{`,
    'g',
  )
  const found = [...text.matchAll(begin)].slice(0, 400)
  return found.flatMap(({ index, 0: written, 1: indent = '', 2: type = '', 3: label = '' }) => {
    const [start, open] = [index + indent.length, index + written.length - 1]
    if (!isCode(source, start)) return []
    return [{ start, open, type, label, values: valuesOf(text, open, closeOf(source, open)) }]
  })
}

function valuesOf(text: string, open: number, close: number): Block['values'] {
  const values = new Map<string, { text: string; start: number }>()
  let depth = 0
  let at = open + 1
  for (const line of text.slice(open + 1, close).split('\n')) {
    const [, name, value = ''] = (depth === 0 ? /^\s*"?([\w-]+)"?\s*=\s*(.*)$/.exec(line) : null) ?? []
    const start = at + line.length - value.length + 1
    if (name !== undefined) values.set(name, { text: /^"([^"]*)"/.exec(value)?.[1] ?? '', start })
    depth += line.split('{').length - line.split('}').length
    at += line.length + 1
  }
  return values
}

/** A backend without all of them reads the others, and possibly its cloud, from a file or from options. */
const backendSettings = ['storage_account_name', 'container_name', 'key']

/** Provider and backend blocks of Terraform without a cloud. */
function findProviders(source: Source): readonly ConstructPlace[] {
  if (source.path.endsWith('.json')) return findJsonProviders(source)
  return readBlocks(source, 'provider|backend').flatMap(({ start, open, type, label, values }) => {
    const isWhole = type === 'provider' || backendSettings.every((name) => values.has(name))
    const namesCloud = ['environment', 'metadata_host', 'endpoint'].some((name) => values.has(name))
    if (!providers.test(label) || !isWhole || namesCloud) return []
    return [{ start, end: open + 1, name: `${type} "${label}"`, kind: 'provider-block' }]
  })
}

function findJsonProviders(source: Source): readonly ConstructPlace[] {
  const { text } = source
  const found = text.matchAll(/"(azurerm|azuread|azapi)"\s{0,40}:\s{0,40}\[?\s{0,40}\{/g)
  return [...found].flatMap(({ index, 0: begin, 1: label = '' }) => {
    const open = index + begin.length - 1
    const isProvider = /"provider"\s*:\s*(?:\[\s*)?\{[^}]*$/.test(text.slice(Math.max(0, index - 200), index))
    const namesCloud = /"(?:environment|metadata_host)"\s*:/.test(text.slice(open, closeOf(source, open)))
    if (!isProvider || namesCloud) return []
    return [{ start: index, end: open + 1, name: `provider "${label}"`, kind: 'provider-block' as const }]
  })
}

/** Where a block of Terraform chooses a cloud by a plain name. */
export function findPlainNames(source: Source) {
  return readBlocks(source, 'provider|backend|variable').flatMap(({ type, label, values }) => {
    const isDefault = type === 'variable' && /environment|cloud/i.test(label)
    const value = isDefault ? values.get('default') : providers.test(label) ? values.get('environment') : undefined
    if (value === undefined || !/^(?:public|usgovernment|china)$/i.test(value.text)) return []
    return [{ start: value.start, end: value.start + value.text.length, cloud: value.text.toLowerCase() }]
  })
}

/** Steps and resources of YAML: what begins them, what their file and entry must hold, and what names the cloud. */
const entries = [
  {
    begin: /(?:^|\n)[ \t-]*uses:[ \t]*["']?(azure\/login@[\w.-]+)/gi,
    kind: 'login-step',
    file: /^/,
    needs: /^/,
    cloud: /^[ \t]*environment\s*:/im,
  },
  {
    begin: /(?:^|\n)[ \t-]*(azurekv):[ \t]*(?=\n)/g,
    kind: 'manifest',
    file: /\bkind:\s*(?:Cluster)?SecretStore\b/,
    needs: /^/,
    cloud: /environmentType\s*:|customCloudConfig\s*:/,
  },
  {
    begin:
      /(?:^|\n)[ \t-]*type:[ \t]*["']?(azure-(?:blob|queue|servicebus|eventhub|log-analytics|monitor|app-insights|data-explorer))\b/g,
    kind: 'manifest',
    file: /\bkeda\.sh\//,
    needs:
      /\b(?:accountName|namespace|workspaceId|resourceURI|storageAccountName|applicationInsightsId|eventHubNamespace)\s*:/,
    cloud: /\bcloud\s*:/,
  },
] as const

function findEntries(source: Source): readonly ConstructPlace[] {
  return entries.flatMap(({ begin, kind, needs, file, cloud }) => {
    if (!file.test(source.text)) return []
    return [...source.text.matchAll(begin)].slice(0, 200).flatMap((match) => {
      const name = match[1] ?? ''
      const start = match.index + match[0].lastIndexOf(name)
      const entry = entryOf(source, source.lines.rowOf(start))
      if (cloud.test(entry) || !needs.test(entry) || source.isComment(start)) return []
      return [{ start, end: start + name.length, name, kind }]
    })
  })
}

/** The lines of YAML that belong to the entry of a line: those of a deeper indent. */
function entryOf({ lines }: Source, row: number): string {
  const textOf = (each: number) => lines.textOf(each, 400)
  const indentOf = (each: number) => /^[\s-]*/.exec(textOf(each))?.[0].length ?? 0
  const isItem = (each: number) => /^\s*-\s/.test(textOf(each))
  const own = indentOf(row)
  const belongs = (each: number) => /^\s*(?:#|$)/.test(textOf(each)) || indentOf(each) >= own
  let [first, last] = [row, row]
  // The dash of the list item may stand above.
  while (first > Math.max(0, row - 40) && !isItem(first) && belongs(first - 1)) first -= 1
  const isNext = (each: number) => belongs(each) && !(isItem(each) && indentOf(each) <= own)
  while (last < Math.min(lines.count, first + 80) - 1 && isNext(last + 1)) last += 1
  return Array.from({ length: last - first + 1 }, (_, index) => textOf(first + index)).join('\n')
}

/** Sign-in commands, and the parameter that names the cloud. */
const commands: readonly (readonly [command: RegExp, cloud: RegExp])[] = [
  [/(?<![\w-])((?:Connect|Login|Add)-Az(?:ureRm)?Account|Connect-MgGraph)(?![\w-])/gi, /\s-(?:Azure)?Env\w*/i],
  [
    /(?<![\w-])(Connect-AzureAD|Connect-MsolService|Connect-PnPOnline)(?![\w-])/gi,
    /\s-AzureEnv\w*|\s-Url\b.*sharepoint\.(?:us|cn)|\s-MicrosoftGraphEndPoint/i,
  ],
  [/(?<![\w-])(Connect-ExchangeOnline|Connect-IPPSSession)(?![\w-])/gi, /\s-(?:ExchangeEnv\w*|ConnectionUri)/i],
  [/(?<![\w-])(Connect-SPOService)(?![\w-])/gi, /\s-(?:Region|AuthenticationUrl)\b/i],
  [/(?<![\w-])(Connect-MicrosoftTeams)(?![\w-])/gi, /\s-TeamsEnv\w*/i],
  [/(?<![\w-])(Get-MsalToken)(?![\w-])/gi, /\s-(?:AzureCloudInstance|Authority)\b/i],
]
const shellCommands: typeof commands = [
  [/(?<![\w-])(func\s+azure\s+functionapp\s+publish)\b/g, /--management-url\b/],
  [/(?<![\w-])(azwi\s+(?:serviceaccount|sa)\s+create)\b/g, /--azure-env\b/],
]

/** What may stand before a command: the begin of a statement or of a block, a pipe or an assignment. */
const beforeCommand = /(?:^|[;{(|=&\n]|\b(?:return|then|do|run:|-))[ \t]{0,40}(?:[\w.]{1,60}\\)?$/i

function findCommands(source: Source, rows: typeof commands): readonly ConstructPlace[] {
  const { text } = source
  return rows.flatMap(([command, cloud]) =>
    [...text.matchAll(command)].slice(0, 200).flatMap(({ index, 1: written = '' }) => {
      if (!isCode(source, index) || !beforeCommand.test(text.slice(Math.max(0, index - 110), index))) return []
      const statement = statementAt(source, index)
      const splatted = /\s@(\w+)/.exec(statement)?.[1]
      if (cloud.test(statement) || (splatted !== undefined && !isPlainTable(text, splatted, cloud))) return []
      const name = written.replaceAll(/\s+/g, ' ')
      return [{ start: index, end: index + written.length, name, kind: 'sign-in-command' as const }]
    }),
  )
}

/** Whether parameters come from a table of the file that names no cloud. */
function isPlainTable(text: string, name: string, cloud: RegExp): boolean {
  const tables = [...text.matchAll(new RegExp(String.raw`\$${name}\s{0,10}=\s{0,10}@\{([^}]{0,2000})\}`, 'gi'))]
  const key = new RegExp(cloud.source.replaceAll(String.raw`\s-`, String.raw`(?:^|[\s;.'"\[])`), 'i')
  const isExtended = new RegExp(String.raw`\$${name}(?:\.|\[|\s*\+=)`, 'i').test(text)
  return tables.length === 1 && !key.test(tables[0]?.[1] ?? '') && !isExtended
}

/** A backtick or backslash at the end of a line, or an open bracket, continues the statement in the next line. */
function statementAt({ text }: Source, at: number): string {
  const rest = text.slice(at, at + 4000)
  let depth = 0
  for (let index = 0; index < rest.length; index++) {
    const character = rest[index] ?? ''
    if ('({['.includes(character)) depth += 1
    else if (')}]'.includes(character)) depth -= 1
    else if ((character === '`' || character === '\\') && /^\r?\n/.test(rest.slice(index + 1, index + 3)))
      index += rest[index + 1] === '\r' ? 2 : 1
    else if (depth === 0 && '\n;|'.includes(character)) return rest.slice(0, index)
    if (depth < 0) return rest.slice(0, index)
  }
  return rest
}

const beginOfString =
  /(?:DefaultEndpointsProtocol=[^;"'`\n]{1,40};[^"'`\n]{0,160}?AccountName=|AccountName=[^;"'`\n]{1,200};\s{0,4}AccountKey=)/gi
/** How much may stand between the begin of a connection string and its suffix, where it is put together of parts. */
const stringReach = 600
/** What ends it: an empty line, the next one, the next of a list, or a line that no operator or quote connects. */
const endOfConnection =
  /\n\s*\n|(?:DefaultEndpointsProtocol|AccountName)=|["'`]\s*[,;]?\s*\n\s*["'`]?[\w.-]+["'`]?\s*[:=]|(?<![+.&|(,\\]\s*)\n(?!\s*(?:[+.&|]|["'`f$;]))/
const namesSuffix = /EndpointSuffix\s*=|(?:Blob|Queue|Table|File)Endpoint\s*=|UseDevelopmentStorage|devstoreaccount1/i

/** Connection strings of storage with neither a suffix nor an endpoint: the SDKs add the public one. */
function findConnectionStrings({ text }: Source): readonly ConstructPlace[] {
  // One word alone is found much faster.
  if (!/AccountName=/i.test(text)) return []
  return [...text.matchAll(beginOfString)].flatMap(({ index: start, 0: begin }) => {
    const end = start + begin.length
    const rest = text.slice(end, end + stringReach)
    const last = rest.search(endOfConnection)
    if (namesSuffix.test(begin + rest.slice(0, last === -1 ? undefined : last))) return []
    return [{ start, end, name: 'connection string', kind: 'connection-string' as const }]
  })
}

/** Everything outside of programs that reaches the public cloud by default. */
export function findBlocks(source: Source): readonly ConstructPlace[] {
  const { fix, isYaml } = source.language
  const isShell = ['shell', 'makefile', 'docker', 'powershell'].includes(fix)
  return [
    ...findConnectionStrings(source),
    ...(fix === 'terraform' ? findProviders(source) : []),
    ...(fix === 'powershell' ? findCommands(source, commands) : []),
    ...(isYaml === true ? findEntries(source) : []),
    ...(isYaml === true || isShell ? findCommands(source, shellCommands) : []),
  ]
}
