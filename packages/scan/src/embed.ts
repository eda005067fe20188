import type { Edit } from './finding.ts'
import type { Expression } from './expressions.ts'
import type { FixLanguage } from './languages.ts'
import { decode, type Source } from './source.ts'
import type { Span } from './spans.ts'

/** A part of a file that an expression replaces. */
export interface Region {
  readonly start: number
  readonly end: number
}

/** How an expression stands inside a string whose language reads it there. */
const inside: Partial<Readonly<Record<FixLanguage, (code: string) => string>>> = {
  typescript: (code) => `\${${code}}`,
  bicep: (code) => `\${${code}}`,
  terraform: (code) => `\${${code}}`,
  python: (code) => `{${code}}`,
  dotnet: (code) => `{${code}}`,
  rust: (code) => `{${code}}`,
  powershell: (code) =>
    code.startsWith('$env:') ? `\${${code.slice(1)}}` : `$(${code})`.replace(/^\$\(\((.*)\)\)$/, '$(($1))'),
  shell: (code) => code,
  docker: (code) => code,
  makefile: (code) => code,
  helm: (code) => `{{ ${code} }}`,
  workflow: (code) => `\${{ ${code} }}`,
}

/** Languages whose strings are joined with `+`. */
const joining = new Set<FixLanguage>(['typescript', 'python', 'go', 'dotnet', 'java'])

/** The change that puts an expression in the place of a region, or nothing where the place takes none. */
export function embed(source: Source, region: Region, expression: Expression): Edit | undefined {
  const { language } = source
  if (source.language.isNotebook === true || !source.isWhole) return undefined
  const span = source.stringAt(region.start)
  const change = changeIn(source, region, expression, span)
  if (change === undefined || change.start > change.end) return undefined
  const oldText = decode(source.text.slice(change.start, change.end))
  const isCertain = expression.isCertain === true && change.isCertain !== false && isCertainPlace(source, language.fix)
  return {
    start: change.start,
    end: change.end,
    oldText,
    newText: change.newText,
    isCertain,
    ...(expression.member !== undefined && { members: [expression.member] }),
  }
}

interface Change extends Region {
  readonly newText: string
  readonly isCertain?: boolean
}

