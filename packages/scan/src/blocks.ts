import { isCode } from './calls.ts'
import type { ConstructPlace } from './constructs.ts'
import type { ConstructKind } from './construct-table.ts'
import type { Source } from './source.ts'

/** A block of HCL with the names that are assigned directly in it. */
export interface Block {
  readonly start: number
  readonly open: number
  readonly close: number
  readonly type: string
  readonly label: string
  readonly values: ReadonlyMap<string, { readonly text: string; readonly start: number }>
}

const longestBlock = 8000
const providers = /^(?:azurerm|azuread|azapi)$/

/** The blocks of these types, wherever they stand. */
function readBlocks(source: Source, types: string): readonly Block[] {
  const { text } = source
  const blocks: Block[] = []
  for (const match of text.matchAll(
    new RegExp(
      String.raw`(?<=^|\n|\{)([ \t]{0,40})(${types})[ \t]{0,10}(?:"([^"\n]{1,100})")?[ \t]{0,10}(?:"[^"\n]{1,100}")?[ \t]{0,10}\{`,
      'g',
    ),
  )) {
    const start = match.index + (match[1]?.length ?? 0)
    const open = match.index + match[0].length - 1
    if (!isCode(source, start) || blocks.length > 400) continue
    const close = closeOf(source, open)
    blocks.push({
      start,
      open,
      close,
      type: match[2] ?? '',
      label: match[3] ?? '',
      values: valuesOf(text, open, close),
    })
  }
  return blocks
}

function closeOf(source: Source, open: number): number {
  let depth = 0
  const last = Math.min(source.text.length, open + longestBlock)
  for (let at = open; at < last; at++) {
    const character = source.text[at]
    if (character !== '{' && character !== '}') continue
    if (!isCode(source, at)) continue
    depth += character === '{' ? 1 : -1
    if (depth === 0) return at
  }
  return last
}

function valuesOf(text: string, open: number, close: number): Block['values'] {
  const values = new Map<string, { text: string; start: number }>()
  let depth = 0
  let at = open + 1
  for (const line of text.slice(open + 1, close).split('\n')) {
    const found = depth === 0 ? /^\s*"?([\w-]+)"?\s*=\s*(.*)$/.exec(line) : null
    const value = found?.[2] ?? ''
    if (found?.[1] !== undefined)
      values.set(found[1], { text: /^"([^"]*)"/.exec(value)?.[1] ?? '', start: at + line.length - value.length + 1 })
    depth += line.split('{').length - line.split('}').length
    at += line.length + 1
  }
  return values
}

const cloudSettings = ['environment', 'metadata_host', 'endpoint']
/** A backend without all of them reads the others, and possibly its cloud, from a file or from options. */
const backendSettings = ['storage_account_name', 'container_name', 'key']

/** Provider and backend blocks of Terraform without a cloud. */
function findProviders(source: Source): readonly ConstructPlace[] {
  if (source.path.endsWith('.json')) return findJsonProviders(source)
  return readBlocks(source, 'provider|backend')
    .filter(
      ({ type, label, values }) =>
        providers.test(label) && (type === 'provider' || backendSettings.every((name) => values.has(name))),
    )
    .filter(({ values }) => !cloudSettings.some((name) => values.has(name)))
    .map(({ start, open, type, label }) => ({
      start,
      end: open + 1,
      name: `${type} "${label}"`,
      kind: 'provider-block',
    }))
}

