import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { builtService } from '../support/build.ts'
import { cleanEnvironment } from '../support/environment.ts'
import { namespaceArguments, refusalOfNamespaces, type NamespaceOptions } from '../support/namespace.ts'
import type { Command, Said, Scene } from './inside.ts'

const inside = fileURLToPath(new URL('inside.ts', import.meta.url))

/** A network that a namespace can have. */
export interface Network extends NamespaceOptions {
  /** The address of loopback that name server and proxy listen on. */
  readonly loopback: string
  /** The address of this machine at which the enclave can be reached from the cloud's. */
  readonly relay?: string
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

/** Without a file of hosts, so that the name server is asked for each of them. */
export const withoutHosts = ({ files, ...network }: Network): Network => ({
  ...network,
  files: { ...files, hosts: '' },
})

/** Why this machine has no such networks, or `undefined`; it is printed, for not every reporter shows the titles of what was skipped. */
export const refusal = refusalOfNamespaces(onlyIPv6) ?? refusalOfNamespaces(onlyIPv4)
if (refusal !== undefined) console.warn(`The tests in network namespaces are skipped: ${refusal}`)

/** Runs a scene in a network, with the built command line. */
export async function runScene(network: Network, scene: Omit<Scene, 'loopback' | 'relay'>): Promise<readonly Said[]> {
  const whole: Scene = { ...scene, loopback: network.loopback, relay: network.relay }
  const directory = mkdtempSync(join(tmpdir(), 'networks-'))
  try {
    const commandLine = join(builtService().project, 'src/cli/cloud-profile.ts')
    const command = [process.execPath, inside, commandLine, JSON.stringify(whole)]
    const { stdout } = await promisify(execFile)('unshare', namespaceArguments(directory, command, network), {
      env: cleanEnvironment(),
      maxBuffer: 64 * 1024 * 1024,
    })
    return JSON.parse(stdout) as Said[]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Runs one command, in one scene. */
export async function runCommand(
  network: Network,
  command: Command,
  scene: Omit<Scene, 'loopback' | 'relay' | 'commands'> = {},
): Promise<Said> {
  const [said] = await runScene(network, { ...scene, commands: [command] })
  if (said === undefined) throw new Error('The command did not run')
  return said
}

const slowLinkProgram = fileURLToPath(new URL('slow-link.py', import.meta.url))

/**
 * A satellite link: every round trip to the cloud takes 400 ms.
 *
 * @param cloud The address of the cloud, in the network of `relay`. Nothing ever comes back from any other.
 */
function slowLinkTo(cloud: string, relay: string, hosts: readonly string[]): Network {
  return {
    network: [
      "command -v python3 >/dev/null || { echo 'there is no python3' >&2; exit 1; }",
      'ip tuntap add dev slow mode tun',
      'ip addr add 10.9.0.1/24 dev slow',
      'ip -6 addr add fd09::1/64 dev slow nodad',
      'ip link set slow up',
      `python3 '${slowLinkProgram}' slow 400 ${cloud} </dev/null >/dev/null 2>&1 &`,
    ],
    files: { 'resolv.conf': 'nameserver 127.0.0.1\n', hosts: hosts.map((host) => `${host} localhost\n`).join('') },
    loopback: '127.0.0.1',
    relay,
  }
}

export const slowLink = slowLinkTo('10.9.0.2', '10.9.0.1', ['10.9.0.2'])

/** To a cloud whose names have an IPv4 address too, which connections try after the other. */
export const slowLinkWithSilentFamily = slowLinkTo('fd09::2', 'fd09::1', ['fd09::2', '10.9.0.2'])