/** Whether the program has what the expression asks: a context of Az, or the command-line tool. */
function isCertainPlace({ text }: Source, language: FixLanguage): boolean {
  if (language === 'powershell')
    return (
      /\b(?:Connect-AzAccount|Get-AzContext|(?:Get|Set|New|Invoke|Update|Remove)-Az[A-Z]\w+)/.test(text) &&
      !/\bConnect-MgGraph\b/i.test(text)
    )
  return language === 'shell' ? /(?:^|[\n;&|(])\s*az [a-z]/.test(text) : true
}

function changeIn(source: Source, region: Region, expression: Expression, span: Span | undefined): Change | undefined {
  const { text, language } = source
  const { code } = expression
  const write = inside[language.fix]
  switch (language.fix) {
    case 'bicep':
      return bicepChange(source, region, code, span)
    case 'arm':
      return span === undefined ? undefined : armChange(text, region, code, span)
    case 'terraform':
      return isFixedInTerraform(source, region.start) || span === undefined
        ? undefined
        : isWhole(region, span)
          ? { start: span.start, end: span.end, newText: code }
          : { ...region, newText: `\${${code}}` }
    case 'powershell':
      return powershellChange(text, region, code, span)
    case 'shell':
      return span?.quote?.open === "'"
        ? { ...region, newText: `'"${code}"'` }
        : span !== undefined && span.quote === undefined && /^<<-?\s*["']/.test(text.slice(span.start, span.start + 6))
          ? undefined
          : { ...region, newText: code }
    case 'helm':
    case 'workflow':
    case 'docker':
    case 'makefile':
      return write === undefined ? undefined : { ...region, newText: write(code) }
    case 'rust':
      return rustChange(text, region, expression, span)
    default:
      return span === undefined || !joining.has(language.fix)
        ? undefined
        : programChange(source, region, expression, span)
  }
}

const contentOf = ({ start, end, quote }: Span): Region => ({
  start: start + (quote?.open.length ?? 0),
  end: end - (quote?.close.length ?? 0),
})
const isWhole = (region: Region, span: Span) =>
  region.start === contentOf(span).start && region.end === contentOf(span).end

/** Decorators, literal types and keys take no expression; a text in three quotes reads none. */
function bicepChange(
  { text, lines }: Source,
  region: Region,
  code: string,
  span: Span | undefined,
): Change | undefined {
  if (span === undefined || span.quote?.open === "'''") return undefined
  const line = text.slice(lines.startOf(lines.rowOf(span.start)), span.start)
  if (
    /^\s*(?:@\w|type\b|module\b|import\b|using\b|targetScope\b)|['"]br:/.test(line) ||
    /^\s*:/.test(text.slice(span.end, span.end + 10)) ||
    /^br[:/]/.test(text.slice(span.start + 1, span.start + 4))
  )
    return undefined
  if (/^@(?:sys\.)?(?:allowed|description|metadata)\(/m.test(textAbove(lines, span.start))) return undefined
  return isWhole(region, span)
    ? { start: span.start, end: span.end, newText: code }
    : { ...region, newText: `\${${code}}` }
}

/** The lines of an open bracket above: a decorator over several lines. */
function textAbove(lines: Source['lines'], at: number): string {
  const row = lines.rowOf(at)
  for (let each = row; each >= Math.max(0, row - 15); each--) {
    const line = lines.textOf(each, 200)
    if (line.startsWith('@')) return /\)\s*$/.test(line) && each !== row ? '' : line
    if (/^\S/.test(line) && each !== row) return ''
  }
  return ''
}

/** JSON strings of templates: a string in an expression, or a plain one that becomes an expression. */
function armChange(text: string, region: Region, code: string, span: Span): Change | undefined {
  const content = contentOf(span)
  const whole = text.slice(content.start, content.end)
  if (/^\s*:/.test(text.slice(span.end, span.end + 10)) || whole.includes('\\')) return undefined
  if (!/^\[(?!\[)/.test(whole)) {
    const [before, after] = [whole.slice(0, region.start - content.start), whole.slice(region.end - content.start)]
    if (!isPlain(before, after)) return undefined
    const parts = [...(before === '' ? [] : [`'${before}'`]), code, ...(after === '' ? [] : [`'${after}'`])]
    return { ...content, newText: parts.length === 1 ? `[${code}]` : `[concat(${parts.join(', ')})]` }
  }
  const [open, close] = [text.lastIndexOf("'", region.start), text.indexOf("'", region.end)]
  if (open < content.start || close === -1 || close >= content.end) return undefined
  const [before, after] = [text.slice(open + 1, region.start), text.slice(region.end, close)]
  // `format` counts its placeholders, and an escaped quote is part of the string.
  if (/\{\d/.test(before + after) || text[close + 1] === "'" || !isPlain(before, after)) return undefined
  const parts = [...(before === '' ? [] : [`'${before}'`]), code, ...(after === '' ? [] : [`'${after}'`])]
  return { start: open, end: close + 1, newText: parts.length === 1 ? code : `concat(${parts.join(', ')})` }
}

/** Defaults of variables, imports and provisioners of a destroyed resource hold no reference. */
function isFixedInTerraform({ text, path }: Source, at: number): boolean {
  if (path.endsWith('.tfvars') || path.endsWith('.json')) return true
  const before = `\n${text.slice(Math.max(0, at - 3000), at)}`
  const block = before.slice(
    Math.max(
      ...['variable', 'import', 'terraform', 'resource', 'data', 'locals', 'output', 'module', 'provider', 'moved'].map(
        (type) => before.lastIndexOf(`\n${type} `),
      ),
    ),
  )
  return /^\n(?:variable|import|terraform|moved)\b/.test(block) || /provisioner[^}]*when\s*=\s*destroy/.test(block)
}

function powershellChange(text: string, region: Region, code: string, span: Span | undefined): Change | undefined {
  const value = `$(${code})`
  if (span === undefined) return { ...region, newText: value }
  const isEscaped = text.slice(region.start, region.end).includes('\\')
  if (isEscaped)
    return isWhole(region, span)
      ? { start: span.start, end: span.end, newText: `([regex]::Escape((${code}).TrimEnd('/')))` }
      : undefined
  if (/^["@]/.test(span.quote?.open ?? '"') && span.quote?.open !== "@'\n")
    return isWhole(region, span) &&
      code.startsWith('(') &&
      /=\s*$/.test(text.slice(Math.max(0, span.start - 4), span.start))
      ? { start: span.start, end: span.end, newText: code }
      : { ...region, newText: value }
  const content = contentOf(span)
  const [before, after] = [text.slice(content.start, region.start), text.slice(region.end, content.end)]
  if (span.quote?.open !== "'") return undefined
  // Where an expression stands, strings can be joined without showing the rest.
  if (!isPlain(before, after)) {
    const isExpression =
      /[=(,+]\s*$/.test(text.slice(Math.max(0, span.start - 4), span.start)) && before !== '' && after !== ''
    return isExpression ? { ...region, newText: `' + ${code} + '` } : undefined
  }
  return /[$`"]|''/.test(before + after)
    ? undefined
    : { start: span.start, end: span.end, newText: `"${before}${value}${after}"` }
}

/** Macros that format read a constant in braces; a constant takes another one as a whole. */
function rustChange(
  text: string,
  region: Region,
  { code, isConstant }: Expression,
  span: Span | undefined,
): Change | undefined {
  if (span === undefined || isConstant !== true) return undefined
  if (isWhole(region, span)) return { start: span.start, end: span.end, newText: code }
  return /\b(?:format|print|println|eprint|eprintln|write|writeln|panic|bail|anyhow|info|warn|error|debug)!\s*\((?:\s*\w+\s*,)?\s*$/.test(
    text.slice(Math.max(0, span.start - 60), span.start),
  )
    ? { ...region, newText: `{${code}}` }
    : undefined
}

/** Strings of programs: an interpolated one takes the expression in place, another one is joined. */
function programChange(
  source: Source,
  region: Region,
  { code, isConstant }: Expression,
  span: Span,
): Change | undefined {
  const { text, language } = source
  const quote = span.quote?.open ?? '"'
  const prefix = /[\w$@]{0,3}$/.exec(text.slice(Math.max(0, span.start - 3), span.start))?.[0] ?? ''
  const first = span.start - prefix.length
  const [before, after] = [text.slice(Math.max(0, first - 120), first), text.slice(span.end, span.end + 40)]
  if (!takesExpression(source, first, before, after, isConstant === true)) return undefined
  const isFormatted =
    (language.fix === 'typescript' && quote === '`') ||
    (language.fix === 'python' && /f/i.test(prefix)) ||
    (language.fix === 'dotnet' && prefix.includes('$'))
  const isKotlin = /\.(?:kt|kts|scala)$/.test(source.path)
  if (
    isFormatted &&
    !isWhole(region, span) &&
    !code.includes(quote.at(-1) ?? '"') &&
    !(language.fix === 'python' && code.includes('"') && quote.includes('"'))
  )
    return { ...region, newText: (inside[language.fix] ?? ((each: string) => each))(code) }
  if (isKotlin && !isWhole(region, span)) return code.includes('"') ? undefined : { ...region, newText: `\${${code}}` }
  if (
    /b/i.test(prefix) ||
    quote === '"""' ||
    quote === "'''" ||
    (language.fix === 'go' && /^\s+\w+[\w.*[\]]*\s*$/.test(before.slice(before.lastIndexOf('\n') + 1)) && quote === '`')
  )
    return undefined
  const content = contentOf(span)
  const value =
    language.fix === 'dotnet' && /^Cloud\.(?:AuthorityHost|ResourceManagerEndpoint)$/.test(code)
      ? `${code}.AbsoluteUri`
      : code
  const [open, close] = [prefix + quote, span.quote?.close ?? quote]
  const [left, right] = [text.slice(content.start, region.start), text.slice(region.end, content.end)]
  const isTight = /^\s*(?:[%[*]|\.(?!\.\.))/.test(after) || /[*!]\s*$/.test(before)
  if (isTight && left + right !== '') {
    // Strings side by side would be an argument list.
    const isList = language.fix === 'python' && (/["']\s*$/.test(before) || /^\s*[rbfu]{0,2}["']/.test(after))
    if (isList || !isPlain(left, right)) return undefined
    const parts = [
      ...(left === '' ? [] : [open + left + close]),
      value,
      ...(right === '' ? [] : [open + right + close]),
    ]
    return { start: first, end: span.end, newText: `(${parts.join(' + ')})` }
  }
  return {
    start: left === '' ? first : region.start,
    end: right === '' ? span.end : region.end,
    newText: `${left === '' ? '' : `${close} + `}${value}${right === '' ? '' : ` + ${open}`}`,
  }
}

/** Whether a text around a value holds nothing else, so that a change may show it. */
const isPlain = (left: string, right: string): boolean =>
  /^(?:https?:\/\/)?[\w.{}%$-]{0,80}$/.test(left) && /^\/?$/.test(right)

/** Whether an expression may stand where the string does. */
function takesExpression(
  { language, text }: Source,
  at: number,
  before: string,
  after: string,
  isConstant: boolean,
): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  switch (language.fix) {
    case 'typescript':
      return (
        !/(?:\b(?:from|import)|\brequire\(|\bimport\()\s*$|<\w[^>]*=\s*$|\btype\s+\w+\s*=\s*$|\|\s*$/.test(line) &&
        !(/[{,]\s*$/.test(before.trimEnd().slice(-1)) && /^\s*:/.test(after)) &&
        !/^\s*\|(?!\|)/.test(after)
      )
    case 'go':
      return isConstant || !(/\bconst\b/.test(line) || isInConstBlock(text, at))
    case 'dotnet':
      return isConstant || !(/\bconst\b|^\s*\[\w|\bcase\s*$|\bis\s*$/.test(line) || /^\s*=>/.test(after))
    case 'java':
      return isConstant || !/^\s*@\w|\bcase\s*$/.test(line)
    default:
      return true
  }
}

function isInConstBlock(text: string, at: number): boolean {
  const open = text.lastIndexOf('\nconst (', at)
  return open !== -1 && text.indexOf('\n)', open) > at
}
