import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type * as TreeSitter from '@vscode/tree-sitter-wasm'
import type { GrammarTools, LoadGrammar } from './constructs/find-constructs.ts'
import type { Grammar } from './languages.ts'

/** Where the grammars are: beside the command in a package, in their own package in a checkout. */
function grammarFolder(): string {
  if (typeof PACKAGED !== 'undefined') return fileURLToPath(new URL('grammars', import.meta.url))
  return dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'))
}

/** A package of modules takes a script for a module, unless its name says otherwise. */
const parserFile = typeof PACKAGED === 'undefined' ? 'tree-sitter.js' : 'tree-sitter.cjs'

/** Neither the library of the language nor the types of Node declare it. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: new (limits: { initial: number; maximum: number }) => object }
}

/** The memory that the parser declares: 32 MB. */
const initialPages = 512

/** 56 MB. A tree of a quarter of a megabyte of source takes 40 MB; some texts that are no program take gigabytes. */
const mostPages = 896

/** Loads grammars, each once and at its first use: the largest is five megabytes. */
export function createGrammarLoader(): LoadGrammar {
  let tools: Promise<typeof TreeSitter> | undefined
  const loaded = new Map<Grammar, Promise<GrammarTools>>()
  const start = async () => {
    // The parsers are functions of a megabyte: to optimize one takes V8 more memory, and more time, than it ever saves here.
    setFlagsFromString('--liftoff-only')
    setFlagsFromString('--wasm-num-compilation-tasks=1')
    const folder = grammarFolder()
    const module = createRequire(import.meta.url)(join(folder, parserFile)) as typeof TreeSitter
    const options = {
      locateFile: () => join(folder, 'tree-sitter.wasm'),
      // A parser that runs out of memory says so twice: here, and as an error.
      printErr: () => undefined,
      wasmMemory: new WebAssembly.Memory({ initial: initialPages, maximum: mostPages }),
    }
    await module.Parser.init(options)
    return module
  }
  const load = async (grammar: Grammar): Promise<GrammarTools> => {
    tools ??= start()
    const { Language, Parser, Query } = await tools
    const language = await Language.load(readFileSync(join(grammarFolder(), `tree-sitter-${grammar}.wasm`)))
    const parser = new Parser()
    parser.setLanguage(language)
    return { parser, language, createQuery: (source) => new Query(language, source) }
  }
  return (grammar) => {
    const found = loaded.get(grammar) ?? load(grammar)
    loaded.set(grammar, found)
    return found
  }
}
