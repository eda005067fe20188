import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import {
  formatJson,
  inComment,
  quoteHcl,
  quoteShell,
  quoteTypeScript,
  quoteWide,
} from '../../../src/lib/export/quote.ts'
import { hasPython } from './has-python.ts'
import { hostileText } from './profiles.ts'

const texts = ['', 'plain', "'", '"', '\\', '\n', '$', '${', '$${', '%{', '`', '-', '@file', '🎉', hostileText]

describe('a literal says exactly its text', () => {
  test('to JSON', () => {
    expect(JSON.parse(formatJson({ texts }))).toStrictEqual({ texts })
    expect(formatJson({ texts }).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
  })

  test('to a POSIX shell', () => {
    const script = texts.map((text) => `printf '%s\\0' ${quoteShell(text)}`).join('\n')
    const output = execFileSync('sh', ['-s'], { input: script, encoding: 'utf8' })
    expect(output.split('\0').slice(0, -1)).toStrictEqual(texts)
  })

  test('to TypeScript', () => {
    const literals = texts.map((text) => quoteTypeScript(text)).join(', ')
    const output = execFileSync(process.execPath, ['--input-type=module'], {
      input: `process.stdout.write(JSON.stringify([${literals}]))`,
      encoding: 'utf8',
    })
    expect(JSON.parse(output)).toStrictEqual(texts)
  })

  test('to Python', async (context) => {
    if (!(await hasPython())) context.skip('python3 is not installed')
    const literals = texts.map((text) => quoteWide(text)).join(', ')
    const output = execFileSync('python3', ['-'], {
      input: `import json\nprint(json.dumps([${literals}]))`,
      encoding: 'utf8',
    })
    expect(JSON.parse(output)).toStrictEqual(texts)
  })

  test.each(texts)('to Go, C# and YAML: %j', (text) => {
    expect(readLiteral(quoteWide(text), /\\(u[0-9a-f]{4}|U[0-9a-f]{8}|[\\"bfnrt])/g)).toBe(text)
  })

  test.each(texts)('to Terraform: %j', (text) => {
    const literal = quoteHcl(text)
    expect(literal.replaceAll('$${', '').replaceAll('%%{', '')).not.toMatch(/[$%]\{/)
    const read = readLiteral(literal, /\\(u[0-9a-f]{4}|U[0-9a-f]{8}|[\\"nrt])/g)
    expect(read.replaceAll('$${', '${').replaceAll('%%{', '%{')).toBe(text)
  })
})

describe('no literal and no comment', () => {
  const written = [quoteTypeScript, quoteWide, quoteHcl, inComment].map((write) => write(hostileText))

  test('spans lines', () => {
    expect(written.join('')).not.toMatch(/[\r\n\u0085\u2028\u2029]/)
  })

  test('reorders or hides what a reader sees', () => {
    expect(written.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
})

test('half a character becomes the replacement character everywhere', () => {
  for (const quote of [quoteShell, quoteTypeScript, quoteWide, quoteHcl, inComment]) {
    expect(quote('a\ud800b')).toContain('a\u{fffd}b')
  }
})

test('a shell word cannot hold NUL, so it is left out', () => {
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
