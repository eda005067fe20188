import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode, readRegularFile } from '../../lib/base/files.ts'

const prefix = 'cloud-profile-run-'

/**
 * Makes a folder (mode 0700) for the files of one run, and removes the folders of killed runs.
 *
 * @param parent Default is the folder of temporary files.
 */
export function createPrivateFolder(parent = tmpdir()) {
  removeAbandoned(parent)
  const path = mkdtempSync(join(parent, `${prefix}${process.pid}-${identityOf(process.pid)}-`))
  const remove = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  return {
    path,
    /** Writes a file with mode 0600. @returns The path of the file. */
    write(name: string, content: string | Uint8Array): string {
      const file = join(path, name)
      writeFileSync(file, content, { mode: 0o600, flag: 'wx' })
      return file
    },
    remove(): void {
      process.off('exit', remove)
      remove()
    },
  }
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid, identity = ''] = /^cloud-profile-run-(\d+)-(\d+[.]\d+)-\w+$/.exec(name) ?? []
    if (pid === undefined || !isAbandoned(Number(pid), identity)) continue
    const path = join(parent, name)
    try {
      const found = lstatSync(path)
      if (found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid))
        rmSync(path, { recursive: true, force: true })
    } catch {
      // Another run has removed it, or the system refuses. The next run tries again.
    }
  }
}

/** Never a folder of another process namespace: another container may share the temporary folder, and this process can't see its processes. */
function isAbandoned(pid: number, identity: string): boolean {
  const [space] = identity.split('.')
  if (space !== processSpace()) return false
  return !isRunning(pid) || identityOf(pid) !== identity
}

/** The process namespace and the start time, because the system reuses process ids. */
const identityOf = (pid: number): string => `${processSpace()}.${startOf(pid)}`

const processSpace = (): string => readProcess(() => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0])

const startOf = (pid: number): string =>
  readProcess(() => {
    const status = String(readRegularFile(`/proc/${pid}/stat`, 4096))
    // The 22nd field of `PID (command) state …`, where the command itself may contain brackets and spaces.
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19]
  })

/** A value from /proc, or `0` on a system without it. */
function readProcess(read: () => string | undefined): string {
  try {
    return read() ?? '0'
  } catch {
    return '0'
  }
}

/** Whether a process with this id exists, also if it belongs to another user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
