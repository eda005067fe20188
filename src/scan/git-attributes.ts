import { dirname, join } from 'node:path'
import ignore from 'ignore'
import type { Role } from './classify-path.ts'
import { readRules } from './read-rules.ts'

/** The attributes in `.gitattributes` of generated and vendored files. */
const roles: Readonly<Record<string, Role>> = {
  'linguist-generated': 'generated',
  'linguist-vendored': 'vendored',
  'linguist-documentation': 'note',
}

interface Attribute {
  readonly matcher: ReturnType<typeof ignore>
  /** Nothing for an attribute that is taken back. */
  readonly role: Role | undefined
}

/** Reads the `.gitattributes` above a path, each once. The nearest, and in it the last line, wins. */
export function createAttributeReader(root: string): (path: string) => Role | undefined {
  const known = new Map<string, readonly Attribute[]>()
  const attributesOf = (folder: string): readonly Attribute[] => {
    const found = known.get(folder) ?? readAttributes(join(root, folder, '.gitattributes'))
    known.set(folder, found)
    return found
  }
  return (path) => {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const below = folder === '.' ? path : path.slice(folder.length + 1)
      const last = attributesOf(folder === '.' ? '' : folder).findLast(({ matcher }) => matcher.ignores(below))
      if (last !== undefined) return last.role
      if (folder === '.') return undefined
    }
  }
}

/** Each file of the tree is compared with each row. */
const mostRows = 1000

function readAttributes(file: string): readonly Attribute[] {
  const text = readRules(file) ?? ''
  const rows = text
    .split('\n')
    .filter((line) => line.includes('linguist-'))
    .slice(0, mostRows)
  return rows.flatMap((line) => {
    const [pattern = '', ...words] = line.trim().split(/\s+/)
    if (pattern === '' || pattern.startsWith('#') || pattern.startsWith('[')) return []
    return words.flatMap((word) => {
      const [name = '', value = 'true'] = word.replace(/^-/, '').split('=')
      const role = roles[name]
      if (role === undefined) return []
      const isSet = !word.startsWith('-') && value !== 'false'
      return [{ matcher: ignore({ allowRelativePaths: true }).add(pattern), role: isSet ? role : undefined }]
    })
  })
}
