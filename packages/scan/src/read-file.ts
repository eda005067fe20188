import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../../src/lib/base/files.ts'

/** Opens a regular file. Never follows a link, waits for a pipe, or opens a device. @returns Nothing if the path is something else. */
export function openRegularFile(path: string | Buffer): { readonly file: number; readonly size: number } | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const status = fstatSync(file)
  if (status.isFile()) return { file, size: status.size }
  closeSync(file)
  return undefined
}

/** Reads until a buffer has so many bytes or the file ends, whatever it grows or shrinks to meanwhile. */
export function fill(buffer: Buffer, file: number, from: number, to: number): number {
  let length = from
  for (let count = 1; count > 0 && length < to; length += count)
    count = readSync(file, buffer, length, to - length, null)
  return length
}

/** A longer file of rules is no work of people. */
export const longestRules = 256_000

/** A regular file of at most so many bytes, or why it is not read. */
export type ReadFile = { readonly bytes: Buffer } | { readonly reason: string }

export function readRegularFile(path: string, longest: number): ReadFile {
  let opened
  try {
    opened = openRegularFile(path)
  } catch (error) {
    return { reason: errorCode(error) === 'ELOOP' ? 'is a link' : 'cannot be read' }
  }
  if (opened === undefined) return { reason: 'is not a file' }
  const { file, size } = opened
  try {
    if (size > longest) return { reason: `is longer than ${Math.round(longest / 1000)} kB` }
    const bytes = Buffer.alloc(size)
    return { bytes: bytes.subarray(0, fill(bytes, file, 0, size)) }
  } catch {
    return { reason: 'cannot be read' }
  } finally {
    closeSync(file)
  }
}

const replacement = '\uFFFD'

/** The path for the file system: the text of a name that is not UTF-8 opens nothing. @param path From the root, with `/`. */
export function openablePath(root: string, path: string): string | Buffer {
  if (!path.includes(replacement)) return join(root, path)
  let found: Buffer = Buffer.from(root)
  for (const part of path.split('/')) {
    const name = part.includes(replacement)
      ? namesIn(found).find((each) => each.toString() === part)
      : Buffer.from(part)
    if (name === undefined) return join(root, path)
    found = Buffer.concat([found, Buffer.from('/'), name])
  }
  return found
}

/** The names in a folder; none where it cannot be read. */
export function namesIn(folder: string | Buffer): readonly Buffer[] {
  try {
    return readdirSync(folder, 'buffer')
  } catch {
    return []
  }
}
