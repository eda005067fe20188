import { isCode, readArguments, readChain, type Argument, type Arguments } from './calls.ts'
import { constructs, type Construct, type ConstructKind, type ProgramLanguage } from './construct-table.ts'
import { goPackages, pythonImports, scriptImports } from './imports.ts'
import type { Source } from './source.ts'

/** A construct that reaches the public cloud by default. */
export interface ConstructPlace {
  readonly start: number
  readonly end: number
  /** The name of the class, function, command or block. */
  readonly name: string
  readonly kind: ConstructKind
  /** The row and the arguments, where the construct is a call: a fix inserts there. */
  readonly call?: { readonly row: Construct; readonly arguments: Arguments; readonly options?: Argument }
}

/** A file with more is written by a program. */
const mostConstructs = 400

/** How a call of a name is written. `NAME` stands for the expression of the row. */
const shapes: Readonly<Record<ProgramLanguage, Readonly<Partial<Record<Construct['shape'], string>>>>> = {
  typescript: {
    new: String.raw`\bnew\s{1,20}(?:\w{1,60}\.)?(NAME)\s{0,20}(?:<[^()<>]{0,80}>)?\s{0,20}\(`,
    call: String.raw`\b(NAME)\s{0,20}\(`,
  },
  python: { call: String.raw`(?:\b\w[\w.]{0,80}\.)?\b(NAME)\s{0,20}\(` },
  go: { call: String.raw`\b(\w{1,60}\.NAME)\(` },
  dotnet: {
    new: String.raw`\bnew\s{1,20}(?:[\w.]{1,80}\.)?(NAME)\s{0,20}\(|\b(?:NAME)\??\s{1,20}\w{1,60}\s{0,20}(?:\{[^{}]{0,60}\}\s{0,20})?=\s{0,20}new\s{0,20}\(`,
    builder: String.raw`\b(NAME)\s{0,20}\(`,
  },
  java: {
    new: String.raw`\bnew\s{1,20}(?:[\w.]{1,80}\.)?(NAME)\s{0,20}\(`,
    call: String.raw`\b(NAME)\s{0,20}\(`,
    builder: String.raw`(?:\bnew\s{1,20})?(?:\b[a-z][\w.]{0,80}\.)?\b(NAME)\s{0,20}\(`,
  },
  rust: { call: String.raw`\b(NAME)::new(?:_\w{1,30})?\(` },
  cpp: { call: String.raw`(?:make_(?:shared|unique)<[\w:]{0,60})?\b(NAME)(?:>|\s{1,10}\w{1,60})?\s{0,10}[({]` },
}

/** The constructs of a program without a word about the cloud. */
export function findConstructs(source: Source): readonly ConstructPlace[] {
  const { text, language } = source
  const places: ConstructPlace[] = []
  for (const row of constructs) {
    if (row.language !== language.fix || !row.library.test(text)) continue
    const isOfLibrary = meaningOf(row, text)
    for (const match of text.matchAll(patternOf(row))) {
      if (places.length >= mostConstructs) return places
      const open = match.index + match[0].length - 1
      if (!isCode(source, match.index) || !isCode(source, open)) continue
      const written = match[1] ?? match[0].split(/\W/, 1)[0] ?? ''
      if (
        /\b(?:class|def|func|fn|function|interface)\s{1,20}$/.test(
          text.slice(Math.max(0, match.index - 30), match.index),
        )
      )
        continue
      if (!isOfLibrary(match[0], written)) continue
      const found = readArguments(source, open)
      if (found === undefined) continue
      const options = missingOptions(source, row, found)
      if (options === undefined) continue
      const name = row.language === 'go' ? written.slice(written.indexOf('.') + 1) : written
      const isTarget = row.shape === 'new' && row.language === 'dotnet' && match[1] === undefined
      const start = isTarget ? match.index + match[0].lastIndexOf('new') : match.index
      places.push({
        start,
        end: start + (isTarget ? 3 : match[0].length - 1),
        name,
        kind: row.kind,
        call: { row, arguments: found, ...(options !== null && { options }) },
      })
    }
  }
  return places.sort((a, b) => a.start - b.start).filter(({ start }, index, all) => all[index - 1]?.start !== start)
}

const patterns = new WeakMap<Construct, RegExp>()

