import { errorCode, FileProblem, isWideText, readRegularFile, wideTextProblem } from '../base/files.ts'
import { ServiceError } from '../errors.ts'
import { repeatedNames, valueAt } from '../base/json.ts'
import { quote, showValue } from '../base/printable.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readVariable, type Env } from '../base/env.ts'
import type { CloudFile } from '../clouds/cloud-profile.ts'
import { isSameCloud } from '../clouds/equal-values.ts'
import { builtInProfileNames, knownClouds, servicesOf } from '../clouds/known-clouds.ts'
import { checkDocument, copyOf, findUnknownFields, InvalidProfileError } from './parse-cloud-profile.ts'
import { fields, shapeOf } from './field-path.ts'

const maxBytes = 1024 * 1024

/** Reads one JSON file. The error names the path and says what to do, without any of the content. */
export function readProfileFile(path: string): unknown {
  return parseProfileText(readProfileText(path), path)
}

/** A file of at most 1 MiB of UTF-8, without its byte order mark. Never waits: a pipe, a device or a directory is refused. */
export function readProfileText(path: string): string {
  if (path.includes('\0')) throw unreadable(path, 'is not a path')
  let bytes: Buffer
  try {
    bytes = readRegularFile(path, maxBytes)
  } catch (error) {
    throw unreadable(path, error instanceof FileProblem ? problems[error.kind] : problemOf(path, errorCode(error)))
  }
  if (isWideText(bytes)) throw unreadable(path, wideTextProblem)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable(path, 'is not UTF-8; save it as UTF-8')
  }
}

/** @param path For messages. */
export function parseProfileText(text: string, path: string): unknown {
  if (text.trim() === '') throw unreadable(path, 'is empty; it must contain one JSON object')
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    // V8's message quotes the content, so the error has only the position.
    const [place = ''] = / \(line \d+ column \d+\)/.exec(String(error)) ?? []
    throw unreadable(path, `is not valid JSON${place}; JSON has no comments and no comma before a closing bracket`)
  }
  // Parsers use the last of two values, and a reviewer may have seen only the first.
  const [repeated] = repeatedNames(text).keys()
  if (repeated !== undefined)
    throw unreadable(path, `contains the name ${quote(repeated.slice(0, 64))} twice; remove one`)
  return document
}

const problems: Readonly<Record<FileProblem['kind'], string>> = {
  directory: 'is a directory; it must be a regular file',
  special: 'is a pipe or device; it must be a regular file',
  'too large': 'is larger than 1 MiB',
}

function problemOf(path: string, code = 'unknown error'): string {
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by this process; check its permissions'
  if (code === 'ELOOP') return 'is a symbolic link that leads to itself'
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return `cannot be read (${code})`
  if (/^["']/.test(path)) return 'does not exist; remove the quotation marks'
  return path.startsWith('~') ? 'does not exist; ~ is not expanded, so write the whole path' : 'does not exist'
}

function unreadable(path: string, problem: string): ServiceError {
  const shown = quote(path.length > 300 ? `${path.slice(0, 300)}…` : path)
  const message = `Custom profile file ${shown} ${problem}. Check CUSTOM_CLOUD_PROFILE_PATH or the path given`
  return new ServiceError('PROFILE_UNREADABLE', message)
}

/** An operator has a few clouds. A folder with more files is the wrong one. */
const mostFiles = 200

/** The clouds whose values are recognized: the known ones, and the files in the folder PLATFORM_KNOWN_CLOUDS. */
export function cloudsOf(env: Env, folder = readVariable(env, 'PLATFORM_KNOWN_CLOUDS')): readonly CloudFile[] {
  return folder === undefined ? knownClouds : [...knownClouds, ...readKnownClouds(folder)]
}

/** Reads a folder of profile files. A file needs only the names; each other field that is present must meet its rules. */
export function readKnownClouds(folder: string): readonly CloudFile[] {
  const names = namesIn(folder)
  if (names.length > mostFiles)
    throw invalidFolder(folder, `has ${names.length} profile files, and at most ${mostFiles}`)
  const clouds = names.map((name) => readSubset(join(folder, name)))
  for (const [index, cloud] of clouds.entries()) {
    // A copy of a known cloud is the same cloud.
    const isKnown = knownClouds.some((each) => each.name === cloud.name && !isSameCloud(each, cloud))
    if (isKnown || clouds.some(({ name }, other) => other !== index && name === cloud.name))
      throw invalidFolder(folder, `has a second cloud with the name ${quote(cloud.name)}. Rename one`)
  }
  return clouds
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && name !== 'schema.json')
      .toSorted()
  } catch (error) {
    throw invalidFolder(folder, `cannot be read (${errorCode(error) ?? 'unknown error'})`)
  }
}

function invalidFolder(folder: string, problem: string): ServiceError {
  const message = `PLATFORM_KNOWN_CLOUDS must be a folder of profile files, but ${showValue(folder)} ${problem}`
  return new ServiceError('SETTING_INVALID', message)
}

function readSubset(path: string): CloudFile {
  const document = copyOf(readProfileFile(path), `file ${path}`)
  const problems = problemsOfPart(document)
  if (problems.length === 0) return document as CloudFile
  throw new InvalidProfileError('PROFILE_INVALID', `file ${path}`, problems, findUnknownFields(document))
}

/** The problems of a file with a part of a profile: only the names are required. */
export function problemsOfPart(document: unknown) {
  const { problems = [] } = checkDocument(document)
  const needed = new Set(['', 'name', 'displayName'])
  return problems.filter(({ path }) => needed.has(path) || valueAt(document, path) !== undefined)
}

/** The required fields that are missing in a cloud file. */
export function missingFields(cloud: CloudFile): string[] {
  return fields
    .filter((field) => shapeOf(field) === undefined && !field.isOptional && valueAt(cloud, field.path) === undefined)
    .map(({ path }) => path)
}

/** The names of the clouds with a complete file: the built-in profiles, and some known clouds. */
export const completeClouds = (): readonly string[] => {
  const complete = knownClouds.filter((cloud) => missingFields(cloud).length === 0)
  return [...new Set([...builtInProfileNames, ...complete.map(({ name }) => name)])]
}

/** Every cloud with its values as data, for other programs: `clouds.json` of the release and `cloud-profile clouds --format json`. */
export function renderClouds(clouds: readonly CloudFile[] = knownClouds): object {
  return {
    clouds: clouds.map((cloud) => ({
      ...cloud,
      $schema: undefined,
      isSelectable: builtInProfileNames.includes(cloud.name),
      services: servicesOf(cloud),
    })),
  }
}
