import { dirname, join } from 'node:path'
import { retiredCloud } from './clouds.ts'
import { parsePattern, type PatternBudget } from './ignore-rules.ts'
import type { Role } from './place.ts'
import { remembered } from './lists.ts'
import { longestRules, namesIn, readRegularFile } from './read-file.ts'

const roles: Readonly<Record<string, Role>> = {
  'linguist-generated': 'generated',
  'linguist-vendored': 'vendored',
  'linguist-documentation': 'documentation',
}

/** Reads the `.gitattributes` above a path, each once. The nearest, and in it the last line, wins. */
export function createAttributeReader(root: string, budget: PatternBudget): (path: string) => Role | undefined {
  const attributesOf = remembered((folder) => readAttributes(join(root, folder, '.gitattributes')))
  return (path) => {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const below = folder === '.' ? path : path.slice(folder.length + 1)
      const last = attributesOf(folder).findLast(({ pattern }) => budget.matches(pattern, below, false))
      if (last !== undefined || folder === '.') return last?.role
    }
  }
}

function readAttributes(file: string) {
  const read = readRegularFile(file, longestRules)
  if ('reason' in read) return []
  const rows = read.bytes.toString('utf8').split('\n')
  const known = rows.filter((line) => line.includes('linguist-')).slice(0, 1000)
  return known.flatMap((line) => {
    const [written = '', ...words] = line.trim().split(/\s+/)
    const pattern = written.startsWith('[') ? undefined : parsePattern(written)
    if (pattern === undefined || pattern.isNegated) return []
    return words.flatMap((word) => {
      const [name = '', value] = word.replace(/^-/, '').split('=')
      const isSet = !word.startsWith('-') && value !== 'false'
      // Without a role the line unsets the attribute (`-linguist-generated`).
      return roles[name] === undefined ? [] : [{ pattern, role: isSet ? roles[name] : undefined }]
    })
  })
}

const wordOf = (words: string) => new RegExp(`(?<![a-z0-9])(?:azure[-_]?)?(?:${words})(?![a-z0-9])`, 'i')
const publicWord = wordOf('public(?:[-_]?cloud)?|commercial|global')
/** Words for the other clouds in names of files. */
const otherWords: readonly (readonly [cloud: string, word: RegExp])[] = [
  ['usgovernment', wordOf('(?:us[-_]?)?gov(?:ernment)?(?:[-_]?cloud)?|fairfax')],
  ['china', wordOf('china(?:[-_]?cloud)?|mooncake|mc')],
  [retiredCloud, wordOf('germany?(?:[-_]?cloud)?|blackforest')],
]

/**
 * The cloud that the name of a file or folder says (`usgov.go`, `environments/china`). The public one has a name only beside the file of
 * another cloud: the word is a common one.
 */
export function createCloudFileReader(root: string): (path: string) => string | undefined {
  /** The names in a folder that say another cloud, with a mark in the place of the word. */
  const othersIn = remembered((folder) => {
    const names = namesIn(join(root, folder)).map(String)
    return new Set(
      otherWords.flatMap(([, word]) => names.filter((name) => word.test(name)).map((name) => name.replace(word, '*'))),
    )
  })
  return (path) => {
    const parts = path.split('/')
    const other = otherWords.find(([, word]) => parts.some((part) => word.test(part)))
    if (other !== undefined) return other[0]
    const isPublic = (part: string, index: number) =>
      publicWord.test(part) && othersIn(parts.slice(0, index).join('/')).has(part.replace(publicWord, '*'))
    return parts.some(isPublic) ? 'public' : undefined
  }
}
