import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CloudName } from './services.ts'

/** Words for the clouds in names of files. The retired German cloud counts as another one. */
const cloudWord =
  /(?<![a-z0-9])(?:azure[-_]?)?(?:(?<public>public(?:[-_]?cloud)?|commercial|global)|(?<usgovernment>(?:us[-_]?)?gov(?:ernment)?(?:[-_]?cloud)?|fairfax)|(?<china>china(?:[-_]?cloud)?|mooncake)|(?<germany>germany?(?:[-_]?cloud)?|blackforest))(?![a-z0-9])/i

type FileCloud = CloudName | 'germany'

interface NamedForCloud {
  readonly cloud: FileCloud
  /** The name with a mark in place of the cloud, equal for the files of all clouds. */
  readonly pattern: string
}

function readName(name: string): NamedForCloud | undefined {
  const found = cloudWord.exec(name)
  if (found === null) return undefined
  const cloud = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined)?.[0] as FileCloud
  const pattern = `${name.slice(0, found.index)}*${name.slice(found.index + found[0].length)}`.toLowerCase()
  return { cloud, pattern }
}

/** A table of clouds has the counterparts of two other clouds beside each value. */
const leastClouds = 3

/**
 * The cloud of a file in a table of clouds that is a set of files (`public.go`, `usgov.go`, `china.go`) or of folders with the same file. A
 * file without the files of two other clouds beside it has no cloud.
 */
export function createCloudFileReader(root: string): (path: string) => FileCloud | undefined {
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
      const folder = parts.slice(0, index).join('/')
      const rest = parts.slice(index + 1).join('/')
      const clouds = new Set<FileCloud>()
      for (const name of namesIn(folder)) {
        const other = readName(name)
        if (other?.pattern === own.pattern && existsSync(join(root, folder, name, rest))) clouds.add(other.cloud)
      }
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
