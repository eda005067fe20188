import { constructWords } from './construct-table.ts'
import { zones, type Clouds } from './clouds.ts'

/** The length of the searched text: of each word the last bytes. */
const windowLength = 10
const letters = 0x1f

/** What a found word may be the end of. */
export type WordKind = 'host' | 'zone' | 'name' | 'construct'

/** Receives a place where a word may end, which the caller verifies. @returns Whether to continue. */
type OnWord = (kind: WordKind, end: number) => boolean

const alphanumeric = 'abcdefghijklmnopqrstuvwxyz0123456789'.split('')
/** What may stand before a host that is shorter than the window. */
const signsBefore = ['.', '"', "'", '`', '/', ':', '=', '@', ',', ' ', '\t', '\n', '>', '(', '-']

/** A text that is shorter than the window, with everything that may stand before it. */
const padded = (text: string, before: readonly string[]) =>
  text.length < windowLength ? before.map((sign) => sign + text) : [text]
/** A host as text, and as regular expressions and JSON hold it. */
const spellings = (host: string) => [
  ...padded(host, signsBefore),
  host.replaceAll('.', '\\.'),
  host.replaceAll('.', '\\\\.'),
]

/** Settings that choose a cloud by a word too plain to search for, and constants. */
const choosers = `
ARM_ENVIRONMENT,AZURE_ENVIRONMENT,AZURE_CLOUD_NAME,cloud_environment_name,azure:environment,azure-native:environment,environmentType,cloud-type
environment:,environment =,-Environment Global,azureCloudName,azure.PublicCloud,azure.USGovernmentCloud,azure.ChinaCloud,AzureEnvironment.AZURE
`
  .trim()
  .split(/[,\n]/)

function rowsOf(clouds: Clouds): readonly (readonly [kind: WordKind, words: readonly string[]])[] {
  const names = [...clouds.exactNames, ...clouds.cloudOfName.keys()].flatMap((name) => padded(name, signsBefore))
  const inZones = Object.keys(zones).flatMap((zone) => padded(`.${zone}`, alphanumeric))
  return [
    ['host', [...clouds.hosts.flatMap(spellings), ...clouds.federatedAudiences.keys()]],
    ['name', [...names, ...choosers]],
    ['construct', constructWords],
    ['zone', [...inZones, ...padded('/.default', [...alphanumeric, '/', '}'])]],
  ]
}

/**
 * Finds where any word ends, in any case of ASCII, in one pass that skips: the algorithm of Wu and Manber with blocks of three bytes.
 * Their lowest five bits are the key, which is the same for a letter in both cases; so the table fits the fastest cache.
 */
export function createWordMatcher(clouds: Clouds) {
  const kinds = new Map<string, WordKind>()
  for (const [kind, words] of rowsOf(clouds))
    for (const word of words) {
      const end = word.slice(-windowLength).toLowerCase()
      if (end.length === windowLength && !kinds.has(end)) kinds.set(end, kind)
    }
  const rows = [...kinds].map(([end, kind]) => ({ kind, window: Buffer.from(end, 'latin1') }))
  const shifts = new Uint8Array(1 << 15).fill(windowLength - 2)
  const buckets = new Map<number, (typeof rows)[number][]>()
  for (const row of rows) {
    for (let end = 2; end < windowLength; end++) {
      const key = keyOf(row.window[end - 2] ?? 0, row.window[end - 1] ?? 0, row.window[end] ?? 0)
      shifts[key] = Math.min(shifts[key] ?? 0, windowLength - 1 - end)
      if (end === windowLength - 1) buckets.set(key, [...(buckets.get(key) ?? []), row])
    }
  }
  return (bytes: Uint8Array, length: number, onWord: OnWord): void => {
    let at = windowLength - 1
    while (at < length) {
      const key = keyOf(bytes[at - 2] as number, bytes[at - 1] as number, bytes[at] as number)
      const shift = shifts[key] as number
      if (shift > 0) {
        at += shift
        continue
      }
      for (const { kind, window } of buckets.get(key) ?? [])
        if (equalsBefore(bytes, at, window) && !onWord(kind, at + 1)) return
      at += 1
    }
  }
}

function keyOf(one: number, two: number, three: number): number {
  return ((one & letters) << 10) | ((two & letters) << 5) | (three & letters)
}

function equalsBefore(bytes: Uint8Array, last: number, window: Uint8Array): boolean {
  for (let index = windowLength - 1; index >= 0; index--) {
    const byte = bytes[last - (windowLength - 1 - index)] as number
    if ((byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== window[index]) return false
  }
  return true
}
