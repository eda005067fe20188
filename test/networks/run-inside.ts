import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cleanEnvironment } from '../support/environment.ts'
import { namespaceArguments, refusalOfNamespaces, type NamespaceOptions } from '../support/namespace.ts'
import { commandLine } from '../support/start-command.ts'

/** Why this machine has no network namespaces, or an empty text. It is part of a title, and printed. */
export const refusal = refusalOfNamespaces() ?? ''
if (refusal !== '') console.warn(`The tests in network namespaces are skipped: ${refusal}`)

/** Runs a program in a network, with the built command line and an argument as JSON. @returns What it prints, from JSON. */
export async function runInside(program: URL, argument: unknown, network: NamespaceOptions = {}): Promise<unknown> {
  const directory = mkdtempSync(join(tmpdir(), 'networks-'))
  try {
    const command = [process.execPath, fileURLToPath(program), commandLine, JSON.stringify(argument)]
    const { stdout } = await promisify(execFile)('unshare', namespaceArguments(directory, command, network), {
      env: cleanEnvironment(),
      maxBuffer: 64 * 1024 * 1024,
    })
    return JSON.parse(stdout)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
