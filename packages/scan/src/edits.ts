import { spawnSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../../src/lib/base/env.ts'
import { writeFileSafely } from './baseline.ts'
import { UsageError, type Edit, type Finding } from './finding.ts'
import { languageOf } from './languages.ts'
import { readRegularFile } from './read-file.ts'
import { decode, encode } from './source.ts'

/** A file before and after its changes. One character a byte. */
export interface ChangedFile {
  readonly path: string
  readonly before: string
  readonly after: string
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
    ({ level, fix }) =>
      level !== 'note' && fix.edit?.isCertain === true && (module !== undefined || fix.edit.members === undefined),
  )
  const paths = [...new Set(certain.map(({ path }) => path))]
  return paths.flatMap((path) => {
    const read = readRegularFile(join(root, path), longestFile)
    if ('reason' in read) return []
    const before = read.bytes.toString('latin1')
    const own = certain
      .filter((finding) => finding.path === path)
      .sort((a, b) => (a.fix.edit?.start ?? 0) - (b.fix.edit?.start ?? 0))
    let [after, at] = ['', 0]
    const applied: Finding[] = []
    for (const finding of own) {
      const { start, end, oldText, newText } = finding.fix.edit as Edit
      // The file may have changed since, or be written in UTF-16; of two changes that overlap the first counts.
      if (start < at || before.slice(start, end) !== encode(oldText)) continue
      after += before.slice(at, start) + encode(newText)
      at = end
      applied.push(finding)
    }
    if (applied.length === 0) return []
    after += before.slice(at)
    const members = [...new Set(applied.flatMap(({ fix }) => fix.edit?.members ?? []))]
    const whole = module === undefined || members.length === 0 ? after : withImport(path, after, module, members)
    return [{ path, before, after: whole, findings: applied }]
  })
}

