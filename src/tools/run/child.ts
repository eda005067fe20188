import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../../lib/base/files.ts'

/** The signals that are forwarded. The others end or stop both processes as the system does. */
const forwarded: readonly NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']

/** Milliseconds in which a signal to the whole group reaches the sentinel too. */
const groupSignalMs = 150

/** The exit codes of shells. */
const notFound = 127
const notExecutable = 126

/**
 * Runs a command on the streams of this process until it ends. It doesn't wait for processes that the command leaves behind.
 *
 * @param onStartFailure Called with the reason if the command does not start.
 * @returns The exit code as shells have it: 128 and the number of the signal that ended it, 127 for a command that does not exist.
 */
export async function runChild(
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  onStartFailure: (reason: string) => void,
): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env })
  try {
    await once(child, 'spawn')
  } catch (error) {
    const exists = !['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')
    onStartFailure(exists ? `cannot run (${errorCode(error) ?? 'unknown error'})` : 'command not found')
    return exists ? notExecutable : notFound
  }
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const stopForwarding = forwardSignals(child)
  const [code, signal] = await ended
  stopForwarding()
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal]
}

/**
 * Forwards the signals that reach only this process. A terminal sends its signals to the whole process group, so the child has them
 * already: the sentinel, an idle process of the same group, tells the two apart. It also ends the child if this process is killed.
 */
function forwardSignals(child: ChildProcess): () => void {
  let sentinel = startSentinel(child.pid ?? 0)
  const handlers = forwarded.map((signal) => {
    const handle = () => {
      void (async () => {
        const reached = await Promise.race([sentinel?.ended, delay(groupSignalMs, false, { ref: false })])
        if (reached === true) sentinel = startSentinel(child.pid ?? 0)
        else child.kill(signal)
      })()
    }
    process.on(signal, handle)
    return () => process.off(signal, handle)
  })
  return () => {
    for (const remove of handlers) remove()
    sentinel?.stop()
  }
}

/** At this path on every POSIX system. */
const shell = '/bin/sh'

/** The end of its input means that this process was killed; a word, that the program ended. */
const sentinelScript = `trap 'exit 0' INT TERM HUP QUIT USR1 USR2
read -r _ && exit 0
kill -TERM "$1" && sleep 3 && kill -KILL "$1"`

interface Sentinel {
  /** Resolves with `true` when it ends. */
  readonly ended: Promise<boolean>
  stop(): void
}

/** `undefined` without a shell: every signal is forwarded then. */
function startSentinel(pid: number): Sentinel | undefined {
  if (process.platform === 'win32') return undefined
  const sentinel = spawn(shell, ['-c', sentinelScript, 'cloud-profile', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
  })
  const ended = new Promise<boolean>((resolve) => {
    sentinel.once('exit', () => resolve(true))
    // Without a shell, nothing tells the signals apart.
    sentinel.once('error', () => {})
  })
  sentinel.stdin.on('error', () => {})
  return { ended, stop: () => void sentinel.stdin.end('end\n') }
}
