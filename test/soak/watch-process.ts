import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The resources of a process at one moment. */
export interface Sample {
  readonly rssMb: number
  readonly descriptors: number
}

/** Linux only: read from /proc. @returns `undefined` if the process has exited. */
export function sampleProcess(pid: number): Sample | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
    return { rssMb: Math.round(kilobytes / 1024), descriptors: readdirSync(`/proc/${pid}/fd`).length }
  } catch {
    return undefined
  }
}

/** The sample in the middle of a part of the run, by each figure. `from` and `to` are shares of the whole. */
export function medianOf(samples: readonly Sample[], from: number, to: number): Sample {
  const part = samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to))
  const middle = (pick: (sample: Sample) => number) =>
    part.map(pick).toSorted((one, other) => one - other)[Math.floor(part.length / 2)] ?? 0
  return { rssMb: middle(({ rssMb }) => rssMb), descriptors: middle(({ descriptors }) => descriptors) }
}

/**
 * Linux only: the connections that a process has opened and not closed, by the port of the peer.
 *
 * @param ownPort Where it listens. Connections to it are not counted.
 */
export function countSocketsByPeer(pid: number, ownPort: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  const inodes = new Set(readdirSync(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`)))
  for (const table of ['tcp', 'tcp6']) {
    // Columns: number, local address:port, remote address:port, state (0A listens), queues, timer, retries, user, timeout, inode.
    for (const line of readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1)) {
      const [, local = '', remote = '', state, , , , , , inode = ''] = line.trim().split(/ +/)
      if (state === '0A' || portOf(local) === ownPort || !inodes.has(`socket:[${inode}]`)) continue
      counts.set(portOf(remote), (counts.get(portOf(remote)) ?? 0) + 1)
    }
  }
  return counts
}

const portOf = (address: string) => Number.parseInt(address.split(':').at(-1) ?? '', 16)

/** What a descriptor is, or nothing if it has been closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
