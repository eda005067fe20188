import type { Spans } from './comments.ts'

/** The begin of a module that only tests are compiled with, up to its open brace. */
const testModule =
  /^([ \t]*)#\[cfg\((?:all\()?test\b[^\]\r\n\u2028\u2029]*\]\s*(?:#\[[^\]\r\n\u2028\u2029]*\]\s*){0,8}(?:pub(?:\([\w :]*\))?\s+)?mod\s+\w+\s*\{/gm

/** The test modules of a Rust file. rustfmt gives their last line the indent of the first. */
export function findRustTests(text: string): Spans {
  const spans: number[] = []
  for (const { index, 0: begin, 1: indent = '' } of text.matchAll(testModule)) {
    if (index < (spans.at(-1) ?? 0)) continue
    const close = text.indexOf(`\n${indent}}`, index + begin.length)
    spans.push(index, close === -1 ? text.length : close)
  }
  return spans
}
