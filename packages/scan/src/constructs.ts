import { isCode, readArguments, readChain, type Argument, type Arguments } from './calls.ts'
import { constructs, type Construct, type ConstructKind } from './construct-table.ts'
import { goPackages, pythonImports, scriptImports } from './imports.ts'
import type { ProgramLanguage } from './languages.ts'
import type { Region, Source } from './source.ts'

/** A construct that reaches the public cloud by default. */
export interface ConstructPlace extends Region {
  /** The name of the class, function, command or block. */
  readonly name: string
  readonly kind: ConstructKind
  /** The row and the arguments, where the construct is a call: a fix inserts there. */
  readonly call?: { readonly row: Construct; readonly arguments: Arguments; readonly options?: Argument }
}

/** A file with more is written by a program. */
const mostConstructs = 400

const inNew = String.raw`\bnew\s{1,20}(?:[\w.]{1,80}\.)?(NAME)\s{0,20}(?:<[^()<>]{0,80}>)?\s{0,20}\(`
const inCall = String.raw`\b(NAME)\s{0,20}\(`
/** How a call of a name is written. `NAME` stands for the expression of the row. */
const shapes: Readonly<Record<ProgramLanguage, Readonly<Partial<Record<Construct['shape'], string>>>>> = {
  typescript: { new: inNew, call: inCall },
  python: { call: String.raw`(?:\b\w[\w.]{0,80}\.)?\b(NAME)\s{0,20}\(` },
  go: { call: String.raw`\b(\w{1,60}\.NAME)\(` },
  dotnet: {
    new: String.raw`${inNew}|\b(?:NAME)\??\s{1,20}\w{1,60}\s{0,20}(?:\{[^{}]{0,60}\}\s{0,20})?=\s{0,20}new\s{0,20}\(`,
    builder: inCall,
  },
  java: {
    new: inNew,
    call: inCall,
    builder: String.raw`(?:\bnew\s{1,20})?(?:\b[a-z][\w.]{0,80}\.)?\b(NAME)\s{0,20}\(`,
  },
  rust: { call: String.raw`\b(NAME)::new(?:_\w{1,30})?\(` },
  cpp: { call: String.raw`(?:make_(?:shared|unique)<[\w:]{0,60})?\b(NAME)(?:>|\s{1,10}\w{1,60})?\s{0,10}[({]` },
}

/** The constructs of a program without a word about the cloud. */
export function findConstructs(source: Source): readonly ConstructPlace[] {
  const { text, language } = source
  const places = new Map<number, ConstructPlace>()
  const used = libraries.filter(([first]) => first?.row.language === language.fix && first.row.library.test(text))
  for (const { row, pattern } of used.flat()) {
    const isOfLibrary = meaningOf(row, text)
    for (const match of text.matchAll(pattern)) {
      if (places.size >= mostConstructs) break
      const open = match.index + match[0].length - 1
      const written = match[1] ?? match[0].split(/\W/, 1)[0] ?? ''
      const before = text.slice(Math.max(0, match.index - 30), match.index)
      if (!isCode(source, match.index) || !isCode(source, open) || !isOfLibrary(match[0], written)) continue
      if (/\b(?:class|def|func|fn|function|interface)\s{1,20}$/.test(before)) continue
      const found = readArguments(source, open)
      const options = found === undefined ? undefined : missingOptions(source, row, found)
      if (found === undefined || options === undefined) continue
      // `Type name = new(…)`
      const isTarget = row.shape === 'new' && match[1] === undefined
      const start = isTarget ? match.index + match[0].lastIndexOf('new') : match.index
      if (places.has(start)) continue
      places.set(start, {
        start,
        end: isTarget ? start + 3 : open,
        name: written.slice(row.language === 'go' ? written.indexOf('.') + 1 : 0),
        kind: row.kind,
        call: { row, arguments: found, ...(options !== null && { options }) },
      })
    }
  }
  return [...places.values()]
}

/** Each construct with its calls. A file may call the name otherwise: then every call is compared with what it imports. */
const calls = constructs.map((row) => {
  const isAliased =
    (row.language === 'typescript' && (row.kind === 'credential' || row.from !== undefined)) ||
    (row.language === 'python' && row.from !== undefined)
  const shape = shapes[row.language][row.shape] ?? ''
  return { row, pattern: new RegExp(shape.replaceAll('NAME', isAliased ? String.raw`\w{1,80}` : row.name), 'g') }
})

