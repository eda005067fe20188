/** A function that reads each key once. */
export function remembered<T>(read: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    const value = known.has(key) ? (known.get(key) as T) : read(key)
    if (known.size > 50_000) known.clear()
    known.set(key, value)
    return value
  }
}

/** A list in runs of neighbors that belong together. */
export function runsOf<T>(list: readonly T[], belong: (one: T, next: T) => boolean): readonly T[][] {
  const runs: T[][] = []
  for (const each of list) {
    const run = runs.at(-1)
    if (run !== undefined && belong(run.at(-1) as T, each)) run.push(each)
    else runs.push([each])
  }
  return runs
}
