/** Counts the calls under way, so that a stop can wait for their end. */
export interface Activity {
  begin(): void
  end(): void
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

export function createActivity(): Activity {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    begin() {
      count += 1
    },
    end() {
      count -= 1
      if (count > 0) return
      for (const resolve of waiting) resolve()
      waiting = []
    },
    idle: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
