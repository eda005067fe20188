import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** With a process namespace, whose end takes every process and mount in it along. */
const flags = ['--net', '--mount', '--pid', '--fork', '--kill-child']
const asUser = process.getuid?.() === 0 ? [] : ['--map-root-user']

/** These replace the machine's files, so that the C library queries the name server of the namespace. */
const systemFiles = {
  'resolv.conf': 'nameserver 127.0.0.1\noptions timeout:2 attempts:2\n',
  hosts: '127.0.0.1 localhost\n',
  'nsswitch.conf': 'hosts: files dns\n',
} as const

export interface NamespaceOptions {
  /** Lines of a shell that change the network, run once loopback is up. */
  readonly network?: readonly string[]
  readonly files?: Partial<Readonly<Record<keyof typeof systemFiles, string>>>
}

/** The arguments of `unshare` that run a command in a network namespace with loopback alone. @param directory For files that replace the machine's. */
export function namespaceArguments(
  directory: string,
  command: readonly string[],
  { network = [], files = {} }: NamespaceOptions = {},
): string[] {
  for (const [name, content] of Object.entries({ ...systemFiles, ...files })) {
    writeFileSync(join(directory, name), content)
  }
  const enter = `
set -e
PATH="$PATH:/usr/sbin:/sbin"
ip link set lo up
${network.join('\n')}
for name in ${Object.keys(systemFiles).join(' ')}; do
  if [ -e "/etc/$name" ]; then mount --bind "$1/$name" "/etc/$name"; fi
done
mount -t proc proc /proc 2>/dev/null || true
shift
exec "$@"
`
  return [...flags, ...asUser, 'sh', '-c', enter, 'enter', directory, ...command]
}

/** Tries a namespace once. @returns Why this machine has none, or `undefined`. */
export function refusalOfNamespaces(options?: NamespaceOptions): string | undefined {
  if (process.platform !== 'linux') return `there are none on ${process.platform}`
  const directory = mkdtempSync(join(tmpdir(), 'namespace-'))
  const { status, stderr, error } = spawnSync('unshare', namespaceArguments(directory, ['true'], options), {
    encoding: 'utf8',
  })
  rmSync(directory, { recursive: true })
  if (status === 0) return undefined
  return error?.message ?? stderr.trim().split('\n').at(-1) ?? 'unshare failed'
}
