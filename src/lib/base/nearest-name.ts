import { distance } from 'fastest-levenshtein'

/** The known name at the smallest edit distance, if it is near enough to be a likely misspelling. Case does not matter. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= Math.max(2, Math.floor(name.length / 3)) ? best.candidate : undefined
}
