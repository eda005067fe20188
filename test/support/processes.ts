import { spawn } from 'node:child_process'
import { afterAll } from 'vitest'
import { cleanEnvironment } from './environment.ts'

export interface ProcessOptions {
  /** Default is the directory of this repository. */
  readonly cwd?: string
  /** Variables besides what every child gets ({@link cleanEnvironment}). */
  readonly env?: NodeJS.ProcessEnv
  /** Milliseconds before the child is killed and its test fails. Default is 280000: a limit, not an expectation. */
  readonly timeoutMs?: number
  readonly command?: string
  /** Whether the child leads a group of processes, as a command of a terminal does, and signals go to all of it. */
  readonly group?: boolean
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Child processes of Node in a clean environment. None survives the test file. */
export function useProcesses() {
  const running = new Set<() => void>()
  afterAll(() => {
    for (const kill of running) kill()
  })

  function start(args: readonly string[], options: ProcessOptions = {}) {
    const { cwd, timeoutMs = 280_000, command = process.execPath, group = false } = options
    const env = cleanEnvironment(options.env)
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: group })
    const signal = (name: NodeJS.Signals) => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      process.kill(group ? -child.pid : child.pid, name)
    }
    const kill = () => signal('SIGKILL')
    running.add(kill)
    const output = { stdout: '', stderr: '' }
    const watchers = new Set<() => void>()
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text
        for (const watch of watchers) watch()
      })
    }
    const timer = setTimeout(kill, timeoutMs)
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, endedBy) => {
        clearTimeout(timer)
        running.delete(kill)
        resolve({ code, signal: endedBy, ...output })
      })
    })

    return {
      pid: child.pid ?? 0,
      output,
      ended,
      /** Resolves when a stream has a match; rejects when the process ends before. */
      printed: (pattern: RegExp, stream: 'stdout' | 'stderr' = 'stdout') =>
        new Promise<RegExpExecArray>((resolve, reject) => {
          const watch = () => {
            const match = pattern.exec(output[stream])
            if (match !== null) resolve(match)
          }
          watchers.add(watch)
          watch()
          ended.then(
            ({ stdout, stderr }) => reject(new Error(`Ended before it printed ${pattern}:\n${stdout}${stderr}`)),
            reject,
          )
        }),
      signal,
    }
  }

  return { start, run: (args: readonly string[], options?: ProcessOptions) => start(args, options).ended }
}
