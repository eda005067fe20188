import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { formatEnvironment, shells } from '../../../src/cli/commands/enclave.ts'
import { grammarParser } from '../../support/grammar-parser.ts'
import { sourceShell } from '../../support/run-shell.ts'

const values = {
  PLAIN: 'https://localhost:1/',
  SECRET: "a~'&+%b|c<d>e^f(g)!h;i`j$k",
  PERCENT: '%PATH%',
  SPACES: String.raw`C:\Program Files\ca.pem`,
  TYPOGRAPHIC: 'a\u2018b\u2019c\u201ad\u201be',
}

describe('Variables for', () => {
  test('a POSIX shell are read back unchanged', () => {
    const all = { ...values, LINES: 'a\nb' }
    expect(sourceShell(formatEnvironment(all, 'posix'))).toMatchObject(all)
  })

  test('PowerShell have every kind of single quote twice', async () => {
    const text = formatEnvironment(values, 'powershell')
    expect(text).toContain(`$env:SECRET = 'a~''&+%b|c<d>e^f(g)!h;i\`j$k'\n`)
    expect(text).toContain(`$env:TYPOGRAPHIC = 'a\u2018\u2018b\u2019\u2019c\u201a\u201ad\u201b\u201be'\n`)
    const parser = await grammarParser('powershell')
    const { PLAIN, SECRET, SPACES } = values
    const tree = parser.parse(formatEnvironment({ PLAIN, SECRET, SPACES }, 'powershell'))
    expect(tree?.rootNode.hasError).toBe(false)
    expect(tree?.rootNode.descendantsOfType('verbatim_string_characters')).toHaveLength(3)
  })

  test('cmd are lines of a batch file, with percent signs twice', () => {
    expect(formatEnvironment(values, 'cmd')).toContain(`set "SECRET=a~'&+%%b|c<d>e^f(g)!h;i\`j$k"\r\n`)
    expect(formatEnvironment(values, 'cmd')).toContain('set "PERCENT=%%PATH%%"\r\n')
    expect(() => formatEnvironment({ A: 'a" & calc "' }, 'cmd')).toThrow('cannot express')
  })

  test('an environment file have no quotes', () => {
    const text = formatEnvironment(values, 'env')
    expect(text).toContain(`SECRET=${values.SECRET}\n`)
    expect(parseEnv(text)).toEqual(values)
  })

  test.each(shells.filter((shell) => shell !== 'posix'))('%s cannot have a line break', (shell) => {
    for (const value of ['a\nb', 'a\rb', 'a\0b'])
      expect(() => formatEnvironment({ A: value }, shell)).toThrow('cannot express')
  })

  test.each(shells)('%s have valid names only', (shell) => {
    for (const name of ['A;rm -rf', '', '1A', 'A=B', 'A\nB'])
      expect(() => formatEnvironment({ [name]: 'x' }, shell)).toThrow('not a valid variable name')
  })
})
