import type { Source } from './source.ts'
import { spanAt, spanIndex } from './spans.ts'

/** One argument of a call, or one step of a chain. */
export interface Argument {
  readonly start: number
  readonly end: number
  /** Without comments. */
  readonly text: string
  /** Without comments, and with blanks for the content of strings: what may name an option. */
  readonly code: string
}

export interface Arguments {
  readonly list: readonly Argument[]
  /** The place of the opening bracket and of the closing one. */
  readonly open: number
  readonly close: number
}

/** A longer call is data. */
const longestCall = 12_000
const opening = '([{'
const closing = ')]}'

/** The arguments between balanced brackets, or nothing where they do not end. @param open The place of the opening bracket. */
export function readArguments(source: Source, open: number): Arguments | undefined {
  const { text, spans } = source
  let index = spanIndex(spans, open)
  let depth = 0
  let start = open + 1
  const list: Argument[] = []
  for (let at = open; at < Math.min(text.length, open + longestCall); at++) {
    const span = spans[index]
    if (span !== undefined && span.start <= at) {
      at = Math.max(at, span.end - 1)
      index += 1
      continue
    }
    const character = text.charAt(at)
    if (opening.includes(character)) depth += 1
    else if (closing.includes(character)) {
      depth -= 1
      if (depth > 0) continue
      if (text.slice(start, at).trim() !== '') list.push(argumentOf(source, start, at))
      return { list, open, close: at }
    } else if (character === ',' && depth === 1) {
      list.push(argumentOf(source, start, at))
      start = at + 1
    }
  }
  return undefined
}

/** A part of a program without its comments. */
function argumentOf({ text, spans }: Source, from: number, to: number): Argument {
  let [plain, code, at] = ['', '', from]
  for (let index = spanIndex(spans, from); index < spans.length; index++) {
    const span = spans[index]
    if (span === undefined || span.start >= to) break
    const before = text.slice(at, span.start)
    at = Math.min(span.end, to)
    plain += before + (span.kind === 'comment' ? ' ' : text.slice(span.start, at))
    code += before + (span.kind === 'comment' ? ' ' : '""')
  }
  plain += text.slice(at, to)
  code += text.slice(at, to)
  return {
    start: from + (/^\s*/.exec(text.slice(from, to))?.[0].length ?? 0),
    end: to,
    text: plain.trim(),
    code: code.trim(),
  }
}

/** The methods called one after the other on what ends at a place, with their arguments. */
export function readChain(
  source: Source,
  from: number,
): readonly { readonly name: string; readonly arguments: Arguments }[] {
  const steps: { name: string; arguments: Arguments }[] = []
  let at = from
  while (steps.length < 60) {
    const step = /^(?:\s|\/\/[^\n]*\n|\/\*[^*]*\*\/){0,40}[?!]?\.\s*(\w+)\s*(?:<[\w<>, .]{0,80}>)?\s*\(/.exec(
      source.text.slice(at, at + 600),
    )
    if (step === null) break
    const found = readArguments(source, at + step[0].length - 1)
    if (found === undefined) break
    steps.push({ name: step[1] ?? '', arguments: found })
    at = found.close + 1
  }
  return steps
}

/** Whether code stands at a place, and no string or comment. */
export const isCode = ({ spans }: Source, at: number): boolean => spanAt(spans, at) === undefined
