/** A character of a path, or several of them. */
interface Token {
  readonly test: (character: string) => boolean
  /** Whether it takes any number of characters; a token for folders ends where the name of a file or folder begins. */
  readonly repeats?: 'inName' | 'folders'
}

/** A pattern as git writes it. Matching takes a bounded number of steps. */
export interface Pattern {
  readonly tokens: readonly Token[]
  /** The text of a pattern without signs. */
  readonly plain: string | undefined
  /** Whether it matches a path; else it matches a name, wherever that stands. */
  readonly isAnchored: boolean
  readonly isNegated: boolean
  readonly isFolder: boolean
}

const longestPattern = 400
const mostPatterns = 1000

/** One line of a `.gitignore`, or a pattern of `.gitattributes`. */
export function parsePattern(line: string): Pattern | undefined {
  const text = line.replace(/\r$/, '').replace(/(?<!\\)[ \t]{1,100}$/, '')
  if (text === '' || text.startsWith('#') || text.length > longestPattern) return undefined
  const [, negation = '', glob = '', end = ''] = /^(!?)(.*?)(\/?)$/s.exec(text) ?? []
  const parts = glob
    .replace(/^\//, '')
    .split('/')
    .filter((part, index, all) => !(part === '**' && all[index - 1] === '**'))
  const isAnchored = glob.includes('/')
  return {
    tokens: parts.flatMap((part, index) => tokensOf(part, index === parts.length - 1, isAnchored)),
    plain: isAnchored || /[*?[\\]/.test(glob) ? undefined : glob,
    isAnchored,
    isNegated: negation !== '',
    isFolder: end !== '',
  }
}

const inName: Token = { test: (character) => character !== '/', repeats: 'inName' }

function tokensOf(part: string, isLast: boolean, isAnchored: boolean): readonly Token[] {
  const anything = { test: () => true } as const
  // At the end, `**` stands for at least one name.
  if (part === '**' && isAnchored)
    return isLast ? [anything, { ...anything, repeats: 'inName' }] : [{ ...anything, repeats: 'folders' }]
  const tokens = [...part.matchAll(/\\(.?)|(\*+)|(\?)|\[([!^]?.[^\]]*)\]|./gs)].map(
    ([written, escaped, star, one, set]): Token => {
      if (star !== undefined) return inName
      if (one !== undefined) return { test: inName.test }
      if (set !== undefined) return setToken(set)
      return { test: (character) => character === (escaped ?? written) }
    },
  )
  return isLast ? tokens : [...tokens, { test: (character) => character === '/' }]
}

/** One of a set of characters: `a-z_`, `!0-9`. */
function setToken(set: string): Token {
  const isNegated = /^[!^]/.test(set)
  const ranges = [...set.slice(isNegated ? 1 : 0).matchAll(/(.)-(.)|(.)/gs)]
  const isIn = (character: string) =>
    ranges.some(([, from = '', to = '', one]) =>
      one === undefined ? from <= character && character <= to : one === character,
    )
  return { test: (character) => character !== '/' && isIn(character) !== isNegated }
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
  matches({ tokens, plain, isAnchored, isFolder }: Pattern, path: string, isPathFolder: boolean): boolean {
    if (this.isSpent || (isFolder && !isPathFolder)) return false
    const text = isAnchored ? path : path.slice(path.lastIndexOf('/') + 1)
    this.#left -= 1
    // Most patterns are the name of a file or a folder.
    if (plain !== undefined) return plain === text
    let reached = this.#follow(tokens, new Set([0]), true)
    for (const character of text) {
      const next = new Set<number>()
      for (const index of reached) {
        const token = tokens[index]
        if (token?.test(character) === true) next.add(token.repeats === undefined ? index + 1 : index)
      }
      reached = this.#follow(tokens, next, character === '/')
      if (reached.size === 0) return false
    }
    return reached.has(tokens.length)
  }

  /** Adds what stands behind tokens that may take nothing more. */
  #follow(tokens: readonly Token[], reached: Set<number>, isBegin: boolean): Set<number> {
    for (const index of reached) {
      this.#left -= 1
      const repeats = tokens[index]?.repeats
      if (repeats === 'inName' || (repeats === 'folders' && isBegin)) reached.add(index + 1)
    }
    return reached
  }

  /** Whether a pattern matches a path or a folder above it. */
  matchesFolderOrFile(pattern: Pattern, path: string): boolean {
    const parts = path.split('/')
    return parts.some((_, index) =>
      this.matches(pattern, parts.slice(0, index + 1).join('/'), index < parts.length - 1),
    )
  }
}
