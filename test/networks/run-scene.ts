import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cleanEnvironment } from '../support/environment.ts'
import { namespaceArguments, refusalOfNamespaces, type NamespaceOptions } from '../support/namespace.ts'
import { commandLine } from '../support/start-command.ts'
import type { Command, Said, Scene } from './inside.ts'

const inside = fileURLToPath(new URL('inside.ts', import.meta.url))

/** A network that a namespace can have. */
export interface Network extends NamespaceOptions {
  /** The address of loopback that name server and proxy listen on. */
  readonly loopback: string
}

/** A host, or a cluster, that has IPv6 alone. */
export const onlyIPv6: Network = {
  // An address beside ::1, for resolvers take no notice of loopback when they look which families there are.
  network: ['ip addr del 127.0.0.1/8 dev lo', 'ip -6 addr add fd00:9::1/64 dev lo nodad'],
  files: { 'resolv.conf': 'nameserver ::1\n', hosts: '::1 localhost\n' },
  loopback: '::1',
}

export const onlyIPv4: Network = {
  network: ['ip -6 addr flush dev lo', 'ip addr add 10.9.0.1/32 dev lo'],
  files: { 'resolv.conf': 'nameserver 127.0.0.1\n', hosts: '127.0.0.1 localhost\n' },
  loopback: '127.0.0.1',
}

/** One end of a cable has a link-local address, the other has another one: which interface an address means is up to its zone. */
export const withLinkLocal: Network = {
  network: [
    'ip link add near type veth peer name far',
    'ip link set near up',
    'ip link set far up',
    'ip -6 addr add fe80::1/64 dev near nodad',
  ],
  loopback: '127.0.0.1',
}

/** Without a file of hosts, so that the name server is asked for each of them. */
export const withoutHosts = ({ files, ...network }: Network): Network => ({
  ...network,
  files: { ...files, hosts: '' },
})

/** Why this machine has no such networks, or `undefined`; it is printed, for not every reporter shows the titles of what was skipped. */
export const refusal = refusalOfNamespaces(onlyIPv6) ?? refusalOfNamespaces(onlyIPv4)
if (refusal !== undefined) console.warn(`The tests in network namespaces are skipped: ${refusal}`)

/** Runs a scene in a network, with the built command line. */
export async function runScene(network: Network, scene: Omit<Scene, 'loopback'>): Promise<readonly Said[]> {
  const whole: Scene = { ...scene, loopback: network.loopback }
  return (await runInside(inside, whole, network)) as Said[]
}

/** Runs a program of the tests in a network, with the built command line and an argument as JSON. @returns What it prints, from JSON. */
export async function runInside(program: string, argument: unknown, network: NamespaceOptions = {}): Promise<unknown> {
  const directory = mkdtempSync(join(tmpdir(), 'networks-'))
  try {
    const command = [process.execPath, program, commandLine, JSON.stringify(argument)]
    const { stdout } = await promisify(execFile)('unshare', namespaceArguments(directory, command, network), {
      env: cleanEnvironment(),
      maxBuffer: 64 * 1024 * 1024,
    })
    return JSON.parse(stdout)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Runs one command, in one scene. */
export async function runCommand(
  network: Network,
  command: Command,
  scene: Omit<Scene, 'loopback' | 'commands'> = {},
): Promise<Said> {
  const [said] = await runScene(network, { ...scene, commands: [command] })
  if (said === undefined) throw new Error('The command did not run')
  return said
}

const slowLinkProgram = fileURLToPath(new URL('slow-link.py', import.meta.url))

/**
 * Every round trip takes 400 ms, on loopback too, because they go through a device with delay. The kernel accepts no packet for
 * ::1 from a device, so this is IPv4.
 */
function delayedLoopback(hosts: readonly string[]): Network {
  const ipv4 = '/proc/sys/net/ipv4/conf'
  return {
    network: [
      "command -v python3 >/dev/null || { echo 'there is no python3' >&2; exit 1; }",
      'ip tuntap add dev slow mode tun',
      'ip addr add 10.9.0.1/24 dev slow',
      'ip -6 addr add fd09::1/64 dev slow nodad',
      'ip link set slow up',
      `for name in route_localnet accept_local; do echo 1 >${ipv4}/slow/$name; done`,
      `for device in all slow; do echo 0 >${ipv4}/$device/rp_filter; done`,
      // What this machine sends to itself leaves by the device. What comes back from there is for this machine.
      'ip route add default dev slow src 127.0.0.1 table 100',
      'ip rule add pref 1 iif lo to 127.0.0.0/8 lookup 100',
      'ip rule add pref 2 lookup local',
      'ip rule del pref 0',
      `python3 '${slowLinkProgram}' slow 400 </dev/null >/dev/null 2>&1 &`,
    ],
    files: { 'resolv.conf': 'nameserver 127.0.0.1\n', hosts: hosts.map((host) => `${host} localhost\n`).join('') },
    loopback: '127.0.0.1',
  }
}

export const slowLink = delayedLoopback(['127.0.0.1'])

/** The names have an IPv6 address too, which never responds. */
export const slowLinkWithSilentFamily = delayedLoopback(['127.0.0.1', 'fd09::2'])
