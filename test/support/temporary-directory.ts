import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'

export function useTemporaryDirectory() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'cloud-profile-service-')))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  /** Writes a file, and the folders that it needs. Any value but text and bytes becomes JSON. @returns Its path. */
  const write = (name: string, content: unknown): string => {
    const file = join(path, name)
    mkdirSync(dirname(file), { recursive: true })
    const raw = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(file, raw ? content : JSON.stringify(content))
    return file
  }
  return { path, write }
}
