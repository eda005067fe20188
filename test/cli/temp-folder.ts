import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A folder for a file's tests. */
export function useTempFolder(): { readonly path: string; readonly write: (name: string, content: unknown) => string } {
  let path = ''
  beforeAll(() => {
    path = mkdtempSync(join(tmpdir(), 'profile-'))
  })
  afterAll(() => {
    rmSync(path, { recursive: true, force: true })
  })
  return {
    get path() {
      return path
    },
    /** Writes a text, or anything else as JSON, and returns the file's path. */
    write(name, content) {
      const file = join(path, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2))
      return file
    },
  }
}
