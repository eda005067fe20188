import { runsOf } from './lists.ts'

/** A value as a table or a selection of clouds sees it. */
export interface Entry {
  readonly row: number
  readonly service: string
  readonly clouds: readonly string[]
  /** How many other clouds publish a counterpart. */
  readonly counterparts: number
  /** Whether the value is one of a list of what a setting may be. */
  readonly isListed: boolean
}

/** The farthest that a counterpart may stand, in lines. */
const farthest = 120

/**
 * The entries that belong to a table of clouds: the counterparts of two other clouds (of all, where fewer publish one) stand beside them.
 * A counterpart stands beside the entry that is nearest to it, and those about as near: so a value far below a table does not belong to it.
 */
export function findTableEntries<E extends Entry>(entries: readonly E[]): ReadonlySet<E> {
  const found = new Set<E>()
  for (const group of Map.groupBy(entries, ({ service }) => service).values()) {
    const nearest = nearestRows(group)
    for (const entry of group) if (hasCounterparts(entry, group, nearest)) found.add(entry)
  }
  addSurrounded(entries, found)
  return found
}

const share = (a: Pick<Entry, 'clouds'>, b: Pick<Entry, 'clouds'>) => a.clouds.some((cloud) => b.clouds.includes(cloud))

/** The most entries of one service that are compared with each other. */
const mostCompared = 200

/** For an entry and a cloud: how near the next value of that cloud is. */
function nearestRows(group: readonly Entry[]): (entry: Entry, clouds: readonly string[]) => number {
  const compared = group.slice(0, mostCompared)
  const known = new Map<string, number>()
  return (entry, clouds) => {
    const key = `${entry.row} ${clouds.join()}`
    const found =
      known.get(key) ??
      Math.min(...compared.filter((other) => share(other, { clouds })).map(({ row }) => Math.abs(row - entry.row)))
    known.set(key, found)
    return found
  }
}

function hasCounterparts(entry: Entry, group: readonly Entry[], nearest: ReturnType<typeof nearestRows>): boolean {
  const beside = new Set(entry.clouds)
  for (const other of group.slice(0, mostCompared)) {
    if (share(other, entry)) continue
    const near = nearest(other, entry.clouds)
    // How far a counterpart reaches: a little farther than to the nearest.
    if (Math.abs(other.row - entry.row) <= Math.min(farthest, Math.max(near + 2, near * 1.5)))
      for (const cloud of other.clouds) beside.add(cloud)
  }
  const others = beside.size - entry.clouds.length
  return others > 0 && others >= Math.min(2, entry.counterparts)
}

const near = 15

/**
 * Values without a counterpart stand in tables too: above and below them, or in their line or the next, are entries of it. A value that the
 * table has already may repeat below it, as the default.
 */
function addSurrounded<E extends Entry>(entries: readonly E[], found: Set<E>): void {
  const inTable = [...found].sort((a, b) => a.row - b.row)
  for (const entry of entries) {
    if (found.has(entry)) continue
    const above = entry.row - (inTable.findLast(({ row }) => row <= entry.row)?.row ?? -Infinity)
    const below = (inTable.find(({ row }) => row >= entry.row)?.row ?? Infinity) - entry.row
    const isDefault = () =>
      above <= 6 &&
      inTable.some(
        (each) =>
          each.service === entry.service && share(each, entry) && each.row < entry.row && entry.row - each.row <= near,
      )
    if (Math.min(above, below) <= 1 || (above <= near && below <= near) || isDefault()) found.add(entry)
  }
}

/** How far apart the halves of a selection may stand, in lines. */
const reach = 8

/**
 * Selections of two clouds (`if government … else public`) and lists of allowed clouds: a third has no place in them. Their halves are no
 * findings of their own.
 */
export function findSelections<E extends Entry>(entries: readonly E[], tables: ReadonlySet<E>) {
  const sorted = entries.filter((entry) => entry.isListed || !tables.has(entry)).sort((a, b) => a.row - b.row)
  const isNear = (one: E, next: E) => next.row - one.row <= reach && next.isListed === one.isListed
  return runsOf(sorted, isNear).flatMap((run) => {
    if (run.length > mostCompared) return []
    const paired = run.filter((entry) => run.some((other) => isHalf(entry, other, run)))
    const clouds = [...new Set(paired.flatMap((entry) => entry.clouds))]
    return clouds.length > 1 ? [{ entries: paired, clouds }] : []
  })
}

/** Whether two values are halves of one selection: no other value of the cloud stands nearer. */
function isHalf<E extends Entry>(entry: E, other: E, run: readonly E[]): boolean {
  const distance = Math.abs(other.row - entry.row)
  if (other.service !== entry.service || share(other, entry) || distance > reach) return false
  return !run.some(
    (each) => each.service === entry.service && share(each, entry) && Math.abs(other.row - each.row) + 1 < distance,
  )
}
