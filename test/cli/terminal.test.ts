import { describe, expect, test } from 'vitest'
import { createTerminal, formatTable } from '../../src/cli/terminal.ts'

const hostile = 'name \u001b[2J \u009b31m \u202e ##vso[task.complete] ::error x'
const harmless = 'name \\u001b[2J \\u009b31m \\u202e \\u0023#vso[task.complete] \\u003a:error x'

test.each(['print', 'note', 'show'] as const)('%s escapes what a terminal or a pipeline obeys', (by) => {
  let written = ''
  const stream = { isTTY: true, columns: 200, write: (text: string) => (written += text) }
  const terminal = createTerminal({ env: {}, stdout: stream, stderr: stream })
  terminal[by](hostile)
  expect(written).toContain(harmless)
  for (const obeyed of ['\u001b[2J', '\u009b', '\u202e', '##vso', '::error']) expect(written).not.toContain(obeyed)
})

describe('a table that is wider than the screen', () => {
  const long = 'word '.repeat(30).trim()
  const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length))

  test('wraps its last column', () => {
    const text = formatTable(['Name', 'Text'], [['one', long]], 60)
    expect(text).toMatch(/^Name  Text\none   word word/)
    expect(text).toMatch(/\n {6}word/)
    expect(widest(text)).toBeLessThanOrEqual(60)
  })

  test.each([
    [99, 'each row is a paragraph', /^one\n {2}A: word/],
    [100, 'all wide columns wrap', /^Name +A +B +C +D\none +word/],
  ])('at %i columns, without room for the last one, %s', (width, _what, expected) => {
    const text = formatTable(['Name', 'A', 'B', 'C', 'D'], [['one', long, 'x'.repeat(30), 'y'.repeat(30), 'z']], width)
    expect(text).toMatch(expected)
    expect(widest(text)).toBeLessThanOrEqual(width)
  })

  test('has a blank line between its paragraphs, and none between rows of one value', () => {
    const one = ['one', long, 'x']
    const text = formatTable(['Name', 'A', 'B'], [one, ['two', 'short'], ['three', 'short'], ['four', 'a', long]], 40)
    expect(text).toMatch(/\n {2}B: x\n\ntwo: short\nthree: short\n\nfour\n/)
  })
})
