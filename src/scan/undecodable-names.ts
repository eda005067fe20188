import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const replacement = '\uFFFD'
const separator = Buffer.from('/')

/** The bytes of a path with names that are not UTF-8, or nothing if there is no such file. Of several names with the same text it is the first. */
function bytesOfPath(root: string, path: string): Buffer | undefined {
  let found: Buffer = Buffer.from(root)
  for (const part of path.split('/')) {
    const name = part.includes(replacement) ? nameIn(found, part) : Buffer.from(part)
    if (name === undefined) return undefined
    found = Buffer.concat([found, separator, name])
  }
  return found
}

function nameIn(folder: Buffer, text: string): Buffer | undefined {
  try {
    return readdirSync(folder, 'buffer').find((name) => name.toString() === text)
  } catch {
    return undefined
  }
}

/** The path for the file system. The text of a name that is not UTF-8 opens nothing. @param path From the root, with `/`. */
export function openablePath(root: string, path: string): string | Buffer {
  return (path.includes(replacement) ? bytesOfPath(root, path) : undefined) ?? join(root, path)
}
