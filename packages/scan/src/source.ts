import { Lines } from './lines.ts'
import { languageOf, type Language } from './languages.ts'
import { findSpans, spanAt, type Span } from './spans.ts'
import type { WordKind } from './words.ts'

/** A place where a word of the table ends. */
export interface Hit {
  readonly kind: WordKind
  readonly end: number
}

/** Characters at the start of a file that may hold its header. */
const headerLength = 4000

/** A file, or a part of one that is too long to be read as a whole. One character a byte. */
export class Source {
  readonly path: string
  readonly text: string
  readonly hits: readonly Hit[]
  /** Whether a library or command is named that has constructs. */
  readonly mayHoldConstructs: boolean
  /** Whether this is the whole file: only then its strings and comments are known. */
  readonly isWhole: boolean
  readonly lines: Lines
  readonly header: string
  readonly language: Language
  #spans: readonly Span[] | undefined

  constructor(
    part: Pick<Source, 'path' | 'text' | 'hits' | 'mayHoldConstructs' | 'isWhole'> & {
      readonly linesBefore?: number
      readonly columnsBefore?: number
    },
  ) {
    this.path = part.path
    this.text = part.text
    this.hits = part.hits
    this.mayHoldConstructs = part.mayHoldConstructs
    this.isWhole = part.isWhole
    this.lines = new Lines(part.text, part.linesBefore, part.columnsBefore)
    this.header = part.text.slice(0, headerLength)
    this.language = languageOf(part.path, this.header)
  }

  /** The comments and strings. Of a part of a file only whole lines are known to be comments. */
  get spans(): readonly Span[] {
    return (this.#spans ??= this.isWhole ? findSpans(this.text, this.language.syntax) : [])
  }

  isComment(at: number): boolean {
    if (this.isWhole) return spanAt(this.spans, at)?.kind === 'comment'
    const line = this.lines.textOf(this.lines.rowOf(at), 400).trimStart()
    return this.language.syntax.lineComments.some((token) => line.startsWith(token))
  }

  /** The string around a place. */
  stringAt(at: number): Span | undefined {
    const span = spanAt(this.spans, at)
    return span?.kind === 'string' ? span : undefined
  }
}
