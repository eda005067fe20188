/** The length of the searched text: of each word the last bytes, or all of it. */
const windowLength = 10

const letters = 0x1f

/** Receives a place where a word may end, which the caller verifies. @returns Whether to continue. */
export type OnWord = (word: number, end: number) => boolean

/**
 * Finds where any of many words ends, in any case of ASCII, in one pass that skips: the algorithm of Wu and Manber with blocks of three
 * bytes. Their lowest five bits are the key, which is the same for a letter in both cases; so the table fits the fastest cache.
 *
 * @param words Each at least ten bytes long. Only its last ten bytes are compared.
 */
export function createWordMatcher(words: readonly string[]) {
  const windows = words.map((word) => {
    if (word.length < windowLength) throw new Error(`${word} is shorter than ${windowLength}`)
    return Buffer.from(word.slice(-windowLength).toLowerCase(), 'latin1')
  })
  const shifts = new Uint8Array(1 << 15).fill(windowLength - 2)
  const buckets = new Map<number, number[]>()
  for (const [word, window] of windows.entries()) {
    for (let end = 2; end < windowLength; end++) {
      const key = keyOf(window[end - 2] ?? 0, window[end - 1] ?? 0, window[end] ?? 0)
      shifts[key] = Math.min(shifts[key] ?? 0, windowLength - 1 - end)
      if (end === windowLength - 1) buckets.set(key, [...(buckets.get(key) ?? []), word])
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
      for (const word of buckets.get(key) ?? []) {
        if (equalsBefore(bytes, at, windows[word] as Uint8Array) && !onWord(word, at + 1)) return
      }
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
    const lower = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
    if (lower !== window[index]) return false
  }
  return true
}
