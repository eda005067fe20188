import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export interface TemporaryDirectory {
  readonly path: string
  /** Writes a file; what is no text or bytes becomes JSON. @returns Its path. */
  write(name: string, content: unknown): string
}

/** A directory that is gone after the test file. */
export function useTemporaryDirectory(): TemporaryDirectory {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'cloud-profile-service-')))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return {
    path,
    write(name, content) {
      const file = join(path, name)
      const raw = typeof content === 'string' || content instanceof Uint8Array
      writeFileSync(file, raw ? content : JSON.stringify(content))
      return file
    },
  }
}
