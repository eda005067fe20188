/** Results by key, each of work that ran once for all who asked for it. */
export interface Kept<T> {
  /** The result that is under way or still good for this key; else that of `work`, which is started. */
  get(key: string, work: () => Promise<T>): Promise<T>
  /** The result of this key, once it is there, is reused for so many more milliseconds at most. */
  shorten(key: string, ms: number): void
  /** Whoever asks from now on starts anew. */
  forget(key: string): void
}

export interface KeepOptions {
  /** How many keys are remembered; the ones asked for longest ago go first. Default is 100. */
  readonly most?: number
  /** Milliseconds by a clock that is never set. Default is `performance.now`. */
  readonly now?: () => number
}

/**
 * The one way a result is shared and kept: whoever asks while work runs gets its outcome, and a result is reused for as long as it is
 * good. A failure reaches all who wait and is not kept. Ages are told by a monotonic clock: one that is set back would freeze them.
 *
 * @param goodForMs Milliseconds from its arrival that a result is reused; 0 for not at all.
 */
export function keep<T>(
  goodForMs: (result: T) => number,
  { most = 100, now = () => performance.now() }: KeepOptions = {},
): Kept<T> {
  const entries = new Map<string, { readonly answer: Promise<T>; until: number }>()
  return {
    get(key, work) {
      const known = entries.get(key)
      if (known !== undefined && now() < known.until) return known.answer
      const entry = { answer: work(), until: Number.POSITIVE_INFINITY }
      entries.delete(key)
      entries.set(key, entry)
      const oldest = entries.size > most ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
      entry.answer.then(
        (result) => (entry.until = now() + goodForMs(result)),
        () => (entry.until = Number.NEGATIVE_INFINITY),
      )
      return entry.answer
    },
    forget: (key) => void entries.delete(key),
    shorten(key, ms) {
      const entry = entries.get(key)
      if (entry !== undefined && Number.isFinite(entry.until)) entry.until = Math.min(entry.until, now() + ms)
    },
  }
}
