import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../lib/base/files.ts'
import { ServiceError } from '../../lib/errors.ts'

/** A folder (mode 0700) for the files of one run. */
export interface PrivateFolder {
  readonly path: string
  /** Writes a file with mode 0600. @returns The path of the file. */
  write(name: string, content: string | Uint8Array): string
  remove(): void
}

/** @throws {ServiceError} `SETTING_INVALID` if the folder of temporary files can't be used. */
export function createPrivateFolder(parent = tmpdir()): PrivateFolder {
  const inFolder = <T>(action: () => T): T => {
    try {
      return action()
    } catch (cause) {
      const reason = `TMPDIR must name a folder that this user can write to, but ${parent} cannot be used`
      throw new ServiceError('SETTING_INVALID', `${reason} (${errorCode(cause) ?? 'unknown error'})`, { cause })
    }
  }
  const path = inFolder(() => mkdtempSync(join(parent, 'cloud-profile-run-')))
  return {
    path,
    write: (name, content) =>
      inFolder(() => {
        const file = join(path, name)
        writeFileSync(file, content, { mode: 0o600, flag: 'wx' })
        return file
      }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
