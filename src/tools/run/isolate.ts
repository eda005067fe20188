import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { createInterface } from 'node:readline'
import { type Env, findProgram } from '../../lib/base/env.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { PrivateFolder } from './private-folder.ts'

/** A host that the program connected to without the proxy, or a name that it only looked up (without a port). */
export interface DirectContact {
  readonly host: string
  readonly port: number | null
}

/** What the C library reads in place of the machine's files, so that it asks our name server. */
const systemFiles = {
  'resolv.conf': 'nameserver 127.0.0.1\noptions timeout:2 attempts:1\n',
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
} as const

/** Every address is local, so that a connection to anywhere arrives here. */
const enter = `set -e
PATH="$PATH:/usr/sbin:/sbin"
ip link set lo up
ip route add local 0.0.0.0/0 dev lo
for name in ${Object.keys(systemFiles).join(' ')}; do
  if [ -e "/etc/$name" ]; then mount --bind "$1/$name" "/etc/$name"; fi
done
shift
exec "$@"`

export interface Isolation {
  /** The command that runs the program in the namespace. */
  wrap(command: readonly string[]): readonly string[]
  /** Where the proxy listens: a namespace has loopback for itself, but shares the file system. */
  readonly proxySocket: string
  /** The port of the proxy within the namespace. */
  readonly port: number
  close(): void
}

/**
 * Prepares a network namespace that has loopback alone, without the rights of an administrator.
 *
 * @param self The words that start this command line.
 * @throws {ServiceError} `SETTING_INVALID` where the system has no such namespaces.
 */
export async function isolate(
  folder: PrivateFolder,
  env: Env,
  self: readonly string[],
  onContact: (contact: DirectContact) => void,
): Promise<Isolation> {
  const unshare = process.platform === 'linux' ? findProgram('unshare', env) : undefined
  if (unshare === undefined) throw refusal('it needs Linux and the program unshare (util-linux)')
  for (const [name, content] of Object.entries(systemFiles)) folder.write(name, content)
  const isRoot = process.getuid?.() === 0
  const flags = ['--net', '--mount', ...(isRoot ? [] : ['--map-root-user'])]
  // The program runs as the user again: as root it would take other decisions.
  const asUser = isRoot
    ? []
    : [unshare, '--user', `--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`]
  const namespace = [unshare, ...flags, '/bin/sh', '-c', enter, 'enter', folder.path]
  const args = [...namespace.slice(1), ...asUser, 'true']
  const { status, stderr } = spawnSync(unshare, args, { encoding: 'utf8', env: { ...env } })
  if (status !== 0)
    throw refusal(`this system refuses the namespace (${stderr.trim().split('\n').at(-1) ?? 'unshare failed'})`)
  const events = await receiveContacts(`${folder.path}/events`, onContact)
  const port = 20_000 + (process.pid % 10_000)
  return {
    wrap: (command) => [...namespace, ...self, 'run-inside', folder.path, String(port), '--', ...asUser, ...command],
    proxySocket: `${folder.path}/proxy`,
    port,
    close: () => void events.close(),
  }
}

const refusal = (reason: string) => new ServiceError('SETTING_INVALID', `--isolate cannot be used: ${reason}`)

/** One contact a line, in JSON. */
async function receiveContacts(path: string, onContact: (contact: DirectContact) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    createInterface({ input: socket }).on('line', (line) => onContact(JSON.parse(line) as DirectContact))
    socket.unref()
  })
  server.listen(path)
  await once(server, 'listening')
  return server
}
