import type { Region, Source } from './source.ts'
import { spanAt, spanIndex } from './spans.ts'

export interface Argument extends Region {
  /** Without comments. */
  readonly text: string
  /** Without comments and the content of strings: what may name an option. */
  readonly code: string
}

export interface Arguments {
  readonly list: readonly Argument[]
  /** The place of the closing bracket. */
  readonly close: number
}

/** A longer call is data. */
const longestCall = 12_000

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
    if ('([{'.includes(character)) depth += 1
    else if (')]}'.includes(character)) depth -= 1
    if (depth > 1 || (depth === 1 && character !== ',')) continue
    if (depth === 1 || text.slice(start, at).trim() !== '') list.push(argumentOf(source, start, at))
    start = at + 1
    if (depth === 0) return { list, close: at }
  }
  return undefined
}

/** A part of a program without its comments. */
function argumentOf({ text, spans }: Source, from: number, to: number): Argument {
  let [plain, code, at] = ['', '', from]
  const add = (end: number) => {
    plain += text.slice(at, end)
    code += text.slice(at, end)
    at = end
  }
  for (let index = spanIndex(spans, from); index < spans.length; index++) {
    const span = spans[index]
    if (span === undefined || span.start >= to) break
    add(span.start)
    at = Math.min(span.end, to)
    plain += span.kind === 'comment' ? ' ' : text.slice(span.start, at)
    code += span.kind === 'comment' ? ' ' : '""'
  }
  add(to)
  const indent = /^\s*/.exec(text.slice(from, to))?.[0].length ?? 0
  return { start: from + indent, end: to, text: plain.trim(), code: code.trim() }
}

/** The methods called one after the other on what ends at a place, with their arguments. */
export function readChain(source: Source, from: number) {
  const steps: { readonly name: string; readonly list: readonly Argument[] }[] = []
  for (let at = from; steps.length < 60;) {
    const step = /^(?:\s|\/\/[^\n]*\n|\/\*[^*]*\*\/){0,40}[?!]?\.\s*(\w+)\s*(?:<[\w<>, .]{0,80}>)?\s*\(/.exec(
      source.text.slice(at, at + 600),
    )
    const found = step === null ? undefined : readArguments(source, at + step[0].length - 1)
    if (step === null || found === undefined) break
    steps.push({ name: step[1] ?? '', list: found.list })
    at = found.close + 1
  }
  return steps
}

/** Whether code stands at a place, and no string or comment. */
export const isCode = ({ spans }: Source, at: number): boolean => spanAt(spans, at) === undefined
