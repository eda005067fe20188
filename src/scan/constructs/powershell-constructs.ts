import { endOfText } from '../../lib/base/end-of-text.ts'
import { findComments, isWithin } from '../comments.ts'
import type { Syntax } from '../languages.ts'
import { Lines } from '../lines.ts'
import type { ConstructPlace } from './construct.ts'

const signIn = /(?<![\w-])(?:(?:Connect|Login|Add)-Az(?:ureRm)?Account|Connect-MgGraph|Connect-AzureAD)(?![\w-])/gi

/** What may stand before a command: the begin of a statement or of a block, a pipe or an assignment. */
const beforeCommand = /^$|[;{(|=&\n]$|\b(?:return|then|do)$/i

/** Whether a command begins at a place, with the name of its module or without. */
function beginsCommand(source: string, at: number): boolean {
  const before = source.slice(Math.max(0, at - 100), at)
  const module = before.endsWith('\\') ? endOfText(before, /[\w.\\]/) : ''
  const rest = before.slice(0, before.length - module.length)
  return beforeCommand.test(rest.slice(0, rest.length - endOfText(rest, /[ \t]/).length))
}

/**
 * Sign-in commands that name no cloud. A few rules read them, without a grammar: V8 takes up to two gigabytes to compile the one of
 * `@vscode/tree-sitter-wasm` 0.3.1.
 */
export function findSignIns(source: string, syntax: Syntax): readonly ConstructPlace[] {
  const comments = findComments(source, syntax)
  const places: ConstructPlace[] = []
  const lines = new Lines(source)
  for (const { index: at, 0: name } of source.matchAll(signIn)) {
    if (!beginsCommand(source, at) || isWithin(comments, at) || isInString(source, at)) continue
    // Parameters may be splatted from a table.
    if (/\s(?:-(?:Azure)?Env\w*|@\w+)/i.test(statementAt(source, at))) continue
    places.push({ ...lines.offsetOf(at), name, kind: 'sign-in-command' })
  }
  return places
}

/** A backtick at the end of a line, or an open bracket, continues the statement in the next line. */
function statementAt(source: string, at: number): string {
  const rest = source.slice(at, at + 4000)
  let depth = 0
  for (let index = 0; index < rest.length; index++) {
    const character = rest[index] ?? ''
    if ('({['.includes(character)) depth += 1
    else if (')}]'.includes(character)) depth -= 1
    else if (character === '`') index += rest[index + 1] === '\r' ? 2 : 1
    else if (depth === 0 && (character === '\n' || character === ';' || character === '|')) return rest.slice(0, index)
    if (depth < 0) return rest.slice(0, index)
  }
  return rest
}

function isInString(source: string, at: number): boolean {
  const line = source.slice(source.lastIndexOf('\n', at - 1) + 1, at)
  return (line.match(/"/g)?.length ?? 0) % 2 === 1 || (line.match(/'/g)?.length ?? 0) % 2 === 1
}
