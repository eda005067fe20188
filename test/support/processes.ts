import { spawn, type ChildProcess } from 'node:child_process'
import { afterAll } from 'vitest'
import { cleanEnvironment } from './environment.ts'

export interface ProcessOptions {
  /** Default is the directory of this repository. */
  readonly cwd?: string
  /** Variables besides what every child gets ({@link cleanEnvironment}). */
  readonly env?: NodeJS.ProcessEnv
  /** Milliseconds before the child is ended and its test fails. Default is 15000. */
  readonly timeoutMs?: number
  /** Default is this test run's own Node. */
  readonly command?: string
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** From the start of the process to its end. */
  readonly durationMs: number
}

export interface RunningProcess {
  readonly pid: number
  readonly output: { stdout: string; stderr: string }
  readonly ended: Promise<Ended>
  /** Resolves when a stream holds a match; rejects when the process ends before. */
  printed(pattern: RegExp, stream?: 'stdout' | 'stderr'): Promise<RegExpExecArray>
  signal(name: NodeJS.Signals): void
}

/** Child processes of Node in a clean environment. None survives the test file. */
export function useProcesses() {
  const running = new Set<ChildProcess>()
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL')
  })

  function start(args: readonly string[], options: ProcessOptions = {}): RunningProcess {
    const { cwd, env, timeoutMs = 15_000, command = process.execPath } = options
    const startedAt = performance.now()
    const child = spawn(command, args, { cwd, env: cleanEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    const output = { stdout: '', stderr: '' }
    const watchers = new Set<() => void>()
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text
        for (const watch of watchers) watch()
      })
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => {
        clearTimeout(timer)
        running.delete(child)
        resolve({ code, signal, ...output, durationMs: performance.now() - startedAt })
      })
    })

    return {
      pid: child.pid ?? 0,
      output,
      ended,
      printed: (pattern, stream = 'stdout') =>
        new Promise((resolve, reject) => {
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
      signal: (name) => void child.kill(name),
    }
  }

  return { start, run: (args: readonly string[], options?: ProcessOptions) => start(args, options).ended }
}