/** The calls by their library: a text is searched for it once. */
const libraries = [...Map.groupBy(calls, ({ row }) => `${row.language} ${row.library.source}`).values()]

/** Reads once what the names of a file mean, and tells whether a call is one of the row. */
function meaningOf(row: Construct, text: string): (call: string, written: string) => boolean {
  const isName = (name: string | undefined) => name !== undefined && new RegExp(`^(?:${row.name})$`).test(name)
  const isOwnClass = (name: string) => new RegExp(String.raw`\bclass\s+${name.replaceAll(/\W.*/g, '')}\b`).test(text)
  if (row.language === 'go' && row.from instanceof RegExp) {
    const packages = goPackages(text, row.from)
    return (call) => packages.has(call.slice(0, call.indexOf('.')))
  }
  if (row.language === 'python' && typeof row.from === 'string') {
    const { names, modules } = pythonImports(text, row.from)
    return (call, written) => {
      const module = call.includes('.') ? call.slice(0, call.lastIndexOf('.')) : undefined
      if (module === undefined) return isName(names.get(written))
      return isName(written) && (modules.has(module) || (row.kind === 'credential' && module.endsWith('identity')))
    }
  }
  if (row.language !== 'typescript') return (_call, written) => !isOwnClass(written)
  if (row.from instanceof RegExp) {
    const { names, modules } = scriptImports(text, row.from)
    return (call, written) => {
      const module = /new\s+(\w+)\./.exec(call)?.[1]
      const isOfModule = modules.has(module ?? written)
      return isName(
        module === undefined ? (names.get(written) ?? (isOfModule ? written : '')) : isOfModule ? written : '',
      )
    }
  }
  if (row.kind !== 'credential') return () => true
  // A function of the program may load the library. The names are distinctive, unless the file has its own.
  const own = scriptImports(text, /["']@azure\/identity["']/g)
  const all = scriptImports(text, /["'][^"'\n]{1,200}["']/g)
  return (_call, written) =>
    isName(own.names.get(written) ?? (all.names.has(written) || isOwnClass(written) ? '' : written))
}

/** What may be the options of a call: `null` where they are missing, the argument where it names no cloud, nothing where a cloud may be named. */
function missingOptions(source: Source, row: Construct, { list, close }: Arguments): Argument | null | undefined {
  const keys = row.keys.map((each) => each.replace('$', String.raw`\$`)).join('|')
  const key = new RegExp(String.raw`(?<![\w$])(?:${keys})(?!\w)`)
  if (list.some(({ code }) => key.test(code) || code.startsWith('...'))) return undefined
  const withKey = /KeyCredential|api_?key|\bkey\b|\bsas\b|Anonymous/i
  if (row.kind === 'data-client' && list.some(({ text }) => withKey.test(text))) return undefined
  if (row.shape === 'builder') {
    // The options of the application may hold the authority.
    if (list.some(({ code }) => /options/i.test(code))) return undefined
    const steps = readChain(source, close + 1)
    const mayName = steps.some(
      (step) => key.test(step.name) || (/^(?:configure|apply|also)$/.test(step.name) && step.list.length > 0),
    )
    return !mayName && steps.some(({ name }) => /^build/i.test(name)) ? null : undefined
  }
  switch (row.options) {
    case 'none':
      return key.test(source.text) ? undefined : null
    case 'named': {
      const unnamed = list.filter(({ code }) => !/^\w+\s*=(?!=)/.test(code))
      return list.some(({ code }) => code.startsWith('*')) || unnamed.length > (row.most ?? 3) ? undefined : null
    }
    case 'last':
      return goOptions(source, list)
    default:
      return optionsAt(source, row, list, row.options, key)
  }
}

/** The arguments of C# with and without names, and the literals of options of each language. */
function optionsAt(source: Source, row: Construct, list: readonly Argument[], position: number, key: RegExp) {
  const checked = (options: Argument) => (lacksKey(source, options, key) ? options : undefined)
  const literal = list.find(({ code }) => isLiteral(code))
  const isManagement = row.kind === 'management-client'
  if (isManagement && list.length === 0) return undefined
  if (row.kind === 'graph-client' && list.some(({ code }) => /adapter|baseUrl/i.test(code))) return undefined
  if (isManagement && row.language === 'typescript') {
    if (list.length > position + 1) return undefined
    // Clients of things above subscriptions take their options as the second argument.
    const last = list.at(-1)
    if (literal === undefined && list.length === 2 && last !== undefined && /opt|config/i.test(last.code))
      return checked(last)
  }
  const options = literal ?? list[position]
  return options === undefined ? null : checked(options)
}

const emptyOptions = /^(?:null|undefined|None|nil|default(?:\([\w.]*\))?|true|false|nullptr|\{\})$/
/** Options that stand in the call: `{ … }`, `new XOptions { … }`, `new() { … }`, `&x.XOptions{ … }`. */
const isLiteral = (code: string) =>
  /^(?:\(?\s*\{|(?:\w+:\s*)?new\s*(?:[\w.]*Options)?\s*(?:\(\s*\)\s*)?(?:\{|$)|(?:\w+:\s*)?new\s+[\w.]*Options\s*\(\s*\)$|&?[\w.]+\{|[\w:]*Options\s*\{)/.test(
    code,
  )

/** Whether options name no cloud, and cannot have one from elsewhere. */
function lacksKey(source: Source, { code }: Argument, key: RegExp): boolean {
  const plain = code
    .replace(/^\(([^()]*)\)$/, '$1')
    .replace(/\s+(?:as|satisfies)\s+[\w.<>]+$/, '')
    .replace(/^\w+:\s*(?=new\b|null|default|\w+$)/, '')
  if (emptyOptions.test(plain)) return true
  if (isLiteral(plain)) return !/\.\.\.|\*\*/.test(plain) && !key.test(plain)
  return /^&?\w+$/.test(plain) && !key.test(source.text) && isPlainConstant(source.text, plain.replace('&', ''))
}

/** Options are the last argument of Go: `nil`, or a literal that names no cloud. A variable may hold one. */
function goOptions({ text }: Source, list: readonly Argument[]): Argument | null | undefined {
  const last = list.at(-1)
  if (last === undefined) return undefined
  const { code } = last
  if (code === 'nil') return last
  if (/^&?[\w.]+\{/.test(code)) return /\bClientOptions:\s*[\w.()]+\s*[,}]/.test(code) ? undefined : last
  if (/^&?\w+$/.test(code))
    return !/\bCloud\b/.test(text) && isPlainConstant(text, code.replace('&', '')) ? last : undefined
  // The options of MSAL are functions, and none of them is the authority.
  return text.includes('apps/public"') && /^(?:"[^"]*"|public\.With\w+\(.*\))$/s.test(code) ? null : undefined
}

/** How much of a program behind a name is read. */
const reach = 1200
/** A name with more places is no name of options. */
const mostPlaces = 100

/** Whether a name is assigned once, a literal of options whose parts all stand in it, and never is a parameter. */
function isPlainConstant(text: string, name: string): boolean {
  const places = [...text.matchAll(new RegExp(String.raw`(?<![\w$.])${name}(?![\w$])`, 'g'))].map(({ index }) => ({
    before: text.slice(Math.max(0, index - 40), index).trimEnd(),
    after: text.slice(index + name.length, index + name.length + reach),
  }))
  if (places.length > mostPlaces) return false
  const isParameter = places.some(
    ({ before, after }) =>
      (/[(,]$/.test(before) && /^\s*(?:\?\s*)?(?::[^=]|=>|[ \t]+[*\w])/.test(after)) ||
      (/Options\??$/.test(before) && /^\s*[,)]/.test(after)),
  )
  const assigned = places.filter(({ after }) => /^\s*(?::\s*[\w.<>]+\s*)?(?:,[^=\n]{0,60})?:?=(?![=>])/.test(after))
  const value = assigned[0]?.after.replace(/^[^=]*=\s*/, '') ?? ''
  if (isParameter || assigned.length !== 1) return false
  if (/^new\s+[\w.]+Options\s*(?:\(\s*\)\s*)?;/.test(value)) return true
  const body = /^(?:&?[\w.]+Options|new\s+[\w.]+Options\s*(?:\(\s*\)\s*)?)?\{([^}]*)\}/.exec(value)?.[1]
  return body !== undefined && !/\.\.\.|ClientOptions|\{/.test(body)
}
