/** What stands between two slashes. */
interface Segment {
  readonly glob: string
  readonly isPlain: boolean
}

/**
 * Patterns as git writes them, in a bounded number of steps.
 */
export interface Pattern {
  readonly segments: readonly Segment[]
  readonly isNegated: boolean
  readonly isFolder: boolean
}

const longestPattern = 400
const mostPatterns = 1000

/** One line of a `.gitignore`, or a pattern of `.gitattributes`. */
export function parsePattern(line: string): Pattern | undefined {
  let text = line.replace(/\r$/, '').replace(/(?<!\\)[ \t]{1,100}$/, '')
  if (text === '' || text.startsWith('#') || text.length > longestPattern) return undefined
  const isNegated = text.startsWith('!')
  if (isNegated) text = text.slice(1)
  const isFolder = text.endsWith('/')
  if (isFolder) text = text.slice(0, -1)
  const isAnchored = text.includes('/')
  const segments = text
    .replace(/^\//, '')
    .split('/')
    .filter((segment, index, all) => !(segment === '**' && all[index - 1] === '**'))
  const all = isAnchored ? segments : ['**', ...segments]
  return { segments: all.map((glob) => ({ glob, isPlain: !/[*?[\\]/.test(glob) })), isNegated, isFolder }
}

export const parsePatterns = (text: string): readonly Pattern[] =>
  text
    .split('\n', mostPatterns * 4)
    .flatMap((line) => parsePattern(line) ?? [])
    .slice(0, mostPatterns)

/** Counts the steps of all patterns of a tree: its owner cannot spend more than the budget. */
export class PatternBudget {
  #left: number

  constructor(steps = 40_000_000) {
    this.#left = steps
  }

  get isSpent(): boolean {
    return this.#left <= 0
  }

  /** Whether a pattern matches a path below the folder of its file. */
  matches({ segments, isFolder }: Pattern, path: string, isPathFolder: boolean): boolean {
    if (this.isSpent || (isFolder && !isPathFolder)) return false
    const parts = path.split('/')
    const [first, second] = segments
    // Most patterns are the name of a file or a folder, wherever it stands.
    if (first?.glob === '**' && second !== undefined && segments.length === 2)
      return this.#matchesPart(second, parts.at(-1) ?? '')
    if (first?.isPlain === true && first.glob !== parts[0]) return false
    // Which beginnings of the path the segments so far match.
    let reached: boolean[] = Array.from({ length: parts.length + 1 }, (_, index) => index === 0)
    for (const [index, segment] of segments.entries()) {
      const next: boolean[] = Array.from({ length: parts.length + 1 }, () => false)
      this.#left -= parts.length
      if (segment.glob === '**') {
        let isOpen = false
        for (let at = 0; at <= parts.length; at++) {
          isOpen ||= reached[at] === true
          // At the end, `**` stands for at least one part.
          next[at] = index === segments.length - 1 ? isOpen && at > reached.indexOf(true) : isOpen
        }
      } else
        for (let at = 0; at < parts.length; at++)
          if (reached[at] === true && this.#matchesPart(segment, parts[at] ?? '')) next[at + 1] = true
      reached = next
      if (!reached.includes(true)) return false
    }
    return reached[parts.length] === true
  }

  /** Whether a pattern matches a path or a folder above it. */
  matchesFolderOrFile(pattern: Pattern, path: string): boolean {
    const parts = path.split('/')
    return parts.some((_, index) =>
      this.matches(pattern, parts.slice(0, index + 1).join('/'), index < parts.length - 1),
    )
  }

  #matchesPart({ glob, isPlain }: Segment, text: string): boolean {
    this.#left -= 1
    if (isPlain) return glob === text
    let [at, in_, star, mark] = [0, 0, -1, 0]
    while (in_ < text.length) {
      this.#left -= 1
      if (this.#left <= 0) return false
      const one = at < glob.length && glob[at] !== '*' ? matchOne(glob, at, text[in_] ?? '') : 0
      if (one > 0) {
        at += one
        in_ += 1
      } else if (glob[at] === '*') {
        star = at
        mark = in_
        at += 1
      } else if (star !== -1) {
        at = star + 1
        mark += 1
        in_ = mark
      } else return false
    }
    while (glob[at] === '*') at += 1
    return at === glob.length
  }
}

/** How many characters of a glob match one of a name; 0 for none. */
function matchOne(glob: string, at: number, character: string): number {
  const sign = glob[at]
  if (sign === '?') return 1
  if (sign === '\\') return glob[at + 1] === character ? 2 : 0
  if (sign !== '[') return sign === character ? 1 : 0
  const close = glob.indexOf(']', at + 2)
  if (close === -1) return character === '[' ? 1 : 0
  const set = glob.slice(at + 1, close)
  const isNegated = /^[!^]/.test(set)
  let isIn = false
  for (let index = isNegated ? 1 : 0; index < set.length; index++) {
    const [from = '', to] = [set[index], set[index + 1] === '-' && index + 2 < set.length ? set[index + 2] : undefined]
    if (to === undefined ? from === character : from <= character && character <= to) isIn = true
    if (to !== undefined) index += 2
  }
  return isIn === isNegated ? 0 : close - at + 1
}
