import { readFileSync } from 'node:fs'
import { errorCode } from '../lib/base/error-code.ts'
import { exitCodes } from './exit.ts'

/** SIGBREAK is Ctrl+Break on Windows. */
const stopSignals = [
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : []),
] as const
/** Milliseconds after which another signal ends the process at once. A terminal and npm both send the first. */
const repeatedSignalMs = 1000
/** Milliseconds between two checks that npm still runs. */
const parentCheckMs = 200

/**
 * Calls `stop` once when this process is asked to end, and then ends it: by a signal, by the end of the command that
 * started it as a part of itself, or by the end of npm. A signal to `npm start` reaches npm alone, which ends without
 * passing it on, and a signal that cannot be caught is never passed on.
 *
 * @param stopWithin Milliseconds that a stop may take, also if a part hangs.
 */
export function onStopSignal(stop: () => Promise<void>, stopWithin = 2500): void {
  let stoppingSince: number | undefined
  const end = () => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > repeatedSignalMs) exitNow()
      return
    }
    stoppingSince = performance.now()
    setTimeout(exitNow, stopWithin)
    void stop().finally(exitNow)
  }
  for (const signal of stopSignals) process.on(signal, end)
  process.once('disconnect', end)
  // The parent may have ended while this process was loading. No event reports that later.
  if ('connected' in process && !process.connected) end()
  if (process.env['npm_lifecycle_event'] === undefined) return
  const starters = findStarters()
  setInterval(() => {
    if (starters.some((isThere) => !isThere())) end()
  }, parentCheckMs).unref()
}

/** npm, and the shell between it and this process where that stays: each with whether it is still there. */
function findStarters(): (() => boolean)[] {
  const parent = process.ppid
  // An orphan gets another parent, except on Windows, where the parent's id stays after its end.
  const starters = [() => process.ppid === parent && (process.platform !== 'win32' || isRunning(parent))]
  const shell = readStatus(parent)
  if (shell !== undefined && /^(sh|dash|bash|ash|busybox|zsh|ksh)$/.test(shell.command)) {
    starters.push(() => readStatus(parent)?.parent === shell.parent)
  }
  return starters
}

/** Whether a process with this id exists, also one of another user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Name and parent of a process, where the system shows them as files. */
function readStatus(pid: number): { readonly command: string; readonly parent: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // `PID (command) state parent …`, where the command itself may contain brackets and spaces.
    const end = status.lastIndexOf(')')
    const [, , parent] = status.slice(end).split(' ')
    return { command: status.slice(status.indexOf('(') + 1, end), parent: Number(parent) }
  } catch {
    return undefined
  }
}

/**
 * Ends this process now. Node waits at its exit for threads that look up a name, which takes as long as a name server is
 * mute: then this process is replaced by an idle one.
 */
function exitNow(): never {
  if (process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap') && process.execve !== undefined) {
    emitExit()
    process.execve(process.execPath, [process.execPath, '-e', '0'], {})
  }
  process.exit(exitCodes.passed)
}

/** Does what an exit does before it, such as to end what this process has started. */
function emitExit(): void {
  process.emit('exit', exitCodes.passed)
}

/** For a command that starts others: a signal ends it after its `exit` listeners ran, which end those. */
export function emitExitOnSignal(): void {
  for (const signal of stopSignals) {
    process.once(signal, () => {
      emitExit()
      process.kill(process.pid, signal)
    })
  }
}
