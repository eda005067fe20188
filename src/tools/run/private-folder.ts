import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../lib/base/files.ts'
import { ServiceError } from '../../lib/errors.ts'

/** Its input ends if this process is killed. The last line is the process id of the program, or blank. */
const watchdogScript = `while read -r line; do pid=$line; done
[ -n "$pid" ] && kill -TERM "$pid" && for second in 1 2 3; do kill -0 "$pid" && sleep 1; done && kill -KILL "$pid"
rm -rf -- "$1"`

/**
 * Makes a folder (mode 0700) for the files of one run, which is removed at the end of this process, also if the process is killed.
 *
 * @throws {ServiceError} `SETTING_INVALID` if the folder of temporary files can't be used.
 */
export function createPrivateFolder(parent = tmpdir()) {
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
    rmSync(path, { recursive: true, force: true })
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
export function startShell(script: string, { args = [] as readonly string[], detached = false } = {}) {
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
