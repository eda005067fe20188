import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { scanTree, type ScanOptions, type ScanResult } from '../src/scan-tree.ts'

/** Files by their path. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** Writes the files into a new folder, which is gone after `use`. */
export async function withTree<T>(files: Files, use: (root: string) => Promise<T>): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'scan-')))
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    }
    return await use(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

export function scanTreeOf(files: Files, options: Omit<ScanOptions, 'paths'> = {}): Promise<ScanResult> {
  return withTree(files, (root) => scanTree({ ...options, paths: [root] }))
}

/** Each finding as `level RULE path:line value`. */
export async function findingsIn(files: Files, options: Omit<ScanOptions, 'paths'> = {}): Promise<readonly string[]> {
  const { findings } = await scanTreeOf(files, options)
  return findings.map(({ level, rule, path, line, value }) => `${level} ${rule} ${path}:${line} ${value}`)
}
