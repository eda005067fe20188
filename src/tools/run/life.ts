import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../lib/base/files.ts'
import { ServiceError } from '../../lib/errors.ts'

/** The signals that a program gets from this process. The system applies other signals to both processes. */
const handled: readonly NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']

/** Milliseconds in which a signal to the process group ends the sentinel too. */
const groupSignalMs = 200

/** Milliseconds after the end of the program in which a signal is taken for the one that ended it. */
const repeatedSignalMs = 1000

/** The exit codes of shells. */
const notFound = 127
const notExecutable = 126
const ofSignal = (signal: NodeJS.Signals) => 128 + constants.signals[signal]

/** The one program of this process, and the folder of its files. */
export interface Life {
  readonly folder: ReturnType<typeof createPrivateFolder>
  /**
   * Runs a command with the streams of this process until the command ends. Processes that it leaves behind keep running. `onStartFailure` gets
   * the reason if the command can't start. @returns The exit code of a shell.
   */
  run(
    command: readonly string[],
    env: Readonly<Record<string, string>>,
    onStartFailure: (reason: string) => void,
  ): Promise<number>
}

/**
 * Opens the folder of a program and owns the program's life while `work` runs. A signal ends this process before the program starts, goes to the
 * program while it runs, and is ignored in the first second afterwards, because this process then ends by itself.
 */
export async function withLife<T>(work: (life: Life) => Promise<T>): Promise<T> {
  let state: 'starting' | 'running' | 'ended' = 'starting'
  let endedAt = Infinity
  const end = () => {
    state = 'ended'
    endedAt = Math.min(endedAt, performance.now())
    sentinel?.stop()
  }
  let child: ChildProcess | undefined
  let sentinel: ReturnType<typeof startSentinel> | undefined
  // The handlers stay, because `timeout` sends a signal twice, and the second one must not replace the exit code of the program.
  for (const signal of handled) {
    process.on(signal, () => {
      const forward = () => void (sentinel?.reached(signal) === true || child?.kill(signal))
      if (state === 'running') setTimeout(forward, groupSignalMs).unref()
      // The listeners of `exit` remove folders and end processes.
      else if (state === 'starting' || performance.now() - endedAt > repeatedSignalMs) process.exit(ofSignal(signal))
    })
  }
  const folder = createPrivateFolder()
  process.once('exit', end)
  try {
    return await work({
      folder,
      async run([command = '', ...args], env, onStartFailure) {
        child = spawn(command, args, { stdio: 'inherit', env })
        state = 'running'
        const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
        // After the program, because a signal that ended the sentinel must have reached the program.
        sentinel = startSentinel()
        folder.watch(child.pid)
        try {
          const [code, signal] = await ended
          return signal === null ? (code ?? 1) : ofSignal(signal)
        } catch (error) {
          const exists = !['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')
          onStartFailure(exists ? `cannot run (${errorCode(error) ?? 'unknown error'})` : 'command not found')
          return exists ? notExecutable : notFound
        } finally {
          end()
          folder.watch(undefined)
        }
      },
    })
  } finally {
    end()
    folder.remove()
  }
}

/**
 * An idle process of this process group. A terminal and `timeout` send a signal to the whole group, so the program has received it already if it
 * has ended the sentinel. On Windows and without a shell, every signal is forwarded.
 */
function startSentinel() {
  let current: ChildProcess | undefined
  const ends = new Map<NodeJS.Signals, number>()
  const start = () => {
    current = startShell('read -r _')
    current?.once('exit', (_code, signal) => {
      if (signal === null || current === undefined) return
      ends.set(signal, performance.now())
      start()
    })
  }
  start()
  return {
    /** Whether the signal has just reached the group. */
    reached: (signal: NodeJS.Signals) => performance.now() - (ends.get(signal) ?? -Infinity) < 2 * groupSignalMs,
    stop(): void {
      const last = current
      current = undefined
      last?.kill('SIGKILL')
    },
  }
}

/** Its input ends if this process is killed. The last line is the process id of the program, or blank. */
const watchdogScript = `while read -r line; do pid=$line; done
[ -n "$pid" ] && kill -TERM "$pid" && for second in 1 2 3; do kill -0 "$pid" && sleep 1; done && kill -KILL "$pid"
for second in 1 2 3; do rm -rf -- "$1" && exit; sleep 1; done`

/** Makes a folder (mode 0700) for the files of one run, which is removed at the end of this process, also if the process is killed. */
export function createPrivateFolder() {
  const parent = tmpdir()
  const inFolder = <T>(action: () => T): T => {
    try {
      return action()
    } catch (cause) {
      const reason = `TMPDIR must name a folder that this user can write to, but ${parent} cannot be used`
      throw new ServiceError('SETTING_INVALID', `${reason} (${errorCode(cause) ?? 'unknown error'})`, { cause })
    }
  }
  const path = inFolder(() => mkdtempSync(join(parent, 'cloud-profile-')))
  // Outside of the process group, because a signal may end the whole group.
  const watchdog = startShell(watchdogScript, { args: [path], detached: true })
  const remove = () => {
    process.off('exit', remove)
    try {
      rmSync(path, { recursive: true, force: true })
    } catch (error) {
      // A process that the program left behind writes here. The watchdog tries again after the end of this process.
      if (watchdog?.pid === undefined || errorCode(error) !== 'ENOTEMPTY') throw error
      return
    }
    watchdog?.kill('SIGKILL')
  }
  process.once('exit', remove)
  return {
    path,
    /** Writes a file with mode 0600. @returns The path of the file. */
    write: (name: string, content: string | Uint8Array): string =>
      inFolder(() => {
        const file = join(path, name)
        writeFileSync(file, content, { mode: 0o600, flag: 'wx' })
        return file
      }),
    /** Ends this program too if this process is killed. */
    watch: (pid: number | undefined) => void watchdog?.stdin.write(`${pid ?? ''}\n`),
    remove,
  }
}

/** Starts a shell that never keeps this process alive. `undefined` on Windows. */
function startShell(script: string, { args = [] as readonly string[], detached = false } = {}) {
  if (process.platform === 'win32') return undefined
  const shell = spawn('/bin/sh', ['-c', script, 'cloud-profile', ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
    detached,
  })
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  // The stream of a child process is a socket.
  ;(shell.stdin as Socket).unref()
  return shell
}