function patternOf(row: Construct): RegExp {
  const known =
    patterns.get(row) ??
    new RegExp(
      (shapes[row.language][row.shape] ?? '').replaceAll('NAME', isAliased(row) ? String.raw`\w{1,80}` : row.name),
      'g',
    )
  patterns.set(row, known)
  return known
}

/** Whether a file may call the name otherwise: then every call is compared with what it imports. */
const isAliased = ({ language, kind, from }: Construct) =>
  (language === 'typescript' && (kind === 'credential' || from !== undefined)) ||
  (language === 'python' && from !== undefined)

/** Reads once what the names of a file mean, and tells whether a call is one of the row. */
function meaningOf(row: Construct, text: string): (call: string, written: string) => boolean {
  const isName = new RegExp(`^(?:${row.name})$`)
  if (row.language === 'go' && row.from instanceof RegExp) {
    const packages = goPackages(text, row.from)
    return (call) => packages.has(call.slice(0, call.indexOf('.')))
  }
  if (row.language === 'python' && typeof row.from === 'string') {
    const { names, modules } = pythonImports(text, row.from)
    return (call, written) => {
      const module = call.includes('.') ? call.slice(0, call.lastIndexOf('.')) : undefined
      if (module === undefined) return isName.test(names.get(written) ?? '')
      return isName.test(written) && (modules.has(module) || (row.kind === 'credential' && module.endsWith('identity')))
    }
  }
  if (row.language !== 'typescript') {
    // A class of the program itself.
    return (_call, written) => !new RegExp(String.raw`\bclass\s+${written.replaceAll(/\W.*/g, '')}\b`).test(text)
  }
  const own = scriptImports(text, row.from instanceof RegExp ? row.from : /["']@azure\/identity["']/g)
  const all = scriptImports(text, /["'][^"'\n]{1,200}["']/g)
  if (row.from instanceof RegExp) {
    return (call, written) => {
      const module = /new\s+(\w+)\./.exec(call)?.[1]
      return isName.test(
        module === undefined
          ? (own.names.get(written) ?? (own.modules.has(written) ? written : ''))
          : own.modules.has(module)
            ? written
            : '',
      )
    }
  }
  if (row.kind !== 'credential') return () => true
  // A function of the program may load the library. The names are distinctive, unless the file has its own.
  return (_call, written) =>
    isName.test(
      own.names.get(written) ??
        (all.names.has(written) || new RegExp(String.raw`\bclass\s+${written}\b`).test(text) ? '' : written),
    )
}

/** What may be the options of a call: `null` where they are missing, the argument where it names no cloud, nothing where a cloud may be named. */
function missingOptions(source: Source, row: Construct, given: Arguments): Argument | null | undefined {
  const { list } = given
  const code = list.map((each) => each.code).join(', ')
  const key = new RegExp(
    String.raw`(?<![\w$])(?:${row.keys.map((each) => each.replace('$', String.raw`\$`)).join('|')})(?!\w)`,
  )
  if (key.test(code)) return undefined
  if (
    row.kind === 'data-client' &&
    /KeyCredential|api_?key|\bkey\b|\bsas\b|Anonymous/i.test(list.map((each) => each.text).join())
  )
    return undefined
  if (row.shape === 'builder') return builderLacks(source, given, key) ? null : undefined
  switch (row.options) {
    case 'none':
      return key.test(source.text) ? undefined : null
    case 'named':
      return list.some(({ code: each }) => each.startsWith('*')) ||
        list.filter(({ code: each }) => !/^\w+\s*=(?!=)/.test(each)).length > (row.most ?? 3)
        ? undefined
        : null
    case 'last':
      return goOptions(source, list)
    default:
      return optionsAt(source, row, list, row.options, key)
  }
}

function builderLacks(source: Source, given: Arguments, key: RegExp): boolean {
  const steps = readChain(source, given.close + 1)
  // The options of the application may hold the authority.
  if (given.list.some(({ code }) => /options/i.test(code))) return false
  return (
    steps.some(({ name }) => /^[bB]uild/.test(name)) &&
    !steps.some(
      ({ name, arguments: inner }) =>
        key.test(name) || (/^(?:configure|apply|also)$/.test(name) && inner.list.length > 0),
    )
  )
}

/** The arguments of C# with and without names, and the literals of options of each language. */
function optionsAt(
  source: Source,
  row: Construct,
  list: readonly Argument[],
  position: number,
  key: RegExp,
): Argument | null | undefined {
  if (list.some(({ code }) => code.startsWith('...'))) return undefined
  if (row.kind === 'management-client' && row.language === 'typescript')
    return managementOptions(source, row, list, key)
  if (row.kind === 'management-client' && list.length === 0) return undefined
  if (row.kind === 'graph-client' && list.some(({ code }) => /adapter|baseUrl/i.test(code))) return undefined
  const literal = list.find(({ code }) => isLiteral(code))
  const options = literal ?? list[position]
  if (options === undefined) return list.length <= position ? null : undefined
  return lacksKey(source, options, key) ? options : undefined
}

/** Clients of things above subscriptions take their options as the second argument. */
function managementOptions(
  source: Source,
  row: Construct,
  list: readonly Argument[],
  key: RegExp,
): Argument | null | undefined {
  if (row.name.includes('Provider'))
    return list[1] === undefined ? null : lacksKey(source, list[1], key) ? list[1] : undefined
  if (list.length === 0 || list.length > 3) return undefined
  const last = list.at(-1)
  if (list.length === 2 && last !== undefined && !isLiteral(last.code) && /opt|config/i.test(last.code))
    return lacksKey(source, last, key) ? last : undefined
  if (list.length > 1 && last !== undefined && isLiteral(last.code)) return last
  return list.length < 3 ? null : last !== undefined && lacksKey(source, last, key) ? last : undefined
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
function goOptions(source: Source, list: readonly Argument[]): Argument | null | undefined {
  const last = list.at(-1)
  if (last === undefined) return undefined
  if (last.code === 'nil') return last
  if (/^&?[\w.]+\{/.test(last.code)) return /\bClientOptions:\s*[\w.()]+\s*[,}]/.test(last.code) ? undefined : last
  if (/^&?\w+$/.test(last.code))
    return !/\bCloud\b/.test(source.text) && isPlainConstant(source.text, last.code.replace('&', '')) ? last : undefined
  // The options of MSAL are functions, and none of them is the authority.
  return /^"?[^"]*"?$|^public\.With/.test(last.code) &&
    list.length > 0 &&
    source.text.includes('apps/public"') &&
    !/^[\w.]+\(/.test(last.code.replace(/^public\.With\w+\(.*\)$/s, ''))
    ? null
    : undefined
}

/** How much of a program behind a name is read. */
const reach = 1200
/** A name with more places is no name of options. */
const mostPlaces = 100

/** Whether a name is assigned once, a literal of options whose parts all stand in it, and never is a parameter. */
function isPlainConstant(text: string, name: string): boolean {
  const places = [...text.matchAll(new RegExp(String.raw`(?<![\w$.])${name}(?![\w$])`, 'g'))]
  if (places.length > mostPlaces) return false
  const after = places.map(({ index }) => text.slice(index + name.length, index + name.length + reach))
  const before = places.map(({ index }) => text.slice(Math.max(0, index - 40), index).trimEnd())
  const isParameter = places.some(
    (_, each) =>
      (/[(,]$/.test(before[each] ?? '') && /^\s*(?:\?\s*)?(?::[^=]|=>|[ \t]+[*\w])/.test(after[each] ?? '')) ||
      (/Options\??$/.test(before[each] ?? '') && /^\s*[,)]/.test(after[each] ?? '')),
  )
  const assigned = after.filter((each) => /^\s*(?::\s*[\w.<>]+\s*)?(?:,[^=\n]{0,60})?:?=(?![=>])/.test(each))
  const [first] = assigned
  if (isParameter || first === undefined || assigned.length > 1) return false
  const value = first.replace(/^[^=]*=\s*/, '')
  if (!/^(?:\{|&?[\w.]+Options\{|new\s+[\w.]+Options\s*(?:\(\s*\)\s*)?[;{])/.test(value)) return false
  const body = value.slice(value.indexOf('{') + 1, value.indexOf('}'))
  return !value.startsWith('new') || !/^new\s+[\w.]+Options\s*(?:\(\s*\)\s*)?;/.test(value)
    ? !/\.\.\.|ClientOptions|\{/.test(body)
    : true
}
