import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cleanEnvironment } from '../support/environment.ts'
import { namespaceArguments, refusalOfNamespaces, type NamespaceOptions } from '../support/namespace.ts'
import { commandLine } from '../support/start-command.ts'
import type { Said, Scene } from './inside.ts'

const inside = fileURLToPath(new URL('inside.ts', import.meta.url))

/** A network that a namespace can have. */
export interface Network extends NamespaceOptions {
  /** The address of loopback that name server and proxy listen on. */
  readonly loopback: string
}

/** A host, or a cluster, that has IPv6 alone. */
export const onlyIPv6: Network = {
  // An address in addition to ::1, because resolvers ignore loopback when they look for address families.
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
