import { Lines } from './lines.ts'
import { languageOf } from './languages.ts'
import { findSpans, spanAt, type Span } from './spans.ts'
import type { WordKind } from './words.ts'

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
  const lines = new Lines(text, part.linesBefore, part.columnsBefore)
  let spans: readonly Span[] | undefined
  return {
    ...part,
    lines,
    header,
    language,
    /** The comments and strings. Of a part of a file only whole lines are known to be comments. */
    get spans(): readonly Span[] {
      return (spans ??= isWhole ? findSpans(text, language.syntax) : [])
    },
    isComment(at: number): boolean {
      if (isWhole) return spanAt(this.spans, at)?.kind === 'comment'
      const line = lines.textOf(lines.rowOf(at), 400).trimStart()
      return language.syntax.lineComments.some((token) => line.startsWith(token))
    },
    /** The string around a place. */
    stringAt(at: number): Span | undefined {
      const span = spanAt(this.spans, at)
      return span?.kind === 'string' ? span : undefined
    },
  }
}
