import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { builtService } from '../support/build.ts'
import { cleanEnvironment } from '../support/environment.ts'
import { namespaceArguments, refusalOfNamespaces, type NamespaceOptions } from '../support/namespace.ts'
import type { Said, Scene } from './inside.ts'

const inside = fileURLToPath(new URL('inside.ts', import.meta.url))

/** A network that a namespace can have. */
export interface Network extends NamespaceOptions {
  /** Loopback's address for the name server. */
  readonly nameServer: string
}

/** A host, or a cluster, that has IPv6 alone. */
export const onlyIPv6: Network = {
  // An address beside ::1, for resolvers take no notice of loopback when they look which families there are.
  network: ['ip addr del 127.0.0.1/8 dev lo', 'ip -6 addr add fd00:9::1/64 dev lo nodad'],
  files: { 'resolv.conf': 'nameserver ::1\n', hosts: '::1 localhost\n' },
  nameServer: '::1',
}

export const onlyIPv4: Network = {
  network: ['ip -6 addr flush dev lo', 'ip addr add 10.9.0.1/32 dev lo'],
  files: { 'resolv.conf': 'nameserver 127.0.0.1\n', hosts: '127.0.0.1 localhost\n' },
  nameServer: '127.0.0.1',
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
export async function runScene(
  network: Network,
  scene: Omit<Scene, 'nameServer'> & { readonly names?: NamesOf },
): Promise<readonly Said[]> {
  const { names, ...rest } = scene
  const whole: Scene = {
    ...rest,
    ...(names === undefined ? {} : { nameServer: { address: network.nameServer, names } }),
  }
  const directory = mkdtempSync(join(tmpdir(), 'networks-'))
  try {
    const command = [
      process.execPath,
      inside,
      join(builtService().project, 'src/cli/cloud-profile.ts'),
      JSON.stringify(whole),
    ]
    const { stdout } = await promisify(execFile)('unshare', namespaceArguments(directory, command, network), {
      env: cleanEnvironment(),
      maxBuffer: 64 * 1024 * 1024,
    })
    return JSON.parse(stdout) as Said[]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

type NamesOf = NonNullable<Scene['nameServer']>['names']
