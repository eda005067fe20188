import { statSync } from 'node:fs'

import { isObject } from '../lib/base/json.ts'
import { isWideText, wideTextProblem } from '../lib/base/wide-text.ts'
import { StartError } from '../server/start-error.ts'
import type { StartErrorCode } from '../server/start-error.ts'
import { readRegularFile } from '../server/read-regular-file.ts'

const maxBytes = 1024 * 1024

export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Reads a JSON object from a file of at most 1 MiB. A byte-order mark is accepted.
 *
 * @returns `undefined` when there is no such file.
 * @throws {StartError} `code`, naming the path. The file's content is never echoed: it may hold secrets.
 */
export function readJsonFile(path: string, code: StartErrorCode): JsonObject | undefined {
  const text = readText(path, code)
  if (text === undefined) return undefined
  const value = parseJson(text.replace(/^\uFEFF/, ''), path, code)
  if (!isObject(value)) throw new StartError(code, `${path} must hold a JSON object.`)
  return value
}

function readText(path: string, code: StartErrorCode): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (!stats.isFile()) throw new StartError(code, `${path} is not a regular file.`)
  if (stats.size > maxBytes) throw new StartError(code, `${path} is larger than 1 MiB.`)
  const bytes = readBytes(path, code)
  if (isWideText(bytes)) throw new StartError(code, `${path} ${wideTextProblem}.`)
  return bytes.toString('utf8')
}

function readBytes(path: string, code: StartErrorCode): Buffer {
  try {
    return readRegularFile(path, maxBytes)
  } catch (error) {
    throw new StartError(code, `${path} cannot be read.`, { cause: error })
  }
}

function parseJson(text: string, path: string, code: StartErrorCode): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const place = error instanceof Error ? (/line \d+ column \d+/.exec(error.message)?.[0] ?? '') : ''
    throw new StartError(code, `${path} is not valid JSON${place === '' ? '' : ` (${place})`}.`)
  }
}
