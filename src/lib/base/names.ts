import { distance } from 'fastest-levenshtein'

/** The known name that `name` most likely misspells, by edit distance and regardless of case. `undefined` if none is near enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= Math.max(2, Math.floor(name.length / 3)) ? best.candidate : undefined
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isGuid = (text: string): boolean => guid.test(text)

/** A 32-bit hash: FNV-1a with the finalizer of MurmurHash3, because the names in a fleet often differ only in their last characters. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A tenant: a GUID, a domain name or `adfs`. A matching value is harmless in the path of a URL. */
export const tenantPattern = /^[A-Za-z0-9][A-Za-z0-9.-]*$/

/** One DNS label (RFC 1123). */
export const dnsLabelPattern = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
