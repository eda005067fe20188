import { randomUUID } from 'node:crypto'
import { constants, copyFileSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { UsageError } from '../run-command.ts'

/**
 * Writes a whole file or none: readers never see half of it, and a file that is there stays unless `force` is set,
 * even when it appears meanwhile.
 *
 * @throws {UsageError} that says why the file could not be written.
 */
export function writeNewFile(path: string, text: string, { force = false }: { readonly force?: boolean } = {}): void {
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    writeFileSync(draft, text, { flag: 'wx' })
    if (force) renameSync(draft, path)
    else publish(draft, path)
  } catch (error) {
    throw describe(path, error)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Unlike a rename, a link never replaces what is there. Some file systems have none; an exclusive copy comes next. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    copyFileSync(draft, path, constants.COPYFILE_EXCL)
  }
}

function describe(path: string, error: unknown): UsageError {
  const code = codeOf(error)
  const shown = JSON.stringify(path)
  return new UsageError(
    code === 'EEXIST' ? `${shown} exists; --force replaces it` : `${shown} cannot be written (${code})`,
    { cause: error },
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
