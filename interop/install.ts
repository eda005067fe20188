import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from './client.ts'
import { runProgram } from './run-program.ts'

/**
 * Brings a client into the cache, once for each version.
 *
 * @returns Seconds that it took, or `undefined` when it was there.
 * @throws {Error} With what was tried, when it cannot be had.
 */
export async function installClient(client: Client, cache: string): Promise<number | undefined> {
  const stamp = join(cache, 'installed', stampOf(client))
  if (existsSync(stamp)) return undefined
  await mkdir(join(cache, 'installed'), { recursive: true })
  const started = performance.now()
  const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']))
  await client.install({
    cache,
    run: (command, args, options = {}) => runProgram(command, args, { ...options, env: { ...env, ...options.env } }),
  })
  await writeFile(stamp, `${client.name} ${client.version}\n`)
  return (performance.now() - started) / 1000
}

/** Another way to install is another stamp too. */
function stampOf({ name, version, install }: Client): string {
  return createHash('sha256').update(`${name} ${version} ${install.toString()}`).digest('hex').slice(0, 16)
}
