import { ADDRCONFIG } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { CertificateAuthority } from './certificate-authority.ts'
import { domain } from './named-cloud.ts'
import type { FaultBoard } from './faults/fault-board.ts'
import type { RequestLog } from './http/request-log.ts'
import { type RoleServer, startRoleServer } from './http/role-server.ts'
import type { Role } from './roles.ts'
import { createServerIdentities } from './server-identities.ts'

/** Loopback ports. Default is any free port. */
export type Ports = Readonly<Partial<Record<Role, number>>>

export type Servers = Readonly<Record<Role, RoleServer>>

export interface ServersOptions {
  readonly ca: CertificateAuthority
  readonly ports: Ports
  /** The host of the profile's addresses. */
  readonly hostName: string
  /** Where the other roles listen, and those of the profile unless its host is `[::1]`. */
  readonly loopback: LoopbackAddress
  /** Whether certificates also have the public names of instance discovery. */
  readonly discovery: boolean
  /** Whether a role answers for a host name of the cloud. A client that asks for it gets a certificate with that name. */
  readonly answersFor: (host: string, role: Role) => boolean
  readonly faults: FaultBoard
  readonly log: RequestLog
  readonly now: () => number
}

const roles: readonly Role[] = ['login', 'resource-manager', 'vault', 'storage', 'graph', 'managed-identity', 'foreign']

/** The roles that the profile or its services name. */
const named: ReadonlySet<Role> = new Set(['login', 'resource-manager', 'vault', 'storage', 'graph'])

/**
 * Names in every server certificate: `localhost` for the profile's hosts, the address for the foreign one, and the names of vaults and
 * storage accounts, for a client that resolves them by itself.
 */
const names = ['localhost', '127.0.0.1', '::1', `*.vault.${domain}`, `*.blob.core.${domain}`]

/** The hosts that clients ask for instance discovery. */
// cloud-profile-ignore: the names under which clients look the public instance discovery up; the enclave answers for them
const publicNames = 'login.microsoftonline.com login.microsoft.com login.windows.net sts.windows.net'
export const discoveryNames: readonly string[] = publicNames.split(' ')

/** Opens one port for each role. If one fails, the others are closed again. */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const { ca, ports, hostName, loopback, discovery, answersFor, ...rest } = options
  const identities = createServerIdentities(ca, discovery ? [...names, ...discoveryNames] : names)
  let foreignPort = 0
  const starting = roles.map(async (role): Promise<readonly [Role, RoleServer]> => {
    const secure =
      role === 'managed-identity' ? {} : { identities, answersFor: (host: string) => answersFor(host, role) }
    const address = hostName === '[::1]' && named.has(role) ? '::1' : loopback
    const foreignOrigin = (): string => originAt('https', loopback, foreignPort)
    return [role, await startRoleServer({ ...rest, ...secure, role, address, port: ports[role], foreignOrigin })]
  })
  const settled = await Promise.allSettled(starting)
  const started = settled.filter((result) => result.status === 'fulfilled').map(({ value }) => value)
  const failed = settled.find((result) => result.status === 'rejected')
  if (failed) {
    await Promise.all(started.map(([, server]) => server.close()))
    throw failed.reason
  }
  const servers = Object.fromEntries(started) as Servers
  foreignPort = servers.foreign.port
  return servers
}

/** The origin of a role that the profile does not name: its host is an address, not `localhost`. */
export function originAt(scheme: 'http' | 'https', address: LoopbackAddress, port: number): string {
  return `${scheme}://${address === '::1' ? '[::1]' : address}:${port}`
}

/** The loopback address of this machine: 127.0.0.1, or ::1 where IPv6 is all there is. */
export type LoopbackAddress = '127.0.0.1' | '::1'

const candidates: readonly LoopbackAddress[] = ['127.0.0.1', '::1']

/** @throws {Error} If this machine has neither address. */
export async function findLoopbackAddress(): Promise<LoopbackAddress> {
  const refusals: string[] = []
  for (const address of candidates) {
    const refusal = await refusalOf(address)
    if (refusal === undefined) return address
    refusals.push(`${address} (${refusal})`)
  }
  throw new Error(`This machine has no loopback address: tried ${refusals.join(' and ')}. Run "ip link set lo up"`)
}

/** As connections ask: only for the families that this machine has. */
const hints = process.platform === 'win32' ? 0 : ADDRCONFIG

/** Whether clients that resolve `localhost` get that address. */
export async function isLocalhost(address: LoopbackAddress): Promise<boolean> {
  const found = await lookup('localhost', { all: true, hints }).catch(() => [])
  return found.some((each) => each.address === address)
}

async function refusalOf(address: string): Promise<string | undefined> {
  const server = createServer().listen(0, address)
  try {
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown error'
  } finally {
    server.close()
  }
}
