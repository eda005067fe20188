import { readdirSync, readFileSync } from 'node:fs'

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
