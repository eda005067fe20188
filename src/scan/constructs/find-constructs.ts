import type { Language, Node, Parser, Query } from '@vscode/tree-sitter-wasm'
import type { Grammar } from '../languages.ts'
import type { Captures, ConstructPlace, ConstructRow } from './construct.ts'
import { dotnetConstructs } from './dotnet-constructs.ts'
import { goConstructs } from './go-constructs.ts'
import { javaConstructs } from './java-constructs.ts'
import { pythonConstructs } from './python-constructs.ts'
import { scriptConstructs } from './script-constructs.ts'

/** Every construct that a grammar finds. */
const rows: readonly ConstructRow[] = [
  ...scriptConstructs,
  ...pythonConstructs,
  ...goConstructs,
  ...dotnetConstructs,
  ...javaConstructs,
]

/** The reader of a language, loaded when a file first needs it. */
export interface GrammarTools {
  readonly parser: Parser
  readonly language: Language
  readonly createQuery: (source: string) => Query
}

/** Loads a grammar. */
export type LoadGrammar = (grammar: Grammar) => Promise<GrammarTools>

const queries = new WeakMap<Language, Map<string, Query>>()

/** Whether a file holds what one of its grammar's constructs needs. */
export function needsGrammar(source: string, grammar: Grammar): boolean {
  return rows.some(({ grammars, needs }) => grammars.includes(grammar) && needs.test(source))
}

/** The constructs of a file that reach the public cloud by default. */
export async function findConstructs(
  source: string,
  grammar: Grammar,
  load: LoadGrammar,
): Promise<readonly ConstructPlace[]> {
  const chosen = rows.filter(({ grammars, needs }) => grammars.includes(grammar) && needs.test(source))
  if (chosen.length === 0) return []
  const { parser, language, createQuery } = await load(grammar)
  const tree = parser.parse(source)
  if (tree === null) return []
  try {
    const known = queries.get(language) ?? new Map<string, Query>()
    queries.set(language, known)
    return chosen.flatMap((row) => {
      const query = known.get(row.query) ?? createQuery(row.query)
      known.set(row.query, query)
      return findRow(row, query, tree.rootNode, source)
    })
  } finally {
    // The garbage collector does not free the memory of WebAssembly.
    tree.delete()
  }
}

function findRow(row: ConstructRow, query: Query, root: Node, source: string): readonly ConstructPlace[] {
  const meaningOf = row.namesIn(source)
  return query.matches(root).flatMap(({ captures }) => {
    const nodes: Captures = Object.fromEntries(captures.map(({ name, node }) => [name, node]))
    const { construct, name } = nodes
    if (construct === undefined || name === undefined) return []
    const meaning = meaningOf(nodes)
    if (meaning === undefined || !row.isMissing(nodes, { source, meaning })) return []
    const { row: line, column } = construct.startPosition
    return [{ row: line, column, name: name.text, kind: row.kind }]
  })
}
