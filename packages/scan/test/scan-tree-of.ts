import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execute } from '../../../src/cli/command.ts'
import { createTerminal } from '../../../src/cli/terminal.ts'
import { command } from '../src/command.ts'
import { scanTree, type ScanOptions, type ScanResult } from '../src/scan-tree.ts'

/** Files by their path. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** Writes the files into a folder. */
export function writeFiles(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

/** Writes the files into a new folder, which is gone after `use`. */
export async function withTree<T>(files: Files, use: (root: string) => Promise<T>): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'scan-')))
  try {
    writeFiles(root, files)
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

/** Runs the command in this process, and keeps what it prints. */
export async function runScan(args: readonly string[], isTerminal = false) {
  const printed = { stdout: '', stderr: '' }
  const terminal = createTerminal({
    env: {},
    stdout: { isTTY: isTerminal, write: (text) => void (printed.stdout += text) },
    stderr: { write: (text) => void (printed.stderr += text) },
  })
  const code = await execute(command, args, terminal)
  return { code, ...printed }
}
