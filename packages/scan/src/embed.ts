import type { Expression } from './expressions.ts'
import type { Change, Edit } from './finding.ts'
import type { FixLanguage } from './languages.ts'
import { decode, type Region, type Source } from './source.ts'
import type { Span } from './spans.ts'

export function editOf(
  { text }: Source,
  { start, end }: Region,
  newText: string,
  isCertain: boolean,
  member?: string,
): Edit {
  const oldText = decode(text.slice(start, end))
  return { start, end, oldText, newText, isCertain, ...(member !== undefined && { members: [member] }) }
}

/** A region with the string around it. */
interface Site extends Region {
  readonly source: Source
  readonly expression: Expression
  readonly span: Span
  /** The content of the string before and behind the region. */
  readonly left: string
  readonly right: string
  /** What stands before and behind the string. */
  readonly before: string
  readonly after: string
}

/** The change that puts an expression in the place of a region, or nothing where the place takes none. */
export function embed(source: Source, region: Region, expression: Expression): Edit | undefined {
  const { language, text, isWhole } = source
  if (language.isNotebook === true || !isWhole) return undefined
  const change = changeOf(source, region, expression)
  if (change === undefined || change.start > change.end) return undefined
  // The code of a module runs before anyone signs in.
  const isModule =
    language.fix === 'powershell' &&
    source.path.endsWith('.psm1') &&
    !/^\s/.test(source.lines.textOf(source.lines.rowOf(region.start), 10))
  const isCertain = expression.isCertain === true && !isModule && hasTool(text, language.fix)
  return editOf(source, change, change.newText, isCertain, expression.member)
}

