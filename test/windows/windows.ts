import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, inject, vi } from 'vitest'
import { useTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'
import { wineEnvironment } from './windows.setup.ts'

export const windows = inject('windows')

/** The path of a file of this machine, as Windows writes it: with a drive letter and backslashes. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`

export const command = windowsPath(join(windows.package, 'dist/cli/cloud-profile.cjs'))

export interface WindowsOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Keys for its terminal, which it then has: each is typed when the output matches. */
  readonly keys?: readonly { readonly after: RegExp; readonly type: string }[]
}

export interface WindowsProcess {
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly kill: () => void
}

/** Runs Node for Windows. None of its processes survives the test. */
export function useWindows() {
  const temp: TemporaryDirectory = useTemporaryDirectory()
  const running = new Set<() => void>()
  let count = 0
  afterEach(() => {
    for (const kill of running) kill()
    running.clear()
  })

  function start(args: readonly string[], { env, cwd = temp.path, keys = [] }: WindowsOptions = {}): WindowsProcess {
    // Files, because Node cannot open a pipe of Linux under Wine.
    const [stdout, stderr] = [`stdout-${count}`, `stderr-${count}`].map((name) => join(temp.path, name)) as [
      string,
      string,
    ]
    count += 1
    const files = [openSync(stdout, 'w'), openSync(stderr, 'w')] as const
    const line = ['wine', windows.node, ...args]
    // Without exec, the shell would report its own Ctrl+C.
    const quoted = `exec ${line.map((word) => `'${word}'`).join(' ')}`
    const [program = '', ...rest] = keys.length > 0 ? ['script', '-qec', quoted, '/dev/null'] : line
    const stdin = keys.length > 0 ? 'pipe' : 'ignore'
    const child = spawn(program, rest, { cwd, env: wineEnvironment(windows.prefix, env), stdio: [stdin, ...files] })
    for (const file of files) closeSync(file)
    const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
    const printed = async (pattern: RegExp) => {
      const find = () => pattern.exec(read(stdout)) ?? pattern.exec(read(stderr))
      const match = await vi.waitUntil(() => find() ?? (child.exitCode === null ? null : 'ended'), {
        timeout: 120_000,
        interval: 100,
      })
      if (match === 'ended') throw new Error(`Ended before it printed ${pattern}:\n${read(stdout)}${read(stderr)}`)
      return match
    }
    void (async () => {
      for (const { after, type } of keys) {
        await printed(after)
        child.stdin?.write(type)
      }
    })().catch(() => undefined)
    const kill = () => child.kill('SIGKILL')
    running.add(kill)
    const ended = once(child, 'exit').then(([code]) => {
      running.delete(kill)
      return { code: code as number | null, stdout: read(stdout), stderr: read(stderr) }
    })
    return { ended, printed, kill }
  }

  const run = (args: readonly string[], options?: WindowsOptions) => start([command, ...args], options).ended
  return { temp, start, run }
}
