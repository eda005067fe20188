import { dirname, join, relative } from 'node:path/posix'
import { UsageError } from '../../../src/cli/command.ts'
import { writeNewFile } from '../../../src/cli/write-new-file.ts'
import { printable } from '../../../src/lib/base/printable.ts'
import { isCode } from './calls.ts'
import type { Change, Finding } from './finding.ts'
import { dirtyFiles } from './git.ts'
import type { FixLanguage } from './languages.ts'
import { remembered, runsOf } from './lists.ts'
import { readRegularFile } from './read-file.ts'
import { createSource, decode, encode, Lines, type Source } from './source.ts'

/** A file and its changes, in order. One character a byte. */
export interface ChangedFile {
  readonly path: string
  readonly before: string
  readonly changes: readonly Change[]
  readonly findings: readonly Finding[]
}

/** A longer file is data. */
const longestFile = 2_000_000

/**
 * The files that the certain changes make. A change that names a member of the generated module needs the module, and is left out without
 * it.
 */
export function changedFiles(
  root: string,
  findings: readonly Finding[],
  module: string | undefined,
): readonly ChangedFile[] {
  const certain = findings.filter(
    ({ level, fix: { edit } }) =>
      level !== 'note' && edit?.isCertain === true && (module !== undefined || edit.members === undefined),
  )
  return [...Map.groupBy(certain, ({ path }) => path)].flatMap(([path, own]) => {
    const read = readRegularFile(join(root, path), longestFile)
    if ('reason' in read) return []
    const before = read.bytes.toString('latin1')
    const source = createSource({ path, text: before, hits: [], mayHoldConstructs: false, isWhole: true })
    const taken = remembered((member) => module !== undefined && isTaken(source, module, member))
    const changes: Change[] = []
    const applied = own
      .sort((a, b) => (a.fix.edit?.start ?? 0) - (b.fix.edit?.start ?? 0))
      .filter(({ fix: { edit } }) => {
        // The file may have changed since, or be written in UTF-16; of two changes that overlap the first counts.
        if (edit === undefined || edit.start < (changes.at(-1)?.end ?? 0)) return false
        if (before.slice(edit.start, edit.end) !== encode(edit.oldText) || edit.members?.some(taken)) return false
        changes.push({ start: edit.start, end: edit.end, newText: encode(edit.newText) })
        return true
      })
    if (applied.length === 0) return []
    const members = [...new Set(applied.flatMap(({ fix }) => fix.edit?.members ?? []))]
    if (module !== undefined && members.length > 0)
      changes.push(...importChanges(source, apply(before, changes), module, members))
    return [{ path, before, changes: changes.sort((a, b) => a.start - b.start), findings: applied }]
  })
}

function apply(text: string, changes: readonly Change[], from = 0, to = text.length): string {
  let [after, at] = ['', from]
  for (const { start, end, newText } of changes) {
    after += text.slice(at, start) + newText
    at = end
  }
  return after + text.slice(at, to)
}

/** How a language imports members of the module: the proof that a file does, the line, and where it stands. */
interface Import {
  readonly proof: (module: string, member: string) => string
  readonly line: (module: string, members: string, text: string) => string
  /** It stands before the first of these, else behind the last of those. */
  readonly before: RegExp
  readonly behind?: RegExp
}

