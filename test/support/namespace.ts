import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cleanEnvironment } from './environment.ts'
import { skipped } from './missing.ts'

/** With a process namespace, whose end takes every process and mount in it along. */
const flags = ['--net', '--mount', '--pid', '--fork', '--kill-child']
const asUser = process.getuid?.() === 0 ? [] : ['--map-root-user']

/** These replace the machine's files, so that the C library queries the name server of the namespace. */
const systemFiles = {
  'resolv.conf': 'nameserver 127.0.0.1\noptions timeout:2 attempts:2\n',
  hosts: '127.0.0.1 localhost\n',
  'nsswitch.conf': 'hosts: files dns\n',
} as const

interface NamespaceOptions {
  /** Lines of a shell that change the network, run once loopback is up. */
  readonly network?: readonly string[]
  readonly files?: Partial<Readonly<Record<keyof typeof systemFiles, string>>>
  /** Default is the Node of the tests. */
  readonly node?: string
}

/** The arguments of `unshare` that run a command in a network namespace with loopback alone, and with files that replace the machine's. */
function argumentsOf(directory: string, command: readonly string[], { network = [], files }: NamespaceOptions = {}) {
  for (const [name, content] of Object.entries({ ...systemFiles, ...files }))
    writeFileSync(join(directory, name), content)
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

/** Runs a program with loopback alone. @returns The last line that it prints, from JSON. */
export async function runInNamespace(program: URL, args: readonly string[], options: NamespaceOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'namespace-'))
  const command = [options.node ?? process.execPath, fileURLToPath(program), ...args]
  const limits = { env: cleanEnvironment(), maxBuffer: 2 ** 26 }
  try {
    const { stdout } = await promisify(execFile)('unshare', argumentsOf(directory, command, options), limits)
    return JSON.parse(stdout.split('\n').at(-1) ?? '') as unknown
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Tries a namespace once. */
function refusalOfNamespaces(): string | undefined {
  if (process.platform !== 'linux') return `there are no network namespaces on ${process.platform}`
  const directory = mkdtempSync(join(tmpdir(), 'namespace-'))
  const { status, stderr, error } = spawnSync('unshare', argumentsOf(directory, ['true']), { encoding: 'utf8' })
  rmSync(directory, { recursive: true })
  return status === 0 ? undefined : error?.message || stderr.trim().split('\n').at(-1) || 'unshare failed'
}

export const withoutNamespaces = skipped(refusalOfNamespaces())