/** Adds the import of the generated module, where the file lacks it. */
function withImport(path: string, text: string, module: string, members: readonly string[]): string {
  const crlf = text.includes('\r\n') ? '\r\n' : '\n'
  const language = languageOf(path, text.slice(0, 4000)).fix
  switch (language) {
    case 'typescript': {
      const missing = members.filter(
        (member) => !new RegExp(String.raw`import\s*\{[^}]*\b${member}\b[^}]*\}`).test(text),
      )
      const isCommon = /\brequire\(/.test(text) && !/^\s*import\b/m.test(text)
      const line = isCommon
        ? `const { ${missing.join(', ')} } = require('${module}')`
        : `import { ${missing.join(', ')} } from '${module}'`
      return missing.length === 0
        ? text
        : insertBefore(text, isCommon ? /^.*\brequire\(/m : /^import\b/m, `${line}${crlf}`)
    }
    case 'python': {
      const missing = members.filter(
        (member) =>
          !new RegExp(String.raw`from\s+${module.replaceAll('.', String.raw`\.`)}\s+import[^\n]*\b${member}\b`).test(
            text,
          ),
      )
      return missing.length === 0
        ? text
        : insertBefore(
            text,
            /^(?:from\s+(?!__future__)|import\s)/m,
            `from ${module} import ${missing.join(', ')}${crlf}`,
          )
    }
    case 'go':
      return withGoImport(text, module, crlf)
    case 'dotnet':
      return /^\s*using\s+CloudProfile\s*;/m.test(text)
        ? text
        : insertBefore(text, /^[ \t]*using\s+[\w.]+\s*;/m, `using CloudProfile;${crlf}`)
    case 'java':
      return module === '' || text.includes(`import ${module}`)
        ? text
        : insertBefore(text, /^import\s/m, `import ${module};${crlf}`)
    case 'rust':
      return insertBefore(text, /^use\s/m, `use ${module}::{${members.join(', ')}};${crlf}`)
    default:
      return text
  }
}

/** Go refuses an import that nothing uses: a constant of the SDK may have been its last use. */
function withGoImport(text: string, module: string, crlf: string): string {
  const rest = /\bcloud\./.test(text)
    ? text
    : text.replace(/^[ \t]*(?:import )?"[^"\n]*\/sdk\/azcore\/cloud"\r?\n/m, '')
  if (rest.includes(`"${module}"`)) return rest
  return /^import \(/m.test(rest)
    ? rest.replace(/^import \(\r?\n/m, (open) => `${open}\t"${module}"${crlf}`)
    : rest.replace(/^package .*\r?\n/m, (line) => `${line}${crlf}import "${module}"${crlf}`)
}

/** Before the first line of the kind, or at the begin, below a first line that names the program. */
function insertBefore(text: string, line: RegExp, inserted: string): string {
  const at = line.exec(text)?.index ?? /^(?:\xEF\xBB\xBF)?(?:#![^\n]*\n)?/.exec(text)?.[0].length ?? 0
  return text.slice(0, at) + encode(inserted) + text.slice(at)
}

/** Writes the changes. @throws {UsageError} for a file with changes of its own, unless `force`. */
export function applyChanges(root: string, files: readonly ChangedFile[], force: boolean): void {
  const dirty = force
    ? []
    : dirtyFiles(
        root,
        files.map(({ path }) => path),
      )
  if (dirty.length > 0)
    throw new UsageError(
      `${dirty.slice(0, 5).join(', ')} ${dirty.length === 1 ? 'has' : 'have'} changes that are not committed, or no git to go back with; commit them, or use --force`,
    )
  for (const { path, after } of files) {
    // A folder that became a link since the scan is not followed.
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
      if (!lstatSync(join(root, path.slice(0, at))).isDirectory())
        throw new UsageError(`${path.slice(0, at)} is no folder any more`)
    writeFileSafely(join(root, path), Buffer.from(after, 'latin1'))
  }
}

function dirtyFiles(root: string, paths: readonly string[]): readonly string[] {
  const git = findProgram('git', process.env)
  if (git === undefined) return paths
  const dirty: string[] = []
  for (let at = 0; at < paths.length; at += 200) {
    const some = paths.slice(at, at + 200)
    const { status, stdout } = spawnSync(
      git,
      [
        '-c',
        'core.fsmonitor=false',
        '-c',
        'core.hooksPath=/dev/null',
        '-C',
        root,
        '--git-dir',
        join(root, '.git'),
        '--work-tree',
        root,
        '-c',
        'core.quotePath=false',
        'ls-files',
        '-z',
        '-m',
        '-d',
        '-o',
        '--',
        ...some.map((path) => `:(literal)${path}`),
      ],
      { encoding: 'utf8', timeout: 10_000, stdio: ['ignore', 'pipe', 'ignore'] },
    )
    if (status !== 0) return paths
    dirty.push(...stdout.split('\0').filter((each) => each !== ''))
  }
  return [...new Set(dirty)]
}

/** Lines around a change in a patch. */
const context = 3

/** A unified diff that `git apply` takes. Names are quoted as git quotes them. */
export function formatPatch(files: readonly ChangedFile[]): string {
  return files
    .map(({ path, before, after }) => {
      const name = /^[\x20-\x7e]*$/.test(path) && !/["\\]/.test(path) ? path : undefined
      const [from, to] =
        name === undefined ? [quotePath(`a/${path}`), quotePath(`b/${path}`)] : [`a/${name}`, `b/${name}`]
      return `diff --git ${from} ${to}\n--- ${from}\n+++ ${to}\n${hunks(before.split('\n'), after.split('\n'))}`
    })
    .join('')
}

const quotePath = (path: string) =>
  `"${encode(path).replaceAll(/[^\x20-\x7e]|["\\]/g, (character) => (/["\\]/.test(character) ? `\\${character}` : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`))}"`

/** The changes are few lines: what is equal before and after them needs no search. */
function hunks(before: readonly string[], after: readonly string[]): string {
  const parts: { readonly from: number; readonly to: number; readonly start: number; readonly end: number }[] = []
  let [a, b] = [0, 0]
  while (a < before.length || b < after.length) {
    if (before[a] === after[b] && a < before.length && b < after.length) {
      a += 1
      b += 1
      continue
    }
    const [start, from] = [a, b]
    const next = nextEqual(before, after, a, b)
    a = next.a
    b = next.b
    parts.push({ start, end: a, from, to: b })
  }
  return parts
    .map((part, index) =>
      hunk(
        before,
        after,
        part,
        index === 0 ? 0 : (parts[index - 1]?.end ?? 0),
        parts[index + 1]?.start ?? before.length,
      ),
    )
    .join('')
}

function nextEqual(
  before: readonly string[],
  after: readonly string[],
  a: number,
  b: number,
): { readonly a: number; readonly b: number } {
  for (let distance = 1; distance < 400; distance++)
    for (let x = 0; x <= distance; x++) {
      const y = distance - x
      if (
        a + x <= before.length &&
        b + y <= after.length &&
        before[a + x] === after[b + y] &&
        (before[a + x + 1] === after[b + y + 1] || distance < 3)
      )
        return { a: a + x, b: b + y }
    }
  return { a: before.length, b: after.length }
}

function hunk(
  before: readonly string[],
  after: readonly string[],
  {
    start,
    end,
    from,
    to,
  }: { readonly start: number; readonly end: number; readonly from: number; readonly to: number },
  last: number,
  next: number,
): string {
  const above = Math.min(context, Math.floor((start - last) / (last === 0 ? 1 : 2)))
  const isEndEmpty = before.at(-1) === ''
  const lines = before.length - (isEndEmpty ? 1 : 0)
  const below = Math.max(0, Math.min(context, next === before.length ? lines - end : Math.floor((next - end) / 2)))
  const rows = [
    ...before.slice(start - above, start).map((line) => ` ${line}`),
    ...before.slice(start, end).map((line) => `-${line}`),
    ...after.slice(from, to).map((line) => `+${line}`),
    ...before.slice(end, end + below).map((line) => ` ${line}`),
  ]
  const missing = !isEndEmpty && end + below >= before.length ? '\n\\ No newline at end of file' : ''
  return `@@ -${start - above + 1},${above + end - start + below} +${from - above + 1},${above + to - from + below} @@\n${decode(rows.join('\n'))}${missing}\n`
}
