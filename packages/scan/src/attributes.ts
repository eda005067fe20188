import { dirname, join } from 'node:path'
import { existsSync, readdirSync } from 'node:fs'
import { parsePattern, type Pattern, type PatternBudget } from './ignore-rules.ts'
import type { Role } from './place.ts'
import { longestRules, readRegularFile } from './read-file.ts'
import { retiredCloud } from './clouds.ts'

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
  const known = new Map<string, readonly Attribute[]>()
  const attributesOf = (folder: string): readonly Attribute[] => {
    const found = known.get(folder) ?? readAttributes(join(root, folder, '.gitattributes'))
    known.set(folder, found)
    return found
  }
  return (path) => {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const below = folder === '.' ? path : path.slice(folder.length + 1)
      const last = attributesOf(folder === '.' ? '' : folder).findLast(({ pattern }) =>
        budget.matches(pattern, below, false),
      )
      if (last !== undefined) return last.role
      if (folder === '.') return undefined
    }
  }
}

function readAttributes(file: string): readonly Attribute[] {
  const read = readRegularFile(file, longestRules)
  if ('reason' in read) return []
  const rows = read.bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.includes('linguist-'))
    .slice(0, 1000)
  return rows.flatMap((line) => {
    const [written = '', ...words] = line.trim().split(/\s+/)
    const pattern = written.startsWith('[') ? undefined : parsePattern(written)
    if (pattern === undefined || pattern.isNegated) return []
    return words.flatMap((word) => {
      const [name = '', value = 'true'] = word.replace(/^-/, '').split('=')
      const role = roles[name]
      return role === undefined
        ? []
        : [{ pattern, role: !word.startsWith('-') && value !== 'false' ? role : undefined }]
    })
  })
}

/** Words for the clouds in names of files. The retired German cloud counts as another one. */
const cloudWord =
  /(?<![a-z0-9])(?:azure[-_]?)?(?:(?<public>public(?:[-_]?cloud)?|commercial|global)|(?<usgovernment>(?:us[-_]?)?gov(?:ernment)?(?:[-_]?cloud)?|fairfax)|(?<china>china(?:[-_]?cloud)?|mooncake)|(?<germany>germany?(?:[-_]?cloud)?|blackforest))(?![a-z0-9])/i

/** The name with a mark in place of the cloud, equal for the files of all clouds. */
function readName(name: string): { readonly cloud: string; readonly pattern: string } | undefined {
  const found = cloudWord.exec(name)
  const cloud = Object.entries(found?.groups ?? {}).find(([, text]) => text !== undefined)?.[0]
  if (found === null || cloud === undefined) return undefined
  return {
    cloud: cloud === 'germany' ? retiredCloud : cloud,
    pattern: `${name.slice(0, found.index)}*${name.slice(found.index + found[0].length)}`.toLowerCase(),
  }
}

/** A table of clouds has the counterparts of two other clouds beside each value. */
const leastClouds = 3

/**
 * The cloud of a file in a table of clouds that is a set of files (`public.go`, `usgov.go`, `china.go`) or of folders with the same file. A
 * file without the files of two other clouds beside it has no cloud.
 */
export function createCloudFileReader(root: string): (path: string) => string | undefined {
  const known = new Map<string, readonly string[]>()
  const namesIn = (folder: string): readonly string[] => {
    const names = known.get(folder) ?? readFolder(join(root, folder))
    known.set(folder, names)
    return names
  }
  return (path) => {
    const parts = path.split('/')
    for (const [index, part] of parts.entries()) {
      const own = readName(part)
      if (own === undefined) continue
      const [folder, rest] = [parts.slice(0, index).join('/'), parts.slice(index + 1).join('/')]
      const clouds = new Set(
        namesIn(folder).flatMap((name) => {
          const other = readName(name)
          return other?.pattern === own.pattern && existsSync(join(root, folder, name, rest)) ? [other.cloud] : []
        }),
      )
      if (clouds.size >= leastClouds) return own.cloud
    }
    return undefined
  }
}

function readFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