/** Whether the program has what the expression asks: a context of Az, or the command-line tool. */
function hasTool(text: string, language: FixLanguage): boolean {
  if (language === 'shell') return /(?:^|[\n;&|(])\s*az [a-z]/.test(text)
  if (language !== 'powershell') return true
  const usesAz = /\b(?:Connect-AzAccount|Get-AzContext|(?:Get|Set|New|Invoke|Update|Remove)-Az[A-Z]\w+)/
  return usesAz.test(text) && !/\bConnect-MgGraph\b/i.test(text)
}

/** Languages that read an expression wherever it stands, in a string or not. */
const everywhere: Partial<Readonly<Record<FixLanguage, (code: string) => string>>> = {
  helm: (code) => `{{ ${code} }}`,
  workflow: (code) => `\${{ ${code} }}`,
  docker: (code) => code,
  makefile: (code) => code,
  shell: (code) => code,
  powershell: (code) => `$(${code})`,
}

function changeOf(source: Source, region: Region, expression: Expression): Change | undefined {
  const { text, language } = source
  const write = everywhere[language.fix]
  const span = source.stringAt(region.start)
  const inString = span === undefined ? undefined : inStrings[language.fix]
  if (span === undefined || inString === undefined)
    return write === undefined ? undefined : { ...region, newText: write(expression.code) }
  return inString({
    ...region,
    source,
    expression,
    span,
    left: text.slice(span.start + (span.quote?.open.length ?? 0), region.start),
    right: text.slice(region.end, span.end - (span.quote?.close.length ?? 0)),
    before: text.slice(Math.max(0, span.start - 120), span.start),
    after: text.slice(span.end, span.end + 40),
  })
}

const inStrings: Partial<Readonly<Record<FixLanguage, (site: Site) => Change | undefined>>> = {
  shell: shellChange,
  powershell: powershellChange,
  bicep: (site) => (isFixedInBicep(site) ? undefined : interpolated(site)),
  terraform: (site) => (isFixedInTerraform(site) ? undefined : interpolated(site)),
  arm: armChange,
  rust: rustChange,
  typescript: programChange,
  python: programChange,
  go: programChange,
  dotnet: programChange,
  java: programChange,
}

const isAll = ({ left, right }: Site) => left === '' && right === ''
/** A change of the whole string, and one of the region alone. */
const whole = ({ span: { start, end } }: Site, newText: string): Change => ({ start, end, newText })
const inPlace = ({ start, end }: Site, newText: string): Change => ({ start, end, newText })
const interpolated = (site: Site): Change =>
  isAll(site) ? whole(site, site.expression.code) : inPlace(site, `\${${site.expression.code}}`)

/** Whether the rest of a string holds no secret, so that a change may show it. */
const isPlain = (left: string, right: string): boolean =>
  /^(?:https?:\/\/)?[\w.{}%$-]{0,80}$/.test(left) && /^\/?$/.test(right)

/** Strings side by side with the code between them; no empty ones. */
const parts = (left: string, code: string, right: string, open: string, close = open): readonly string[] => [
  ...(left === '' ? [] : [open + left + close]),
  code,
  ...(right === '' ? [] : [open + right + close]),
]

function shellChange(site: Site): Change | undefined {
  const { source, expression, span } = site
  if (span.quote?.open === "'") return inPlace(site, `'"${expression.code}"'`)
  // A here-document whose name stands in quotes.
  const isLiteral = span.quote === undefined && /^<<-?\s*["']/.test(source.text.slice(span.start, span.start + 6))
  return isLiteral ? undefined : inPlace(site, expression.code)
}

/** Decorators, literal types, keys and references take no expression; a text in three quotes reads none. */
function isFixedInBicep({ source: { text, lines }, span, after }: Site): boolean {
  const row = lines.rowOf(span.start)
  const line = text.slice(lines.startOf(row), span.start)
  if (span.quote?.open === "'''" || /^\s*:/.test(after) || /^.br[:/]/.test(text.slice(span.start, span.start + 4)))
    return true
  if (/^\s*(?:@\w|type\b|module\b|import\b|using\b|targetScope\b)|['"]br:/.test(line)) return true
  // The begin of the statement, which may be a decorator over several lines.
  for (let each = row - 1; each >= Math.max(0, row - 15); each--) {
    const above = lines.textOf(each, 200)
    if (/^\S/.test(above)) return /^@(?:sys\.)?(?:allowed|description|metadata)\(/.test(above) && !/\)\s*$/.test(above)
  }
  return false
}

/** Defaults of variables, imports and provisioners of a destroyed resource hold no reference. */
function isFixedInTerraform({ source: { text, path }, start }: Site): boolean {
  if (path.endsWith('.tfvars') || path.endsWith('.json')) return true
  const before = `\n${text.slice(Math.max(0, start - 3000), start)}`
  const block = before.slice(
    Math.max(0, ...[...before.matchAll(/\n[a-z]+ ?["{]|\n[a-z]+ "/g)].map(({ index }) => index)),
  )
  return /^\n(?:variable|import|terraform|moved)\b/.test(block) || /provisioner[^}]*when\s*=\s*destroy/.test(block)
}

/** JSON strings of templates: a string in an expression, or a plain one that becomes an expression. */
function armChange({ source, start, end, expression: { code }, left, right, after }: Site): Change | undefined {
  if (/^\s*:/.test(after) || (left + right).includes('\\') || source.text.slice(start, end).includes('\\'))
    return undefined
  const concatenated = (before: string, behind: string) => {
    const all = parts(before, code, behind, "'")
    return all.length === 1 ? code : `concat(${all.join(', ')})`
  }
  if (!/^\[(?!\[)/.test(left)) {
    const region = { start: start - left.length, end: end + right.length }
    return isPlain(left, right) ? { ...region, newText: `[${concatenated(left, right)}]` } : undefined
  }
  const [open, close] = [left.lastIndexOf("'"), right.indexOf("'")]
  const [before, behind] = [left.slice(open + 1), right.slice(0, close)]
  // `format` counts its placeholders, and an escaped quote is part of the string.
  const isFixed = /\{\d/.test(before + behind) || right[close + 1] === "'" || !isPlain(before, behind)
  return open === -1 || close === -1 || isFixed
    ? undefined
    : { start: start - before.length - 1, end: end + behind.length + 1, newText: concatenated(before, behind) }
}

function powershellChange(site: Site): Change | undefined {
  const { source, start, end, expression, span, left, right, before } = site
  const { code } = expression
  const value = `$(${code})`
  // An expression of a search.
  if (source.text.slice(start, end).includes('\\'))
    return isAll(site) ? whole(site, `([regex]::Escape((${code}).TrimEnd('/')))`) : undefined
  const open = span.quote?.open ?? '"'
  if (open === '"' || open === '@"\n')
    return isAll(site) && code.startsWith('(') && /=\s*$/.test(before) ? whole(site, code) : inPlace(site, value)
  if (open !== "'") return undefined
  if (isPlain(left, right)) return /[$`"]|''/.test(left + right) ? undefined : whole(site, `"${left}${value}${right}"`)
  // Where an expression stands, strings can be joined without showing the rest.
  return /[=(,+]\s*$/.test(before) && left !== '' && right !== '' ? inPlace(site, `' + ${code} + '`) : undefined
}

const rustMacro =
  /\b(?:format|print|println|eprint|eprintln|write|writeln|panic|bail|anyhow|info|warn|error|debug)!\s*\((?:\s*\w+\s*,)?\s*$/

/** Macros that format read a constant in braces; a constant takes another one as a whole. */
function rustChange(site: Site): Change | undefined {
  const { code, isConstant } = site.expression
  if (isConstant !== true) return undefined
  if (isAll(site)) return whole(site, code)
  return rustMacro.test(site.before) ? inPlace(site, `{${code}}`) : undefined
}

/** Strings that are formatted by the language itself: their prefix or quote, and how an expression stands in them. */
const formatted: Partial<
  Readonly<Record<FixLanguage, readonly [prefixAndQuote: RegExp, write: (code: string) => string]>>
> = {
  typescript: [/`$/, (code) => `\${${code}}`],
  python: [/f[^"']*["']+$/i, (code) => `{${code}}`],
  dotnet: [/\$/, (code) => `{${code}}`],
}

/** Strings of programs: an interpolated one takes the expression in place, another one is joined. */
function programChange(site: Site): Change | undefined {
  const { source, expression, span, left, right, after } = site
  const language = source.language.fix
  const quote = span.quote?.open ?? '"'
  const prefix = /[\w$@]{0,3}$/.exec(site.before)?.[0] ?? ''
  const before = site.before.slice(0, site.before.length - prefix.length)
  if (!takesExpression(site, before)) return undefined
  const { code } = expression
  const [pattern, write] = /\.(?:kt|kts|scala)$/.test(source.path)
    ? ([/"$/, (each: string) => `\${${each}}`] as const)
    : (formatted[language] ?? [])
  if (pattern?.test(prefix + quote) === true && !isAll(site) && !code.includes(quote.at(-1) ?? '"'))
    return inPlace(site, write?.(code) ?? code)
  // The tag of a field in a struct of Go.
  const isTag = language === 'go' && quote === '`' && /(?:^|\n)\s+\w+[\w.*[\]]*\s*$/.test(before)
  if (/b/i.test(prefix) || quote === '"""' || quote === "'''" || isTag) return undefined
  const isUri = language === 'dotnet' && /^Cloud\.(?:AuthorityHost|ResourceManagerEndpoint)$/.test(code)
  const value = isUri ? `${code}.AbsoluteUri` : code
  const [start, open, close] = [span.start - prefix.length, prefix + quote, span.quote?.close ?? quote]
  // A sign that binds closer than `+`.
  if (!isAll(site) && (/^\s*(?:[%[*]|\.(?!\.\.))/.test(after) || /[*!]\s*$/.test(before))) {
    // Strings side by side would be an argument list.
    const isList = language === 'python' && (/["']\s*$/.test(before) || /^\s*[rbfu]{0,2}["']/.test(after))
    if (isList || !isPlain(left, right)) return undefined
    return { start, end: span.end, newText: `(${parts(left, value, right, open, close).join(' + ')})` }
  }
  return {
    start: left === '' ? start : site.start,
    end: right === '' ? span.end : site.end,
    newText: `${left === '' ? '' : `${close} + `}${value}${right === '' ? '' : ` + ${open}`}`,
  }
}

/** Whether an expression may stand where the string does. A constant takes constants only. */
function takesExpression({ source: { language, text }, expression, span, after }: Site, before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const isConstant = expression.isConstant === true
  switch (language.fix) {
    case 'typescript': {
      const isKey = /[{,]\s*$/.test(before) && /^\s*:/.test(after)
      const isType = /<\w[^>]*=\s*$|\btype\s+\w+\s*=\s*$|\|\s*$/.test(line) || /^\s*\|(?!\|)/.test(after)
      return !isKey && !isType && !/(?:\b(?:from|import)|\brequire\(|\bimport\()\s*$/.test(line)
    }
    case 'go': {
      const block = text.lastIndexOf('\nconst (', span.start)
      return isConstant || !(/\bconst\b/.test(line) || (block !== -1 && text.indexOf('\n)', block) > span.start))
    }
    case 'dotnet':
      return isConstant || !(/\bconst\b|^\s*\[\w|\bcase\s*$|\bis\s*$/.test(line) || /^\s*=>/.test(after))
    case 'java':
      return isConstant || !/^\s*@\w|\bcase\s*$/.test(line)
    default:
      return true
  }
}
