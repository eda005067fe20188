import { ADDRCONFIG } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { CertificateAuthority, IssuedCertificate } from './certificate-authority.ts'
import { createCertificateAuthority } from './certificate-authority.ts'
import { domain } from './named-cloud.ts'
import { type RoleServer, type RoleServerOptions, type ServerIdentities, startRoleServer } from './http/role-server.ts'
import { profileRoles, type Role } from './http/exchange.ts'
import { type CertificateFlaw, faultTable } from './faults/fault.ts'
import { signingKey } from './login/token-issuer.ts'

/** Loopback ports. Default is any free port. */
export type Ports = Readonly<Partial<Record<Role, number>>>

export type Servers = Readonly<Record<Role, RoleServer>>

export interface ServersOptions extends Pick<RoleServerOptions, 'faults' | 'log' | 'now'> {
  readonly ca: CertificateAuthority
  readonly ports: Ports
  readonly hostName: string
  /** The address of all roles. If `hostName` is `[::1]`, the profile's roles listen on ::1 instead. */
  readonly loopback: LoopbackAddress
  /** Whether certificates also have the public names of instance discovery. */
  readonly discovery: boolean
  /** The role with a host name of the cloud. A client that connects by this name gets a certificate for it. */
  readonly roleAt: (host: string) => Role | undefined
}

/** Names in every server certificate. Vaults and storage accounts are for a client that resolves their names to loopback. */
const names = ['localhost', '127.0.0.1', '::1', `*.vault.${domain}`, `*.blob.core.${domain}`]

// cloud-profile-ignore: the public names of instance discovery, which the option `discovery` serves
const publicNames = 'login.microsoftonline.com login.microsoft.com login.windows.net sts.windows.net'
export const discoveryNames: readonly string[] = publicNames.split(' ')

/** Opens one port for each role. If one fails, closes the others. */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const { ca, ports, hostName, loopback, discovery, roleAt, ...rest } = options
  const identities = createServerIdentities(ca, discovery ? [...names, ...discoveryNames] : names)
  const servers: Partial<Record<Role, RoleServer>> = {}
  const foreignOrigin = (): string => originAt('https', loopback, servers.foreign?.port ?? 0)
  const starting = [...profileRoles, 'managed-identity' as const, 'foreign' as const].map(async (role) => {
    servers[role] = await startRoleServer({
      ...rest,
      role,
      port: ports[role],
      address: hostName === '[::1]' && role !== 'managed-identity' && role !== 'foreign' ? '::1' : loopback,
      identities: role === 'managed-identity' ? undefined : identities,
      servesHost: (host) => roleAt(host) === role,
      foreignOrigin,
    })
  })
  const failed = (await Promise.allSettled(starting)).find((result) => result.status === 'rejected')
  if (failed === undefined) return servers as Servers
  await Promise.all(Object.values(servers).map((server) => server.close()))
  throw failed.reason
}

/** The origin of a role that no profile names. Its host is an address, not `localhost`. */
export function originAt(scheme: 'http' | 'https', address: LoopbackAddress, port: number): string {
  return `${scheme}://${address === '::1' ? '[::1]' : address}:${port}`
}

/** 127.0.0.1, or ::1 on a machine without IPv4. */
export type LoopbackAddress = '127.0.0.1' | '::1'

/** The loopback address, and its host name: on some machines `localhost` doesn't resolve to the address. */
export async function findLoopback(): Promise<{ address: LoopbackAddress; hostName: 'localhost' | '[::1]' }> {
  const refusals: string[] = []
  for (const address of ['127.0.0.1', '::1'] as const) {
    const server = createServer().listen(0, address)
    try {
      await once(server, 'listening')
      // Like a connection, the lookup uses only address families that this machine has.
      const hints = process.platform === 'win32' ? 0 : ADDRCONFIG
      const found = address === '::1' ? await lookup('localhost', { all: true, hints }).catch(() => []) : undefined
      const isNamed = found === undefined || found.some((each) => each.address === address)
      return { address, hostName: isNamed ? 'localhost' : '[::1]' }
    } catch (error) {
      refusals.push(`${address} (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`)
    } finally {
      server.close()
    }
  }
  throw new Error(`This machine has no loopback address: tried ${refusals.join(' and ')}. Run "ip link set lo up"`)
}

const certificates = new WeakMap<CertificateAuthority, Map<string, Promise<IssuedCertificate>>>()

/** An authority issues one certificate for each purpose. */
function certificateFor(ca: CertificateAuthority, purpose: string, make: () => Promise<IssuedCertificate>) {
  const known = certificates.get(ca) ?? new Map<string, Promise<IssuedCertificate>>()
  certificates.set(ca, known)
  const certificate = known.get(purpose) ?? make()
  known.set(purpose, certificate)
  return certificate
}

function createServerIdentities(ca: CertificateAuthority, own: readonly string[]): ServerIdentities {
  return async (fault, host) => {
    const flaw: CertificateFlaw = (fault && faultTable[fault.kind].certificate) ?? {}
    const { issuer, days, name, withoutIntermediate } = flaw
    const all = host === undefined ? own : [host, ...own]
    const issued = await certificateFor(ca, JSON.stringify([flaw, all]), async () => {
      const signer = issuer === 'another' ? await createCertificateAuthority({ commonName: 'Another Root' }) : ca
      return signer.issue({
        commonName: issuer === 'itself' ? (all[0] ?? '') : 'enclave server',
        usage: 'server',
        names: name === undefined ? all : [name],
        selfSigned: issuer === 'itself',
        ...(days && { notBefore: daysFromNow(days[0]), notAfter: daysFromNow(days[1]) }),
      })
    })
    return { key: issued.privateKeyPem, cert: withoutIntermediate ? issued.certificatePem : issued.chainPem }
  }
}

const daysFromNow = (days: number): Date => new Date(Date.now() + days * 24 * 60 * 60 * 1000)

/** The certificate of the application. It has an RSA key, because clients sign assertions with RS256 or PS256. */
export function clientCertificate(ca: CertificateAuthority): Promise<IssuedCertificate> {
  return certificateFor(ca, 'client', async () => {
    const keys = await signingKey('client-certificate')
    return ca.issue({ commonName: 'enclave application', usage: 'client', keys })
  })
}
