import { spawn, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { errorCode } from '../../../src/lib/base/files.ts'
import { findProgram } from '../../../src/lib/base/env.ts'
import { longestRules } from './attributes.ts'
import { UsageError, type Unchecked } from './finding.ts'
import { parsePatterns, type Pattern, type PatternBudget } from './ignore-rules.ts'
import { openablePath, readRegularFile } from './read-file.ts'

/** Where a scan begins, and which files it reads. */
export interface Tree {
  /** The folder that paths are told from. */
  readonly root: string
  /** Paths from the root, with `/`. Asked for lazily: a tree may hold more of them than fit into memory at once. */
  readonly files: AsyncIterable<string>
  readonly unreadable: Unchecked[]
}

/** Milliseconds that git may take to answer, or to go on. */
const gitTimeout = 10_000

/**
 * Lists the files below the paths: those that git tracks where there is git, else all that no `.gitignore` leaves out.
 *
 * @throws {UsageError} When a path does not exist.
 */
export function listTree(paths: readonly string[], budget: PatternBudget): Tree {
  const starts = (paths.length === 0 ? ['.'] : paths).map(startOf)
  const root = rootOf(starts)
  const unreadable: Unchecked[] = []
  return { root, unreadable, files: listAll(starts, root, unreadable, budget) }
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
    throw new UsageError(`${path} does not exist, or cannot be read`)
  }
  const status = statSync(real)
  const isFile = !status.isDirectory()
  if (isFile && !status.isFile()) throw new UsageError(`${path} is neither a file nor a folder`)
  if (!isFile && ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(real, name))))
    throw new UsageError(`${path} is a git directory, which holds no source: name a working tree`)
  const top = topOfRepository(isFile ? dirname(real) : real)
  const isTracked = top !== undefined && (isFile || tracksSomething(top, real))
  return { path: real, isRelative: !isAbsolute(path), isFile, repository: isTracked ? top : undefined }
}

/** Git is asked for nothing but its index: no hook, filter, pager or helper of the tree may run. */
const harmless = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.sshCommand=false',
  'protocol.allow=never',
  'core.quotePath=false',
  'submodule.recurse=false',
  'core.bare=false',
].flatMap((setting) => ['-c', setting])

/** Variables of git would lead it to another repository, and make it load other programs. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C',
  }
}

/** git by its path: a folder that is scanned may hold a program of that name. */
const gitProgram = () => findProgram('git', process.env)

/**
 * The nearest folder with a git directory whose files are files: git would wait for a pipe. `core.worktree` of a foreign configuration may
 * name any folder, so the folder itself decides.
 */
function topOfRepository(folder: string): string | undefined {
  for (let top = folder; ; top = dirname(top)) {
    const status = lstatSync(join(top, '.git'), { throwIfNoEntry: false })
    if (status !== undefined)
      return status.isFile() || (status.isDirectory() && hasPlainFiles(join(top, '.git'))) ? top : undefined
    if (top === dirname(top)) return undefined
  }
}

function hasPlainFiles(folder: string): boolean {
  return [
    'config',
    'HEAD',
    'index',
    'commondir',
    'config.worktree',
    'info/exclude',
    'info/sparse-checkout',
    'shallow',
    'packed-refs',
  ].every((name) => {
    const status = lstatSync(join(folder, name), { throwIfNoEntry: false })
    return status === undefined || status.isFile()
  })
}

const gitArguments = (top: string, folder: string) => [
  ...harmless,
  '-C',
  folder,
  '--git-dir',
  join(top, '.git'),
  '--work-tree',
  top,
  'ls-files',
  '-s',
  '-z',
  '--',
  '.',
]

function tracksSomething(top: string, folder: string): boolean {
  const git = gitProgram()
  if (git === undefined) return false
  // One name is enough: the rest is not read.
  const { stdout } = spawnSync(git, gitArguments(top, folder), {
    env: gitEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1,
    timeout: gitTimeout,
    killSignal: 'SIGKILL',
  })
  return stdout !== null && stdout.length > 0
}

/** The repository that all paths lie in, else the current folder where they are named from it, else the folder that holds them all. */
function rootOf(starts: readonly Start[]): string {
  const [first] = starts
  if (first === undefined) return resolve('.')
  if (first.repository !== undefined && starts.every(({ repository }) => repository === first.repository))
    return first.repository
  const here = realpathSync('.')
  if (starts.every(({ path, isRelative }) => isRelative && (path === here || path.startsWith(withSeparator(here)))))
    return here
  const folders = starts.map(({ path, isFile }) => (isFile ? dirname(path) : path))
  let common = folders[0] ?? here
  while (!folders.every((folder) => folder === common || folder.startsWith(withSeparator(common))))
    common = dirname(common)
  return common
}

const withSeparator = (folder: string) => (folder.endsWith(sep) ? folder : folder + sep)
const fromRoot = (root: string, path: string) => relative(root, path).split(sep).join('/')

