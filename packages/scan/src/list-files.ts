import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../../../src/cli/command.ts'
import { errorCode } from '../../../src/lib/base/files.ts'
import { printable } from '../../../src/lib/base/printable.ts'
import type { Unchecked } from './finding.ts'
import { topOfRepository, trackedFiles, tracksSomething } from './git.ts'
import { parsePatterns, type Pattern, type PatternBudget } from './ignore-rules.ts'
import { remembered } from './lists.ts'
import { longestRules, openablePath, readRegularFile } from './read-file.ts'

interface Tree {
  /** The folder that paths are told from. */
  readonly root: string
  readonly unreadable: Unchecked[]
  readonly budget: PatternBudget
}

/**
 * Lists the files below the paths: those that git tracks where there is git, else all that no `.gitignore` leaves out.
 *
 * @throws {UsageError} When a path does not exist.
 */
export function listTree(paths: readonly string[], budget: PatternBudget) {
  const starts = (paths.length === 0 ? ['.'] : paths).map(startOf)
  const tree: Tree = { root: rootOf(starts), unreadable: [], budget }
  /** Paths from the root, with `/`. Asked for lazily: a tree may hold more of them than fit into memory at once. */
  const files: AsyncIterable<string> = listAll(starts, tree)
  return { ...tree, files }
}

interface Start {
  readonly path: string
  /** Whether it was named from the current folder. */
  readonly isRelative: boolean
  readonly isFile: boolean
  /** The top of the repository, if git tracks something there. */
  readonly repository: string | undefined
}

function startOf(path: string): Start {
  let real: string
  try {
    real = realpathSync(resolve(path))
  } catch {
    throw new UsageError(`${printable(path)} does not exist, or cannot be read`)
  }
  const status = statSync(real)
  const isFile = !status.isDirectory()
  if (isFile && !status.isFile()) throw new UsageError(`${printable(path)} is neither a file nor a folder`)
  if (!isFile && ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(real, name))))
    throw new UsageError(`${printable(path)} is a git directory, which holds no source: name a working tree`)
  const top = topOfRepository(isFile ? dirname(real) : real)
  const isTracked = top !== undefined && (isFile || tracksSomething(top, real))
  return { path: real, isRelative: !isAbsolute(path), isFile, repository: isTracked ? top : undefined }
}

/** The repository that all paths lie in, else the current folder where they are named from it, else the folder that holds them all. */
function rootOf(starts: readonly Start[]): string {
  const repository = starts[0]?.repository
  if (repository !== undefined && starts.every((start) => start.repository === repository)) return repository
  const here = realpathSync('.')
  const isBelow = (folder: string) => (path: string) =>
    `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep)
  if (starts.every(({ path, isRelative }) => isRelative && isBelow(here)(path))) return here
  const folders = starts.map(({ path, isFile }) => (isFile ? dirname(path) : path))
  let common = folders[0] ?? here
  while (!folders.every(isBelow(common))) common = dirname(common)
  return common
}

const fromRoot = (root: string, path: string) => relative(root, path).split(sep).join('/')

async function* listAll(starts: readonly Start[], tree: Tree): AsyncGenerator<string> {
  const several = starts.length > 1 ? new Set<string>() : undefined
  for (const { path, isFile, repository } of starts) {
    const start = fromRoot(tree.root, path)
    const inFolder = () => (repository === undefined ? walk(start, tree) : listTracked(start, tree, repository))
    const files = isFile ? [start] : inFolder()
    for await (const file of files) {
      if (several?.has(file) === true) continue
      several?.add(file)
      yield file
    }
  }
}

/** The files of the index whose folders are folders: a link in a folder's place may lead anywhere. */
async function* listTracked(start: string, { root, unreadable }: Tree, top: string): AsyncGenerator<string> {
  const isPlain = remembered((folder) => {
    try {
      const path = Buffer.from(openablePath(root, folder))
      return realpathSync.native(path, 'buffer').equals(path)
    } catch {
      return false
    }
  })
  const reason = 'git did not answer in time: the list of files is not complete'
  const files = trackedFiles(top, join(root, start), () =>
    unreadable.push({ path: start === '' ? '.' : start, reason }),
  )
  for await (const name of files) {
    const path = start === '' ? name : `${start}/${name}`
    if (isPlain(path.slice(0, Math.max(0, path.lastIndexOf('/'))))) yield path
  }
}

/** The rules of one `.gitignore`, for paths below its folder. */
interface Rules {
  readonly folder: string
  readonly patterns: readonly Pattern[]
}

/** All files of a folder but those that a `.gitignore` leaves out. Follows no link, so it cannot go in circles. */
async function* walk(start: string, { root, unreadable, budget }: Tree): AsyncGenerator<string> {
  const open: { readonly path: string; readonly rules: readonly Rules[] }[] = [{ path: start, rules: [] }]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const { path: parent } = folder
    let entries
    try {
      entries = readdirSync(openablePath(root, parent), { withFileTypes: true })
    } catch (error) {
      unreadable.push({ path: parent === '' ? '.' : parent, reason: errorCode(error) ?? 'cannot be read' })
      continue
    }
    const below = parent === '' ? '' : `${parent}/`
    const hasRules = entries.some(({ name }) => name === '.gitignore')
    const own = hasRules ? readRegularFile(join(root, below, '.gitignore'), longestRules) : undefined
    const rules =
      own !== undefined && 'bytes' in own
        ? [...folder.rules, { folder: below, patterns: parsePatterns(own.bytes.toString('utf8')) }]
        : folder.rules
    for (const entry of entries) {
      const path = below + entry.name
      const isFolder = entry.isDirectory()
      if (!(isFolder || entry.isFile()) || ['.git', '.hg', '.svn'].includes(entry.name)) continue
      if (isLeftOut(path, isFolder, rules, budget)) continue
      if (isFolder) open.push({ path, rules })
      else yield path
    }
  }
}

/** Rules of a nearer folder win over those above it, and in one file the last matching line wins. */
function isLeftOut(path: string, isFolder: boolean, rules: readonly Rules[], budget: PatternBudget): boolean {
  for (const { folder, patterns } of rules.toReversed()) {
    const last = patterns.findLast((pattern) => budget.matches(pattern, path.slice(folder.length), isFolder))
    if (last !== undefined) return !last.isNegated
  }
  return false
}