function findJsonProviders(source: Source): readonly ConstructPlace[] {
  return [...source.text.matchAll(/"(azurerm|azuread|azapi)"\s{0,40}:\s{0,40}\[?\s{0,40}\{/g)].flatMap(
    ({ index, 0: begin, 1: label = '' }) => {
      const open = index + begin.length - 1
      const above = source.text.slice(Math.max(0, index - 200), index)
      if (!/"provider"\s*:\s*(?:\[\s*)?\{[^}]*$/.test(above)) return []
      return /"(?:environment|metadata_host)"\s*:/.test(source.text.slice(open, closeOf(source, open)))
        ? []
        : [{ start: index, end: open + 1, name: `provider "${label}"`, kind: 'provider-block' as const }]
    },
  )
}

/** Where a block of Terraform chooses a cloud by a plain name. */
export function findPlainNames(
  source: Source,
): readonly { readonly start: number; readonly end: number; readonly cloud: string }[] {
  return readBlocks(source, 'provider|backend|variable').flatMap(({ type, label, values }) => {
    const isDefault = type === 'variable' && /environment|cloud/i.test(label)
    const value = isDefault ? values.get('default') : providers.test(label) ? values.get('environment') : undefined
    return value === undefined || !/^(?:public|usgovernment|china)$/i.test(value.text)
      ? []
      : [{ start: value.start, end: value.start + value.text.length, cloud: value.text.toLowerCase() }]
  })
}

/** The lines of YAML that belong to the entry of a line: those of a deeper indent. */
function entryOf({ lines }: Source, row: number): { readonly first: number; readonly lines: readonly string[] } {
  const indentOf = (line: string) => /^[\s-]*/.exec(line)?.[0].length ?? 0
  const own = indentOf(lines.textOf(row, 400))
  const belongs = (line: string) => line.trim() === '' || /^\s*#/.test(line) || indentOf(line) >= own
  let first = row
  // The dash of the list item may stand above.
  while (
    first > Math.max(0, row - 40) &&
    !/^\s*-\s/.test(lines.textOf(first, 400)) &&
    belongs(lines.textOf(first - 1, 400))
  )
    first -= 1
  const found: string[] = []
  for (let each = first; each < Math.min(lines.count, first + 80); each++) {
    const line = lines.textOf(each, 400)
    if (each > row && (!belongs(line) || (/^\s*-\s/.test(line) && indentOf(line) <= own))) break
    found.push(line)
  }
  return { first, lines: found }
}

/** Steps and resources of YAML: what begins them, what must stand in their entry, and what names the cloud. */
const entries: readonly {
  readonly begin: RegExp
  readonly name: string
  readonly kind: ConstructKind
  readonly needs?: RegExp
  readonly file?: RegExp
  readonly cloud: RegExp
}[] = [
  {
    begin: /(?:^|\n)[ \t-]*uses:[ \t]*["']?(azure\/login@[\w.-]+)/gi,
    name: '',
    kind: 'login-step',
    cloud: /^\s*environment\s*:/im,
  },
  {
    begin: /(?:^|\n)[ \t-]*(azurekv):[ \t]*(?=\n)/g,
    name: 'azurekv',
    kind: 'manifest',
    file: /\bkind:\s*(?:Cluster)?SecretStore\b/,
    cloud: /environmentType\s*:|customCloudConfig\s*:/,
  },
  {
    begin:
      /(?:^|\n)[ \t-]*type:[ \t]*["']?(azure-(?:blob|queue|servicebus|eventhub|log-analytics|monitor|app-insights|data-explorer))\b/g,
    name: '',
    kind: 'manifest',
    file: /\bkeda\.sh\//,
    needs:
      /\b(?:accountName|namespace|workspaceId|resourceURI|storageAccountName|applicationInsightsId|eventHubNamespace)\s*:/,
    cloud: /\bcloud\s*:/,
  },
]

function findEntries(source: Source): readonly ConstructPlace[] {
  return entries.flatMap(({ begin, kind, needs, file, cloud }) => {
    if (file !== undefined && !file.test(source.text)) return []
    return [...source.text.matchAll(begin)].slice(0, 200).flatMap((match) => {
      const name = match[1] ?? ''
      const start = match.index + match[0].lastIndexOf(name)
      const entry = entryOf(source, source.lines.rowOf(start)).lines.join('\n')
      if (cloud.test(entry) || needs?.test(entry) === false || source.isComment(start)) return []
      return [{ start, end: start + name.length, name, kind }]
    })
  })
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
const shellCommands: readonly (readonly [command: RegExp, cloud: RegExp])[] = [
  [/(?<![\w-])(func\s+azure\s+functionapp\s+publish)\b/g, /--management-url\b/],
  [/(?<![\w-])(azwi\s+(?:serviceaccount|sa)\s+create)\b/g, /--azure-env\b/],
]

/** What may stand before a command: the begin of a statement or of a block, a pipe or an assignment. */
const beforeCommand = /(?:^|[;{(|=&\n]|\b(?:return|then|do|run:|-))[ \t]{0,40}(?:[\w.]{1,60}\\)?$/i

function findCommands(source: Source, rows: typeof commands): readonly ConstructPlace[] {
  const { text } = source
  return rows.flatMap(([command, cloud]) =>
    [...text.matchAll(command)].slice(0, 200).flatMap(({ index, 1: name = '' }) => {
      if (!isCode(source, index) || !beforeCommand.test(text.slice(Math.max(0, index - 110), index))) return []
      const statement = statementAt(source, index)
      const splatted = /\s@(\w+)/.exec(statement)?.[1]
      if (cloud.test(statement) || (splatted !== undefined && !isPlainTable(text, splatted, cloud))) return []
      return [
        {
          start: index,
          end: index + name.length,
          name: name.replaceAll(/\s+/g, ' '),
          kind: 'sign-in-command' as const,
        },
      ]
    }),
  )
}

/** Whether parameters come from a table of the file that names no cloud. */
function isPlainTable(text: string, name: string, cloud: RegExp): boolean {
  const tables = [...text.matchAll(new RegExp(String.raw`\$${name}\s{0,10}=\s{0,10}@\{([^}]{0,2000})\}`, 'gi'))]
  const key = new RegExp(cloud.source.replaceAll(String.raw`\s-`, String.raw`(?:^|[\s;.'"\[])`), 'i')
  return (
    tables.length === 1 &&
    !key.test(tables[0]?.[1] ?? '') &&
    !new RegExp(String.raw`\$${name}(?:\.|\[|\s*\+=)`, 'i').test(text)
  )
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

/** Connection strings of storage with neither a suffix nor an endpoint: the SDKs add the public one. */
function findConnectionStrings({ text }: Source): readonly ConstructPlace[] {
  const places: ConstructPlace[] = []
  let end = 0
  for (const { index, 0: begin } of text.matchAll(beginOfString)) {
    if (index < end) continue
    end = index + begin.length
    const own = statementOf(text.slice(index, index + stringReach))
    if (/EndpointSuffix\s*=|(?:Blob|Queue|Table|File)Endpoint\s*=|UseDevelopmentStorage|devstoreaccount1/i.test(own))
      continue
    places.push({ start: index, end, name: 'connection string', kind: 'connection-string' })
  }
  return places
}

/** The next statement, an empty line, or the next connection string is another one. */
function statementOf(text: string): string {
  const empty = text.search(/\n\s*\n/)
  const next = text.slice(1).search(/(?:DefaultEndpointsProtocol|AccountName)=(?!.{0,40}AccountKey)/s)
  const lines = text.slice(0, empty === -1 ? undefined : empty).split('\n')
  let own = lines[0] ?? ''
  for (let index = 1; index < lines.length; index++) {
    const [before = '', line = ''] = [lines[index - 1], lines[index]]
    // A string goes on where an operator, an open bracket or a backslash stands between.
    if (!/[+.&|(,\\]\s*$/.test(before) && !/^\s*(?:[+.&|]|["'`f$;])/.test(line)) break
    if (/["'`]\s*[,;]?\s*$/.test(before) && /^\s*["'`]?(?:DefaultEndpointsProtocol|\w+["']?\s*[:=])/.test(line)) break
    own += `\n${line}`
  }
  const begin = text.startsWith('Default') ? -1 : next
  return begin > 60 ? own.slice(0, begin + 1) : own
}

/** Everything outside of programs that reaches the public cloud by default. */
export function findBlocks(source: Source): readonly ConstructPlace[] {
  const { language } = source
  const strings = findConnectionStrings(source)
  if (language.fix === 'terraform') return [...strings, ...findProviders(source)]
  if (language.fix === 'powershell')
    return [...strings, ...findCommands(source, commands), ...findCommands(source, shellCommands)]
  if (language.isYaml === true) return [...strings, ...findEntries(source), ...findCommands(source, shellCommands)]
  return ['shell', 'makefile', 'docker'].includes(language.fix)
    ? [...strings, ...findCommands(source, shellCommands)]
    : strings
}
