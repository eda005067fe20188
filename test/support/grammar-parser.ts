import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Parser } from '@vscode/tree-sitter-wasm'

export async function grammarParser(language: string): Promise<Parser> {
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('@vscode/tree-sitter-wasm'))
  const { Language, Parser } = require('@vscode/tree-sitter-wasm') as typeof import('@vscode/tree-sitter-wasm')
  await Parser.init()
  const parser = new Parser()
  return parser.setLanguage(await Language.load(readFileSync(join(folder, `tree-sitter-${language}.wasm`))))
}