async function* listAll(
  starts: readonly Start[],
  root: string,
  unreadable: Unchecked[],
  budget: PatternBudget,
): AsyncGenerator<string> {
  const several = starts.length > 1 ? new Set<string>() : undefined
  for (const { path, isFile, repository } of starts) {
    const files = isFile
      ? [fromRoot(root, path)]
      : repository === undefined
        ? walk(path, root, unreadable, budget)
        : listTracked(path, root, repository, unreadable)
    for await (const file of files) {
      if (several?.has(file) === true) continue
      several?.add(file)
      yield file
    }
  }
}

/** The regular files of the index whose folders are folders: a link in a folder's place may lead anywhere. */
async function* listTracked(
  folder: string,
  root: string,
  top: string,
  unreadable: Unchecked[],
): AsyncGenerator<string> {
  const prefix = fromRoot(root, folder)
  const child = spawn(gitProgram() ?? '', gitArguments(top, folder), {
    env: gitEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.on('error', () => child.stdout.destroy())
  const isFolder = folderCheck(root)
  let isLate = false
  const stop = () => {
    isLate = true
    child.kill('SIGKILL')
  }
  let timer = setTimeout(stop, gitTimeout)
  try {
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      clearTimeout(timer)
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const end = bytes.lastIndexOf(0)
      rest = bytes.subarray(end + 1)
      if (end === -1) continue
      for (const row of bytes.toString('utf8', 0, end).split('\0')) {
        // MODE HASH STAGE, a tab, the path. Links and submodules have other modes.
        if (!row.startsWith('100')) continue
        const name = row.slice(row.indexOf('\t') + 1)
        // An index that another program wrote may lead out of the tree.
        if (/(?:^|\/)(?:\.\.?|\.git)(?:\/|$)/.test(name) || name.startsWith('/')) continue
        const path = prefix === '' ? name : `${prefix}/${name}`
        if (isFolder(path.slice(0, Math.max(0, path.lastIndexOf('/'))))) yield path
      }
      timer = setTimeout(stop, gitTimeout)
    }
    if (isLate)
      unreadable.push({
        path: prefix === '' ? '.' : prefix,
        reason: 'git did not answer in time: the list of files is not complete',
      })
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

/** Whether a folder, and each above it, is one and no link. */
function folderCheck(root: string): (folder: string) => boolean {
  let known = new Map<string, boolean>([['', true]])
  return (folder) => {
    if (known.size > 50_000) known = new Map([['', true]])
    let isFolder = true
    if (folder === '') return true
    // From the top, one step at a time: a path may be thousands of folders deep.
    for (let at = folder.indexOf('/'); isFolder; at = folder.indexOf('/', at + 1)) {
      const part = at === -1 ? folder : folder.slice(0, at)
      const answer = known.get(part)
      isFolder = answer ?? isPlainFolder(openablePath(root, part))
      if (answer === undefined) known.set(part, isFolder)
      if (at === -1) break
    }
    return isFolder
  }
}

function isPlainFolder(path: string | Buffer): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}

/** The rules of one `.gitignore`, for paths below its folder. */
interface Rules {
  readonly folder: string
  readonly patterns: readonly Pattern[]
}

/** All files of a folder but those that a `.gitignore` leaves out. Follows no link, so it cannot go in circles. */
async function* walk(
  top: string,
  root: string,
  unreadable: Unchecked[],
  budget: PatternBudget,
): AsyncGenerator<string> {
  const open: { readonly path: string; readonly rules: readonly Rules[] }[] = [{ path: fromRoot(root, top), rules: [] }]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    let entries
    try {
      entries = readdirSync(openablePath(root, folder.path), { withFileTypes: true })
    } catch (error) {
      unreadable.push({ path: folder.path === '' ? '.' : folder.path, reason: errorCode(error) ?? 'cannot be read' })
      continue
    }
    const { path: parent } = folder
    const read = entries.some(({ name }) => name === '.gitignore')
      ? readRegularFile(join(root, parent, '.gitignore'), longestRules)
      : { reason: '' }
    const rules =
      'bytes' in read
        ? [
            ...folder.rules,
            { folder: parent === '' ? '' : `${parent}/`, patterns: parsePatterns(read.bytes.toString('utf8')) },
          ]
        : folder.rules
    for (const entry of entries) {
      const path = parent === '' ? entry.name : `${parent}/${entry.name}`
      if (entry.isDirectory()) {
        if (!['.git', '.hg', '.svn'].includes(entry.name) && !isLeftOut(path, true, rules, budget))
          open.push({ path, rules })
      } else if (entry.isFile() && !isLeftOut(path, false, rules, budget)) yield path
    }
  }
}

/** The nearest rules speak last, and in a file the last line. */
function isLeftOut(path: string, isFolder: boolean, rules: readonly Rules[], budget: PatternBudget): boolean {
  const last = rules
    .toReversed()
    .flatMap(
      ({ folder, patterns }) =>
        patterns.findLast((pattern) => budget.matches(pattern, path.slice(folder.length), isFolder)) ?? [],
    )
    .at(0)
  return last !== undefined && !last.isNegated
}
