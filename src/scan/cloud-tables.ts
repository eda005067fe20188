/** A value as a table of clouds sees it. */
export interface TableEntry {
  readonly line: number
  readonly service: string
  readonly clouds: readonly string[]
  /** How many other clouds publish a counterpart. */
  readonly counterparts: number
  /** For a value that stands for all other clouds: the line where the table may begin that it closes. */
  readonly fallbackFrom?: number
}

/** The farthest that a counterpart may stand, in lines. */
const farthest = 120

/**
 * The entries that belong to a table of clouds: the counterparts of two other clouds (of all, where fewer publish one) stand beside
 * them. A counterpart stands beside the entry that is nearest to it, and those about as near: so a value far below a table does not belong to it.
 */
export function findTableEntries<E extends TableEntry>(entries: readonly E[]): ReadonlySet<E> {
  const found = new Set<E>()
  const groups = new Map<string, E[]>()
  for (const entry of entries) groups.set(entry.service, [...(groups.get(entry.service) ?? []), entry])
  for (const group of groups.values()) {
    for (const entry of group) if (hasCounterparts(entry, group)) found.add(entry)
  }
  addFallbacks(entries, found)
  addSurrounded(entries, found)
  return found
}

/** The default of a switch over all clouds repeats one of its values. */
function addFallbacks<E extends TableEntry>(entries: readonly E[], found: Set<E>): void {
  const inTable = [...found]
  for (const entry of entries) {
    const { fallbackFrom, line, service, clouds } = entry
    if (fallbackFrom === undefined) continue
    const closes = inTable.some(
      (other) =>
        other.service === service &&
        other.line >= fallbackFrom &&
        other.line < line &&
        other.clouds.some((cloud) => clouds.includes(cloud)),
    )
    if (closes) found.add(entry)
  }
}

function hasCounterparts(entry: TableEntry, group: readonly TableEntry[]): boolean {
  const beside = new Set(entry.clouds)
  const own = beside.size
  for (const other of group) {
    if (other.clouds.some((cloud) => entry.clouds.includes(cloud))) continue
    const distance = Math.abs(other.line - entry.line)
    if (distance <= reachOf(other, entry.clouds, group)) for (const cloud of other.clouds) beside.add(cloud)
  }
  const others = beside.size - own
  return others > 0 && others >= Math.min(2, entry.counterparts)
}

/** How far a counterpart reaches for entries of these clouds: a little farther than to the nearest. */
function reachOf(counterpart: TableEntry, clouds: readonly string[], group: readonly TableEntry[]): number {
  let nearest = Infinity
  for (const { line, clouds: theirs } of group) {
    if (theirs.some((cloud) => clouds.includes(cloud))) nearest = Math.min(nearest, Math.abs(line - counterpart.line))
  }
  return Math.min(farthest, Math.max(nearest + 2, nearest * 1.5))
}

/** Values without a counterpart stand in tables too: above and below them, or in their line or the next, are entries of it. */
function addSurrounded<E extends TableEntry>(entries: readonly E[], found: Set<E>): void {
  const sorted = [...entries].sort((a, b) => a.line - b.line)
  const near = 15
  const inTable = new Set(found)
  for (const [index, entry] of sorted.entries()) {
    if (inTable.has(entry)) continue
    const isNear = (other: E) => inTable.has(other) && Math.abs(other.line - entry.line) <= near
    const isInLine = (other: E) => inTable.has(other) && Math.abs(other.line - entry.line) <= 1
    if (sorted.some(isInLine) || (sorted.slice(0, index).some(isNear) && sorted.slice(index + 1).some(isNear)))
      found.add(entry)
  }
}
