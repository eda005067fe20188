import { execFileSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { inComment, quoteHcl, quoteJson, quotePowerShell, quoteWide } from '../../../src/tools/export/quote.ts'
import { quoteShell } from '../../../src/lib/base/printable.ts'
import { hostileText } from '../../support/sample-profiles.ts'

const texts = ['', 'plain', "'", '"', '\\', '\n', '$', '${', '$${', '%{', '`', '-', '@file', '🎉', hostileText]

describe('a literal says exactly its text', () => {
  test('to a POSIX shell', () => {
    const words = [...texts, '--option=é', '-é', "%s\u001b[31m'\\n\\101%"].filter((text) => text !== '\n')
    const script = words.map((text) => `printf '%s\\0' ${quoteShell(text)}`).join('\n')
    const output = execFileSync('sh', ['-s'], { input: script, encoding: 'utf8' })
    expect(output.split('\0').slice(0, -1)).toStrictEqual(words)
  })

  test.each(texts)('to Go, C# and YAML: %j', (text) => {
    expect(readLiteral(quoteWide(text), /\\(u[0-9a-f]{4}|U[0-9a-f]{8}|[\\"bfnrt])/g)).toBe(text)
  })

  test.each(texts)('to TypeScript: %j', (text) => {
    expect(runInNewContext(quoteJson(text))).toBe(text)
  })

  test.each(texts)('to Terraform: %j', (text) => {
    const literal = quoteHcl(text)
    expect(literal.replaceAll('$${', '').replaceAll('%%{', '')).not.toMatch(/[$%]\{/)
    const read = readLiteral(literal, /\\(u[0-9a-f]{4}|U[0-9a-f]{8}|[\\"nrt])/g)
    expect(read.replaceAll('$${', '${').replaceAll('%%{', '%{')).toBe(text)
  })
})

describe('no literal and no comment', () => {
  const writers = { quoteJson, quoteWide, quoteHcl, quotePowerShell, quoteShell, inComment }

  test.each(Object.entries(writers))('holds anything but printable ASCII: %s', (_name, write) => {
    expect(write(`${hostileText}\ufffe\u001b[31m`)).toMatch(/^[\x20-\x7e]*$/)
  })

  test.each(['(coding: utf-7)', ' vim: set modeline: ', '-*- mode: x -*-', '{{ x }}', '<!-- */ #>'])(
    'of people gives a tool an order: %j',
    (order) => {
      expect(inComment(order)).not.toMatch(/[:\\{}<>*#=]/)
    },
  )
})

test('half a character becomes the replacement character everywhere, and NUL is left out of a shell word', () => {
  expect(quoteShell('a\ud800b')).toBe(String.raw`"$(printf 'a\357\277\275b')"`)
  for (const quote of [quoteJson, quoteWide, quoteHcl]) expect(quote('a\ud800b')).toBe(String.raw`"a\ufffdb"`)
  expect(quotePowerShell('a\ud800b')).toBe("('' + 'a' + [char]0xfffd + 'b')")
  expect(inComment('a\ud800b')).toBe('a?b')
  expect(quoteShell('a\0b')).toBe("'ab'")
})

/** Reads a double-quoted literal as its language does: the escapes it knows, and nothing that would end it. */
function readLiteral(literal: string, escapes: RegExp): string {
  const inner = literal.slice(1, -1)
  expect(literal).toMatch(/^".*"$/)
  expect(inner.replace(escapes, '')).not.toMatch(/[\\"]/)
  const named: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '\\': '\\', '"': '"' }
  return inner.replace(
    escapes,
    (_match, escape: string) => named[escape] ?? String.fromCodePoint(Number.parseInt(escape.slice(1), 16)),
  )
}