const imports: Partial<Readonly<Record<FixLanguage, Import>>> = {
  typescript: {
    proof: (module, member) =>
      String.raw`\{[^{}]{0,2000}\b${member}\b[^{}]{0,2000}\}\s{0,9}(?:from\s{0,9}|=\s{0,9}require\()["']${module}["']`,
    line: (module, members, text) =>
      /\brequire\(/.test(text) && !/^[ \t]*import\b/m.test(text)
        ? `const { ${members} } = require('${module}')`
        : `import { ${members} } from '${module}'`,
    before: /^(?:import\b|.*\brequire\()/gm,
  },
  python: {
    proof: (module, member) => String.raw`from\s+${module}\s+import[^\n]{0,2000}\b${member}\b`,
    line: (module, members) => `from ${module} import ${members}`,
    before: /^(?:from\s+(?!__future__)|import\s)/gm,
    behind: /^from\s+__future__\s.*\n/gm,
  },
  go: {
    proof: (module) => `"${module}"`,
    line: (module) => `import "${module}"`,
    before: /^import\s/gm,
    behind: /^package\s.*\n/gm,
  },
  dotnet: {
    proof: () => String.raw`using\s+CloudProfile\s*;`,
    line: () => 'using CloudProfile;',
    before: /^[ \t]*using\s+[\w.]+\s*;/gm,
  },
  java: {
    proof: (module) => (module === '' ? '' : `import ${module}`),
    line: (module) => `import ${module};`,
    before: /^import\s/gm,
    behind: /^package\s.*\n/gm,
  },
  rust: {
    proof: (module, member) => String.raw`use ${module}::(?:\{[^{}]{0,2000})?\b${member}\b`,
    line: (module, members) => `use ${module}::{${members}};`,
    before: /^use\s/gm,
    behind: /^#!\[.*\n/gm,
  },
}

/** The module as a file names it: a relative path is told from the root of the scan. */
function moduleFor({ path, language }: Source, module: string): string {
  if (language.fix !== 'typescript' || !module.startsWith('.')) return module
  return relative(dirname(path), module).replace(/^(?!\.)/, './')
}

function isImported(source: Source, module: string, member: string): boolean {
  const own = moduleFor(source, module).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const proof = imports[source.language.fix]?.proof(own, member)
  return proof === undefined || new RegExp(proof).test(source.text)
}

/** Whether a program has the name for something else. */
function isTaken(source: Source, module: string, member: string): boolean {
  const places = source.text.matchAll(new RegExp(String.raw`(?<![\w$.])${member}(?![\w$])`, 'g'))
  return !isImported(source, module, member) && [...places].some(({ index }) => isCode(source, index))
}

/** The import of the generated module, where the file lacks it. */
function importChanges(source: Source, after: string, module: string, members: readonly string[]): readonly Change[] {
  const { text, language } = source
  const own = imports[language.fix]
  if (own === undefined) return []
  const removed = language.fix === 'go' ? unusedImport(text, after) : []
  const lacking = members.filter((member) => !isImported(source, module, member))
  if (lacking.length === 0) return removed
  const line = encode(own.line(moduleFor(source, module), lacking.join(', '), text))
  const above = [...text.matchAll(own.before)].find(({ index }) => isCode(source, index))
  const below = own.behind === undefined ? undefined : [...text.matchAll(own.behind)].at(-1)
  // At the begin it stands below a first line that names the program.
  const begin = /^(?:\xEF\xBB\xBF)?(?:#![^[\n][^\n]*\n)?/.exec(text)?.[0].length ?? 0
  const start = above?.index ?? (below === undefined ? begin : below.index + below[0].length)
  const newLine = text.includes('\r\n') ? '\r\n' : '\n'
  return [{ start, end: start, newText: line + newLine }, ...removed]
}

/** Go refuses an import that nothing uses: a constant of the SDK may have been its last use. */
function unusedImport(before: string, after: string): readonly Change[] {
  const line = /\bcloud\./.test(after) ? null : /^[ \t]*(?:import )?"[^"\n]*\/sdk\/azcore\/cloud"\r?\n/m.exec(before)
  return line === null ? [] : [{ start: line.index, end: line.index + line[0].length, newText: '' }]
}

/** Writes the changes. @throws {UsageError} for a file with changes of its own, unless `force`. */
export function applyChanges(root: string, files: readonly ChangedFile[], force: boolean): void {
  const paths = files.map(({ path }) => path)
  const dirty = force ? [] : dirtyFiles(root, paths)
  if (dirty.length > 0)
    throw new UsageError(
      `${printable(dirty.slice(0, 5).join(', '))}: not committed, or no git to go back with; commit, or use --force`,
    )
  for (const { path, before, changes } of files)
    writeNewFile(join(root, path), Buffer.from(apply(before, changes), 'latin1'), { force: true, tree: root })
}

/** Lines around a change in a patch. */
const context = 3

/** A unified diff that `git apply` takes. Names are quoted as git quotes them. */
export function formatPatch(files: readonly ChangedFile[]): string {
  return files
    .map(({ path, before, changes }) => {
      const [from, to] = [quotePath(`a/${path}`), quotePath(`b/${path}`)]
      return `diff --git ${from} ${to}\n--- ${from}\n+++ ${to}\n${decode(hunksOf(before, changes))}`
    })
    .join('')
}

const octal = (character: string) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
const quotePath = (path: string) =>
  /^[\x20-\x7e]*$/.test(path) && !/["\\]/.test(path)
    ? path
    : `"${encode(path).replaceAll(/[^\x20-\x7e]|["\\]/g, octal)}"`

/** Whole lines that become others. */
interface Block {
  readonly first: number
  readonly old: readonly string[]
  readonly new: readonly string[]
}

/** Each line with its line break. */
const rowsOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

function hunksOf(text: string, changes: readonly Change[]): string {
  const rows = rowsOf(text)
  const isNear = (one: Block, next: Block) => next.first - (one.first + one.old.length) <= 2 * context
  let shift = 0
  return runsOf(blocksOf(text, changes), isNear)
    .map((hunk) => {
      const [head, tail] = [hunk[0] as Block, hunk.at(-1) as Block]
      const begin = Math.max(0, head.first - context)
      const end = Math.min(rows.length, tail.first + tail.old.length + context)
      let [body, at] = ['', begin]
      for (const { first, old, new: added } of hunk) {
        body += signed(' ', rows.slice(at, first)) + signed('-', old) + signed('+', added)
        at = first + old.length
      }
      const grown = hunk.reduce((sum, block) => sum + block.new.length - block.old.length, 0)
      const header = `@@ -${begin + 1},${end - begin} +${begin + 1 + shift},${end - begin + grown} @@\n`
      shift += grown
      return header + body + signed(' ', rows.slice(at, end))
    })
    .join('')
}

/** The lines that changes touch, without equal ones at their begin and end. Changes of one line are one block. */
function blocksOf(text: string, changes: readonly Change[]): readonly Block[] {
  const lines = new Lines(text)
  const lastOf = ({ start, end }: Change) => lines.rowOf(Math.max(start, end - 1))
  return runsOf(changes, (one, next) => lines.rowOf(next.start) <= lastOf(one)).map((own) => {
    const first = lines.rowOf((own[0] as Change).start)
    const [from, to] = [lines.startOf(first), lines.startOf(lastOf(own.at(-1) as Change) + 1)]
    const [old, added] = [rowsOf(text.slice(from, to)), rowsOf(apply(text, own, from, to))]
    const isOther = (row: string, index: number) => row !== added[index]
    const equal = old.findIndex(isOther) === -1 ? old.length : old.findIndex(isOther)
    let same = 0
    while (same < Math.min(old.length, added.length) - equal && old.at(-1 - same) === added.at(-1 - same)) same += 1
    return {
      first: first + equal,
      old: old.slice(equal, old.length - same),
      new: added.slice(equal, added.length - same),
    }
  })
}

const signed = (sign: string, rows: readonly string[]) =>
  rows.map((row) => sign + (row.endsWith('\n') ? row : `${row}\n\\ No newline at end of file\n`)).join('')
