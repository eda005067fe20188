import { languageOf } from './languages.ts'
import { findSpans, spanAt, type Span } from './spans.ts'
import type { WordKind } from './words.ts'

export interface Region {
  readonly start: number
  readonly end: number
}

/** A place where a word of the table ends. */
export interface Hit {
  readonly kind: WordKind
  readonly end: number
}

/** Characters at the start of a file that may hold its header. */
const headerLength = 4000

/** What is read of a file: one character a byte. */
interface Part {
  readonly path: string
  readonly text: string
  readonly hits: readonly Hit[]
  /** Whether a library or command is named that has constructs. */
  readonly mayHoldConstructs: boolean
  /** Whether this is the whole file: only then its strings and comments are known. */
  readonly isWhole: boolean
  readonly linesBefore?: number
  readonly columnsBefore?: number
}

export type Source = ReturnType<typeof createSource>

/** A file, or a part of one that is too long to be read as a whole, with what its language says about it. */
export function createSource(part: Part) {
  const { path, text, isWhole } = part
  const header = text.slice(0, headerLength)
  const language = languageOf(path, header)
  let lines: Lines | undefined
  let spans: readonly Span[] | undefined
  return {
    ...part,
    header,
    language,
    /** Made at first use: most files have no place to tell. */
    get lines(): Lines {
      return (lines ??= new Lines(text, part.linesBefore, part.columnsBefore))
    },
    /** The comments and strings. Of a part of a file only whole lines are known to be comments. */
    get spans(): readonly Span[] {
      return (spans ??= isWhole ? findSpans(text, language.syntax) : [])
    },
    isComment(at: number): boolean {
      if (isWhole) return spanAt(this.spans, at)?.kind === 'comment'
      const line = this.lines.textOf(this.lines.rowOf(at), 400).trimStart()
      return language.syntax.lineComments.some((token) => line.startsWith(token))
    },
    stringAt(at: number): Span | undefined {
      const span = spanAt(this.spans, at)
      return span?.kind === 'string' ? span : undefined
    },
  }
}

/** Bytes as text for people. */
export const decode = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
/** Text for people as bytes. */
export const encode = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** Characters of a line on either side of a place that are shown. */
const viewLength = 2000

/** The lines of a text with one character a byte. Rows are counted from 0. */
export class Lines {
  readonly #text: string
  /** Outside of the heap: a file of line breaks has millions. */
  readonly #starts: Uint32Array
  readonly #linesBefore: number
  readonly #columnsBefore: number

  /** @param linesBefore Lines of the file before this part. @param columnsBefore Characters of its first line before this part. */
  constructor(text: string, linesBefore = 0, columnsBefore = 0) {
    this.#text = text
    this.#linesBefore = linesBefore
    this.#columnsBefore = columnsBefore
    let count = 1
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
    this.#starts = new Uint32Array(count)
    let row = 1
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts[row++] = at + 1
  }

  get count(): number {
    return this.#starts.length
  }

  rowOf(at: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return low
  }

  startOf(row: number): number {
    return this.#starts[row] ?? this.#text.length
  }

  /** Where a line ends, without its line break. */
  endOf(row: number): number {
    return row + 1 < this.#starts.length ? (this.#starts[row + 1] ?? 0) - 1 : this.#text.length
  }

  /** A line, up to a length: one of a megabyte is no statement. */
  textOf(row: number, longest: number): string {
    const start = this.startOf(row)
    return row < 0 ? '' : this.#text.slice(start, Math.min(this.endOf(row), start + longest))
  }

  /** The printable part of the line around a place, and where the place is in it. */
  viewOf(at: number): { readonly line: string; readonly at: number } {
    const row = this.rowOf(at)
    const start = Math.max(this.startOf(row), at - viewLength)
    const line = this.#text.slice(start, Math.min(this.endOf(row), at + viewLength)).replace(/\r$/, '')
    return { line: decode(line), at: decode(this.#text.slice(start, at)).length }
  }

  /** Line and column of a place, counted in UTF-16 code units from 1. */
  placeOf(at: number): { readonly line: number; readonly column: number } {
    const row = this.rowOf(at)
    const start = this.startOf(row)
    const before = at - start > viewLength ? at - start : decode(this.#text.slice(start, at)).length
    return { line: this.#linesBefore + row + 1, column: before + 1 + (row === 0 ? this.#columnsBefore : 0) }
  }
}
