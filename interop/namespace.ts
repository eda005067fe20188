import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const flags = ['--net', '--mount', '--pid', '--fork', '--kill-child']
const asUser = process.getuid?.() === 0 ? [] : ['--map-root-user']

/** Only loopback is there, and no route leads anywhere else. `$1` holds files that take the place of the machine's. */
const enter = `
set -e
PATH="$PATH:/usr/sbin:/sbin"
ip link set lo up
for name in resolv.conf hosts nsswitch.conf; do
  if [ -e "/etc/$name" ]; then mount --bind "$1/$name" "/etc/$name"; fi
done
mount -t proc proc /proc 2>/dev/null || true
shift
exec "$@"
`

const systemFiles = {
  'resolv.conf': 'nameserver 127.0.0.1\noptions timeout:2 attempts:1\n',
  hosts: '127.0.0.1 localhost\n',
  'nsswitch.conf': 'hosts: files dns\n',
} as const

function wrap(directory: string, command: readonly string[]): string[] {
  for (const [name, content] of Object.entries(systemFiles)) writeFileSync(join(directory, name), content)
  return [...flags, ...asUser, 'sh', '-c', enter, 'enter', directory, ...command]
}

/** Why this machine has no such namespace, or `undefined`. */
export function refusalOfNamespaces(directory: string): string | undefined {
  if (process.platform !== 'linux') return `there are none on ${process.platform}`
  const { status, stderr, error } = spawnSync('unshare', wrap(directory, ['true']), { encoding: 'utf8' })
  if (status === 0) return undefined
  return error?.message ?? stderr.trim().split('\n').at(-1) ?? 'unshare failed'
}

/** Runs a command in a namespace without a route. @returns Its exit code. */
export function runWithoutRoute(directory: string, command: readonly string[]): Promise<number> {
  return runHere(['unshare', ...wrap(directory, command)])
}

/** Runs a command as it is. @returns Its exit code. */
export async function runHere([command = '', ...args]: readonly string[]): Promise<number> {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
