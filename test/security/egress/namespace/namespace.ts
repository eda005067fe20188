import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cleanEnvironment } from '../../../support/environment.ts'
import { namespaceArguments } from '../../../support/namespace.ts'
import type { Deployed } from '../deployed.ts'
import type { NamespaceReport } from './inside.ts'

const inside = fileURLToPath(new URL('inside.ts', import.meta.url))

/** Runs modes, by their labels, in a separate namespace. */
export async function runInNamespace(
  directory: string,
  { chunk, program }: Deployed,
  labels: readonly string[],
): Promise<NamespaceReport> {
  const command = [process.execPath, inside, join(directory, 'files'), chunk, program, ...labels]
  const { stdout } = await promisify(execFile)(
    'unshare',
    namespaceArguments(directory, command, { everyAddressIsHere: true }),
    {
      env: cleanEnvironment(),
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  return JSON.parse(stdout) as NamespaceReport
}
