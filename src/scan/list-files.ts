import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import ignore from 'ignore'
import { errorCode } from '../lib/base/error-code.ts'
import { findProgram } from '../lib/base/find-program.ts'
import type { Unchecked } from './finding.ts'
import { readRules } from './read-rules.ts'
import { openablePath } from './undecodable-names.ts'

/** Where a scan begins, and which files it reads. */
export interface Tree {
  /** The folder that paths are told from. */
  readonly root: string
  /** Paths from the root, with `/`. Asked for lazily: a tree may hold more of them than fit into memory at once. */
  readonly files: AsyncIterable<string>
  readonly unreadable: Unchecked[]
}

/** A path that was asked for and is not there. */
class MissingPathError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Lists the files below the paths: those that git tracks where there is git, else all that no `.gitignore` leaves out.
 *
 * @param paths Files and folders.
 * @throws {MissingPathError} When one does not exist.
 */
export function listTree(paths: readonly string[]): Tree {
  const starts = (paths.length === 0 ? ['.'] : paths).map(startOf)
  const root = rootOf(starts)
  const unreadable: Unchecked[] = []
  return { root, unreadable, files: listAll(starts, root, unreadable) }
}

interface Start {
  readonly path: string
  /** Whether it was named from the current folder. */
  readonly isRelative: boolean
  readonly isFile: boolean
  readonly repository: string | undefined
}

function startOf(path: string): Start {
  let real: string
  try {
    real = realpathSync(resolve(path))
  } catch {
    throw new MissingPathError(`${path} does not exist, or cannot be read`)
  }
  const status = statSync(real)
  const isFile = !status.isDirectory()
  if (isFile && !status.isFile()) throw new MissingPathError(`${path} is neither a file nor a folder`)
  if (!isFile && isGitDirectory(real))
    throw new MissingPathError(`${path} is a git directory, which holds no source: name a working tree`)
  return {
    path: real,
    isRelative: !isAbsolute(path),
    isFile,
    repository: isFile ? topOfRepository(dirname(real)) : trackedTop(real),
  }
}

/** Whether a folder is a bare repository, or the `.git` of another one. */
function isGitDirectory(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))
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
].flatMap((setting) => ['-c', setting])

/** Variables of git would lead it to another repository, and make it load other programs. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
}

function topOfRepository(folder: string): string | undefined {
  try {
    const top = execFileSync(gitProgram(), [...harmless, '-C', folder, 'rev-parse', '--show-toplevel'], {
      env: gitEnvironment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const real = realpathSync(top.replace(/\r?\n$/, ''))
    // `core.worktree` of a foreign configuration may name any folder.
    return folder === real || folder.startsWith(withSeparator(real)) ? real : undefined
  } catch {
    return undefined
  }
}

/** git by its path: a folder that is scanned may hold a program of that name. @throws {TypeError} by its caller if there is none. */
const gitProgram = () => findProgram('git', process.env) ?? ''

/** The repository of a folder, unless git tracks nothing in it. */
function trackedTop(folder: string): string | undefined {
  const top = topOfRepository(folder)
  if (top === undefined) return undefined
  // One name is enough: the rest is not read.
  const { stdout } = spawnSync(gitProgram(), [...harmless, '-C', folder, 'ls-files', '-z', '--', '.'], {
    env: gitEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1,
  })
  return stdout.length > 0 ? top : undefined
}

/** The repository that all paths lie in, else the current folder where they are named from it, else the folder that holds them all. */
function rootOf(starts: readonly Start[]): string {
  const [first] = starts
  if (first === undefined) return resolve('.')
  if (first.repository !== undefined && starts.every(({ repository }) => repository === first.repository)) {
    return first.repository
  }
  const here = realpathSync('.')
  const isHere = starts.every(
    ({ path, isRelative }) => isRelative && (path === here || path.startsWith(withSeparator(here))),
  )
  if (isHere) return here
  const folders = starts.map(({ path, isFile }) => (isFile ? dirname(path) : path))
  let common = folders[0] ?? resolve('.')
  while (!folders.every((folder) => folder === common || folder.startsWith(withSeparator(common))))
    common = dirname(common)
  return common
}

const withSeparator = (folder: string) => (folder.endsWith(sep) ? folder : folder + sep)

