import { findConnectionStrings } from './constructs/connection-strings.ts'
import type { ConstructPlace } from './constructs/construct.ts'
import { findConstructs, needsGrammar, type LoadGrammar } from './constructs/find-constructs.ts'
import { findSignIns } from './constructs/powershell-constructs.ts'
import { findProviderBlocks } from './constructs/terraform-constructs.ts'
import { kindOfWord } from './known-words.ts'
import type { Grammar, Language } from './languages.ts'
import type { Lines } from './lines.ts'
import type { TextToScan } from './text-to-scan.ts'

/**
 * Who parses a file whose constructs a grammar must read: this thread, which loads the grammar; another thread, so that this one defers the
 * file; or none, because a parser failed on it.
 */
export type GrammarAccess = { readonly load: LoadGrammar } | 'deferred' | { readonly failure: string }

/** A longer file, or one with a longer line, is data or was written by a program: a tree of it would take hundreds of megabytes. */
const longestProgram = 250_000
const longestLine = 5000

/** Whether a cheap test has found a name of a construct. */
export function mayHoldConstructs({ hits }: Pick<TextToScan, 'hits'>, language: Language): boolean {
  return language.isProse !== true && hits.some(({ word }) => kindOfWord[word] === 'construct')
}

/** Why no parser reads the file, if so. */
export function reasonNotToParse({ text, isWhole }: TextToScan, lines: Lines): string | undefined {
  if (!isWhole || text.length > longestProgram) return `longer than ${longestProgram / 1000} kB: constructs not checked`
  return lines.longest() > longestLine
    ? `a line with more than ${longestLine} bytes: constructs not checked`
    : undefined
}

/** The grammar that must read a file, chosen by tests that cost little. */
export function grammarFor(file: TextToScan, language: Language): Grammar | undefined {
  const { grammar } = language
  if (grammar === undefined || !mayHoldConstructs(file, language)) return undefined
  return needsGrammar(file.text, grammar) ? grammar : undefined
}

/** The constructs of a file that reach the public cloud because it names no cloud, whichever way they are found. */
export async function findAllConstructs(
  { text, hits }: TextToScan,
  language: Language,
  grammar: Grammar | undefined,
  grammars: GrammarAccess,
): Promise<readonly ConstructPlace[]> {
  if (!mayHoldConstructs({ hits }, language)) return []
  const source = Buffer.from(text, 'latin1').toString('utf8')
  // Columns are those of the bytes from here on, as everywhere in this file.
  const inBytes = (places: readonly ConstructPlace[]) =>
    source.length === text.length ? places : places.map((place) => ({ ...place, column: byteColumn(source, place) }))
  const load = typeof grammars === 'object' && 'load' in grammars ? grammars.load : undefined
  const byGrammar = grammar === undefined || load === undefined ? [] : await findConstructs(source, grammar, load)
  const byBlocks = language.fix === 'terraform' ? findProviderBlocks(source) : []
  const byCommands = language.fix === 'powershell' ? findSignIns(source, language.syntax) : []
  // Composite actions and templates of workflows stand in other folders too.
  const bySteps = language.isYaml === true && /azure\/login@/i.test(source) ? await loginSteps(source) : []
  return [...inBytes([...byGrammar, ...byBlocks, ...byCommands, ...bySteps]), ...findConnectionStrings(text)]
}

/** The YAML library is loaded where a workflow signs in, and nowhere else. */
async function loginSteps(source: string): Promise<readonly ConstructPlace[]> {
  const { findLoginSteps } = await import('./constructs/workflow-constructs.ts')
  return findLoginSteps(source)
}

function byteColumn(source: string, { row, column }: ConstructPlace): number {
  const line = source.split('\n', row + 1)[row] ?? ''
  return Buffer.byteLength(line.slice(0, column))
}
