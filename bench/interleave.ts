export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  if (low === undefined || high === undefined) throw new RangeError('Nothing was measured')
  return (low + high) / 2
}

/**
 * Runs the measurements in turns. Each round has the opposite order of the round before. So other load of the machine affects all measurements
 * equally.
 */
export async function interleave<K extends string, T>(
  rounds: number,
  measurements: Readonly<Record<K, () => Promise<T>>>,
): Promise<Record<K, T[]>> {
  const names = Object.keys(measurements) as K[]
  const results = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<K, T[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await measurements[name]())
  }
  return results
}
