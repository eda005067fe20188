import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { findProgram, readVariable, type Env } from '../lib/base/env.ts'
import { errorCode } from '../lib/base/files.ts'
import { exitCodes } from './command.ts'

/** SIGBREAK is Ctrl+Break on Windows. Elsewhere it never arrives. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const
/** Milliseconds after which another signal ends the process at once. Before, it may be the first one again: a terminal and npm both send it. */
const repeatedSignalMs = 1000
/** Milliseconds between two checks that npm still runs. */
const parentCheckMs = 200

/**
 * Calls `stop` once and then ends this process: at a signal, or when the command or the npm that started it has ended. A killed npm forwards
 * no signal.
 * @param stopWithinMs Milliseconds after which the process ends even if `stop` hangs.
 */
export function onStopSignal(stop: () => Promise<void>, stopWithinMs = 2500): void {
  let stoppingSince: number | undefined
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    const exit = () => exitNow(exitCodes.passed, signal)
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > repeatedSignalMs) exit()
      return
    }
    stoppingSince = performance.now()
    setTimeout(exit, stopWithinMs)
    void stop().finally(exit)
  }
  for (const signal of stopSignals) process.on(signal, end)
  process.once('disconnect', () => end())
  // The parent may have ended while this process was loading. No event reports that later.
  if ('connected' in process && !process.connected) end()
  if (readVariable(process.env, 'npm_lifecycle_event') === undefined) return
  const parent = process.ppid
  const starters = [parent]
  // npm runs a script in a shell, which may outlive npm.
  const ps = findProgram('ps', process.env)
  if (ps !== undefined) {
    execFile(ps, ['-o', 'ppid=,comm=', '-p', String(parent)], (_error, text) => {
      const [, npm, shell] = /^ *(\d+) +(\S+)$/m.exec(text) ?? []
      if (npm !== undefined && shell?.endsWith('sh') === true) starters.push(Number(npm))
    }).unref()
  }
  setInterval(() => {
    // An orphan gets another parent, except on Windows, where the parent's id stays after its end.
    if (process.ppid !== parent || !starters.every(isRunning)) end()
  }, parentCheckMs).unref()
}

/** Whether a process with this id exists, also if it belongs to another user. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/**
 * Ends the process. `process.exit` waits for a pending host lookup, up to 20 seconds if the DNS server is silent. So the process then replaces
 * itself by a Node that ends at once. Node before 22.15 can't, and raises the signal again, which has no effect on process 1 of a container.
 */
export function exitNow(code: number, signal?: NodeJS.Signals): never {
  if (!process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap')) process.exit(code)
  process.emit('exit', code)
  if (process.execve !== undefined && process.platform !== 'win32') {
    const settings = Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_'))
    process.execve(process.execPath, [process.execPath, '-e', `process.exit(${code})`], Object.fromEntries(settings))
  }
  if (signal !== undefined) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
  process.exit(code)
}

/** For a command that starts other programs: before a signal ends it, its `exit` listeners end these programs. */
export function emitExitOnSignal(): void {
  for (const signal of stopSignals) {
    process.once(signal, () => {
      process.emit('exit', exitCodes.passed)
      process.kill(process.pid, signal)
    })
  }
}

/** Runs another command of this command line as a child process, which ends when this process does. */
export function spawnChild(args: readonly string[], env: Env): ChildProcess {
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'] as const
  return spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], { stdio: [...stdio], env })
}

/** Stops a child and waits for its end. */
export async function stopChild(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
