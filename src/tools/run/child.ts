import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../../lib/base/files.ts'

/** The signals to forward. The system applies other signals to both processes. */
const forwarded: readonly NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']

/** Milliseconds in which a signal to the process group reaches the sentinel too. */
const groupSignalMs = 150

/** The exit codes of shells. */
const notFound = 127
const notExecutable = 126

/**
 * Runs a command with the streams of this process until the command ends. Processes that it leaves behind keep running.
 *
 * @param onStartFailure Called with the reason if the command can't start.
 * @returns The exit code, as in a shell: 128 plus the number of the signal that ended the command, 127 if the command doesn't exist.
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
 * Forwards the signals that reach only this process. A terminal sends a signal to the whole process group, so the child has received it
 * already. The sentinel is an idle process of the group: if the signal ended it too, nothing is forwarded. It also ends the child if this
 * process is killed.
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

/** Its input closes without a line if this process is killed. A line says that the program ended. */
const sentinelScript = `trap 'exit 0' INT TERM HUP QUIT USR1 USR2
read -r _ && exit 0
kill -TERM "$1" && sleep 3 && kill -KILL "$1"`

/** `undefined` on Windows, where every signal is forwarded. */
function startSentinel(pid: number) {
  if (process.platform === 'win32') return undefined
  const sentinel = spawn('/bin/sh', ['-c', sentinelScript, 'cloud-profile', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
  })
  const ended = new Promise<boolean>((resolve) => {
    sentinel.once('exit', () => resolve(true))
    // Without a shell, `ended` stays pending, so every signal is forwarded.
    sentinel.once('error', () => {})
  })
  sentinel.stdin.on('error', () => {})
  return { ended, stop: () => void sentinel.stdin.end('end\n') }
}
