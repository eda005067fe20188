import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cleanEnvironment } from '../../../support/environment.ts'
import type { NamespaceReport } from './inside.ts'

const inside = fileURLToPath(new URL('inside.ts', import.meta.url))

/** With a process namespace, whose end takes every process and mount in it along. */
const flags = ['--net', '--mount', '--pid', '--fork', '--kill-child']
const asUser = process.getuid?.() === 0 ? [] : ['--map-root-user']

/**
 * Makes every address local, so that a packet to anywhere arrives here, and has the C library ask the name server here.
 * `$1` is a directory with the files that take the place of the machine's.
 */
const enter = `
set -e
PATH="$PATH:/usr/sbin:/sbin"
ip link set lo up
ip route add local 0.0.0.0/0 dev lo
for name in resolv.conf hosts nsswitch.conf; do
  if [ -e "/etc/$name" ]; then mount --bind "$1/$name" "/etc/$name"; fi
done
shift
exec "$@"
`

const systemFiles = {
  'resolv.conf': 'nameserver 127.0.0.1\noptions timeout:2 attempts:2\n',
  hosts: '127.0.0.1 localhost\n',
  'nsswitch.conf': 'hosts: files dns\n',
} as const

function unshareArguments(directory: string, command: readonly string[]): string[] {
  for (const [name, content] of Object.entries(systemFiles)) writeFileSync(join(directory, name), content)
  return [...flags, ...asUser, 'sh', '-c', enter, 'enter', directory, ...command]
}

/** Tries a namespace once. @returns Why this machine has none, or `undefined`. */
export function refusalOfNamespaces(directory: string): string | undefined {
  if (process.platform !== 'linux') return `there are none on ${process.platform}`
  const { status, stderr, error } = spawnSync('unshare', unshareArguments(directory, ['true']), { encoding: 'utf8' })
  if (status === 0) return undefined
  return error?.message ?? stderr.trim().split('\n').at(-1) ?? 'unshare failed'
}

/**
 * Runs modes, by their labels, in a namespace of its own.
 *
 * @param chunk The deployed chunk with the diagnostics.
 */
export async function runInNamespace(
  directory: string,
  chunk: string,
  labels: readonly string[],
): Promise<NamespaceReport> {
  const command = [process.execPath, inside, join(directory, 'files'), chunk, ...labels]
  const { stdout } = await promisify(execFile)('unshare', unshareArguments(directory, command), {
    env: cleanEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout) as NamespaceReport
}
