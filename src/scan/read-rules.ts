import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** A longer file of rules is no work of people: each file of the tree would be compared with each rule. */
const longestRules = 256_000

/**
 * The text of a `.gitignore` or `.gitattributes`, or nothing where there is none. Never follows a link, waits for a pipe, or opens a device.
 */
export function readRules(path: string): string | undefined {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const status = fstatSync(file)
    if (!status.isFile() || status.size > longestRules) return undefined
    const bytes = Buffer.alloc(status.size)
    let length = 0
    for (let count = 1; count > 0 && length < bytes.length; length += count)
      count = readSync(file, bytes, length, bytes.length - length, null)
    return bytes.toString('utf8', 0, length)
  } catch {
    return undefined
  } finally {
    closeSync(file)
  }
}
