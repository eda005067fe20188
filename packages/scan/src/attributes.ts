import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { retiredCloud } from './clouds.ts'
import { parsePattern, type Pattern, type PatternBudget } from './ignore-rules.ts'
import type { Role } from './place.ts'
import { longestRules, readRegularFile } from './read-file.ts'

/** A function that reads each key once. */
function remembered<T>(read: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    const value = known.has(key) ? (known.get(key) as T) : read(key)
    known.set(key, value)
    return value
  }
}

const roles: Readonly<Record<string, Role>> = {
  'linguist-generated': 'generated',
  'linguist-vendored': 'vendored',
  'linguist-documentation': 'documentation',
}

interface Attribute {
  readonly pattern: Pattern
  /** Nothing for an attribute that is taken back. */
  readonly role: Role | undefined
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

function readAttributes(file: string): readonly Attribute[] {
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
      return roles[name] === undefined ? [] : [{ pattern, role: isSet ? roles[name] : undefined }]
    })
  })
}

/** Words for the clouds in names of files. The retired German cloud counts as another one. */
const cloudWords: readonly (readonly [cloud: string, word: RegExp])[] = [
  ['public', /(?<![a-z0-9])(?:azure[-_]?)?(?:public(?:[-_]?cloud)?|commercial|global)(?![a-z0-9])/i],
  ['usgovernment', /(?<![a-z0-9])(?:azure[-_]?)?(?:(?:us[-_]?)?gov(?:ernment)?(?:[-_]?cloud)?|fairfax)(?![a-z0-9])/i],
  ['china', /(?<![a-z0-9])(?:azure[-_]?)?(?:china(?:[-_]?cloud)?|mooncake)(?![a-z0-9])/i],
  [retiredCloud, /(?<![a-z0-9])(?:azure[-_]?)?(?:germany?(?:[-_]?cloud)?|blackforest)(?![a-z0-9])/i],
]

/** A table of clouds has the counterparts of two other clouds beside each value. */
const leastClouds = 3

/**
 * The cloud of a file in a table of clouds that is a set of files (`public.go`, `usgov.go`, `china.go`) or of folders with the same file. A
 * file without the files of two other clouds beside it has no cloud.
 */
export function createCloudFileReader(root: string): (path: string) => string | undefined {
  const namesIn = remembered((folder) => {
    try {
      return readdirSync(join(root, folder))
    } catch {
      return []
    }
  })
  /** The cloud in a name, and the name with a mark in its place. */
  const readName = (name: string) => {
    const found = cloudWords.find(([, word]) => word.test(name))
    return found === undefined ? undefined : { cloud: found[0], rest: name.replace(found[1], '*').toLowerCase() }
  }
  return (path) => {
    const parts = path.split('/')
    for (const [index, part] of parts.entries()) {
      const own = readName(part)
      if (own === undefined) continue
      const [folder, below] = [parts.slice(0, index).join('/'), parts.slice(index + 1).join('/')]
      const others = namesIn(folder).filter((name) => {
        return readName(name)?.rest === own.rest && existsSync(join(root, folder, name, below))
      })
      if (new Set(others.map((name) => readName(name)?.cloud)).size >= leastClouds) return own.cloud
    }
    return undefined
  }
}
