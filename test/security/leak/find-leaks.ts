import type { LeakDetector } from './leak-detector.ts'
import type { Output } from './observe.ts'

/** A secret that was shown, with enough to find the place. */
export interface Leak {
  readonly title: string
  readonly where: Output['where']
  readonly name: string
  /** The start of the line. */
  readonly line: string
}

/** The leaks in outputs, each of whose lines is read once: most are the same everywhere. */
export function findLeaks(outputs: readonly (Output & { readonly title: string })[], detector: LeakDetector): Leak[] {
  const seen = new Set<string>()
  return outputs.flatMap(({ title, where, text }) =>
    text.split('\n').flatMap((line) => {
      if (seen.has(line)) return []
      seen.add(line)
      return detector.find(line).map((name) => ({ title, where, name, line: line.slice(0, 200) }))
    }),
  )
}