async function* listAll(starts: readonly Start[], root: string, unreadable: Unchecked[]): AsyncGenerator<string> {
  const several = starts.length > 1 ? new Set<string>() : undefined
  for (const start of starts) {
    for await (const path of listStart(start, root, unreadable)) {
      if (several?.has(path) === true) continue
      several?.add(path)
      yield path
    }
  }
}

async function* listStart(
  { path, isFile, repository }: Start,
  root: string,
  unreadable: Unchecked[],
): AsyncGenerator<string> {
  if (isFile) yield fromRoot(root, path)
  else if (repository === undefined) yield* walk(path, root, unreadable)
  else yield* listTracked(path, root)
}

function fromRoot(root: string, path: string): string {
  return relative(root, path).split(sep).join('/')
}

/** The regular files of the index whose folders are folders: a link in a folder's place may lead anywhere. */
async function* listTracked(folder: string, root: string): AsyncGenerator<string> {
  const prefix = fromRoot(root, folder)
  const child = spawn(gitProgram(), [...harmless, '-C', folder, 'ls-files', '-s', '-z', '--', '.'], {
    env: gitEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const isFolder = folderCheck(root)
  try {
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const end = bytes.lastIndexOf(0)
      rest = bytes.subarray(end + 1)
      if (end === -1) continue
      for (const row of bytes.toString('utf8', 0, end).split('\0')) {
        // MODE HASH STAGE, a tab, the path. Links and submodules have other modes.
        if (!row.startsWith('100')) continue
        const name = row.slice(row.indexOf('\t') + 1)
        // An index that another program wrote may lead out of the tree.
        if (/(?:^|\/)\.\.?(?:\/|$)/.test(name)) continue
        const path = prefix === '' ? name : `${prefix}/${name}`
        if (isFolder(path.slice(0, Math.max(0, path.lastIndexOf('/'))))) yield path
      }
    }
  } finally {
    child.kill()
  }
}

/** Whether a folder, and each above it, is one and no link. */
function folderCheck(root: string): (folder: string) => boolean {
  let known = new Map<string, boolean>([['', true]])
  const check = (folder: string): boolean => {
    const answer = known.get(folder)
    if (answer !== undefined) return answer
    if (known.size > 50_000) known = new Map([['', true]])
    const above = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
    const found =
      check(above) && lstatSync(openablePath(root, folder), { throwIfNoEntry: false })?.isDirectory() === true
    known.set(folder, found)
    return found
  }
  return check
}

interface Folder {
  readonly path: string
  readonly rules: readonly Rules[]
}

/** The rules of one `.gitignore`, for paths below its folder. */
interface Rules {
  readonly folder: string
  readonly matcher: ReturnType<typeof ignore>
}

/** All files of a folder but those that a `.gitignore` leaves out. Follows no link, so it cannot go in circles. */
async function* walk(top: string, root: string, unreadable: Unchecked[]): AsyncGenerator<string> {
  const open: Folder[] = [{ path: fromRoot(root, top), rules: [] }]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    let entries
    try {
      entries = readdirSync(openablePath(root, folder.path), { withFileTypes: true })
    } catch (error) {
      unreadable.push({ path: folder.path === '' ? '.' : folder.path, reason: errorCode(error) ?? 'cannot be read' })
      continue
    }
    const rules = entries.some(({ name }) => name === '.gitignore') ? withRules(folder, root) : folder.rules
    for (const entry of entries) {
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`
      if (entry.isDirectory()) {
        if (!['.git', '.hg', '.svn'].includes(entry.name) && !isLeftOut(`${path}/`, rules)) open.push({ path, rules })
      } else if (entry.isFile() && !isLeftOut(path, rules)) yield path
    }
  }
}

function withRules({ path, rules }: Folder, root: string): readonly Rules[] {
  const text = readRules(join(root, path, '.gitignore'))
  if (text === undefined) return rules
  return [...rules, { folder: path === '' ? '' : `${path}/`, matcher: ignore({ allowRelativePaths: true }).add(text) }]
}

/** The nearest rules speak last. */
function isLeftOut(path: string, rules: readonly Rules[]): boolean {
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index]
    if (rule === undefined) continue
    const { ignored, unignored } = rule.matcher.test(path.slice(rule.folder.length))
    if (ignored) return true
    if (unignored) return false
  }
  return false
}
