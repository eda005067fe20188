import { spawn, spawnSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from '../../../src/lib/base/env.ts'

/** Milliseconds that git may take to answer, or to go on. */
const timeout = 10_000

/** Git is asked for nothing but its index: no hook, pager or helper of the tree may run. */
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

/** How git lists files. Its variables would lead it to another repository, and make it load other programs. */
function listing(top: string, folder: string, options: readonly string[]) {
  const kept = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))
  const tree = ['-C', folder, '--git-dir', join(top, '.git'), '--work-tree', top]
  return {
    // By its path: a folder that is scanned may hold a program of that name.
    program: findProgram('git', process.env),
    args: [...harmless, ...tree, 'ls-files', '-z', ...options],
    env: {
      ...Object.fromEntries(kept),
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_NOSYSTEM: '1',
      LC_ALL: 'C',
    },
  }
}

function listNow(top: string, folder: string, options: readonly string[], maxBuffer = 1_048_576) {
  const { program, args, env } = listing(top, folder, options)
  if (program === undefined) return undefined
  return spawnSync(program, args, {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer,
    timeout,
    killSignal: 'SIGKILL',
  })
}

/** Files of a git directory that git reads. It would wait for a pipe. */
const files = 'config HEAD index commondir config.worktree info/exclude info/sparse-checkout shallow packed-refs'

/**
 * The nearest folder with a git directory whose files are files. `core.worktree` of a foreign configuration may name any folder, so the
 * folder itself decides.
 */
export function topOfRepository(folder: string): string | undefined {
  const statusOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })
  for (let top = folder; ; top = dirname(top)) {
    const status = statusOf(join(top, '.git'))
    // A worktree has a file that names its git directory.
    if (status?.isFile() === true) return top
    if (status !== undefined) {
      const isPlain =
        status.isDirectory() && files.split(' ').every((name) => statusOf(join(top, '.git', name))?.isFile() ?? true)
      return isPlain ? top : undefined
    }
    if (top === dirname(top)) return undefined
  }
}

export function tracksSomething(top: string, folder: string): boolean {
  // One name is enough: the rest is not read.
  const stdout = listNow(top, folder, ['-s', '--', '.'], 1)?.stdout
  return stdout !== undefined && stdout !== null && stdout.length > 0
}

/** The regular files of the index below a folder, from that folder. @param onLate Is called where git does not answer in time. */
export async function* trackedFiles(top: string, folder: string, onLate: () => void): AsyncGenerator<string> {
  const { program = '', args, env } = listing(top, folder, ['-s', '--', '.'])
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  child.on('error', () => child.stdout.destroy())
  const stop = () => {
    onLate()
    child.kill('SIGKILL')
  }
  let timer = setTimeout(stop, timeout)
  try {
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      clearTimeout(timer)
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const end = bytes.lastIndexOf(0)
      rest = bytes.subarray(end + 1)
      for (const row of end === -1 ? [] : bytes.toString('utf8', 0, end).split('\0')) {
        // MODE HASH STAGE, a tab, the path. Links and submodules have other modes.
        const name = row.slice(row.indexOf('\t') + 1)
        // An index that another program wrote may lead out of the tree.
        if (row.startsWith('100') && !/(?:^|\/)(?:\.\.?|\.git)(?:\/|$)|^\//.test(name)) yield name
      }
      timer = setTimeout(stop, timeout)
    }
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

/** The files of these with changes that are not committed; all of them where git cannot say. */
export function dirtyFiles(top: string, paths: readonly string[]): readonly string[] {
  const dirty = new Set<string>()
  for (let at = 0; at < paths.length; at += 200) {
    const some = paths.slice(at, at + 200).map((path) => `:(literal)${path}`)
    const listed = listNow(top, top, ['-m', '-d', '-o', '--', ...some])
    if (listed?.status !== 0) return paths
    for (const path of listed.stdout.toString().split('\0')) if (path !== '') dirty.add(path)
  }
  return [...dirty]
}
