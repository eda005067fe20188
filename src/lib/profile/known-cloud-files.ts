import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readVariable, type Env } from '../base/env.ts'
import { errorCode } from '../base/files.ts'
import { valueAt } from '../base/json.ts'
import { showValue } from '../base/printable.ts'
import type { CloudFile } from '../clouds/cloud-file.ts'
import { servicesOf, builtInProfileNames, knownClouds } from '../clouds/known-clouds.ts'
import { checkDocument, findUnknownFields, InvalidProfileError, withoutBlanks } from './parse-cloud-profile.ts'
import { ServiceError } from '../errors.ts'
import { fields } from './field-path.ts'
import { readProfileFile } from './read-profile-file.ts'

/** An operator has a few clouds. A folder with more files is the wrong one. */
const mostFiles = 200

/**
 * The clouds whose values are recognized: those that are known, and those of the folder PLATFORM_KNOWN_CLOUDS.
 *
 * @throws {ServiceError} as {@link readKnownClouds}.
 */
export function cloudsOf(env: Env, folder = readVariable(env, 'PLATFORM_KNOWN_CLOUDS')): readonly CloudFile[] {
  return folder === undefined ? knownClouds : [...knownClouds, ...readKnownClouds(folder)]
}

/**
 * Reads a folder of profile files. A file needs a name and a display name; every other field may be missing, and each that is present must
 * meet its rules.
 *
 * @throws {ServiceError} `SETTING_INVALID` for the folder, `PROFILE_UNREADABLE` or `PROFILE_INVALID` for a file.
 */
export function readKnownClouds(folder: string): readonly CloudFile[] {
  const names = namesIn(folder)
  if (names.length > mostFiles)
    throw invalidFolder(folder, `has ${names.length} profile files, and at most ${mostFiles}`)
  return names.map((name) => readSubset(join(folder, name)))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && name !== 'schema.json')
      .sort()
  } catch (error) {
    throw invalidFolder(folder, `cannot be read (${errorCode(error) ?? 'unknown error'})`)
  }
}

function invalidFolder(folder: string, problem: string): ServiceError {
  return new ServiceError(
    'SETTING_INVALID',
    `PLATFORM_KNOWN_CLOUDS must be a folder of profile files, but ${showValue(folder)} ${problem}`,
  )
}

function readSubset(path: string): CloudFile {
  const document = withoutBlanks(readProfileFile(path))
  const { problems = [] } = checkDocument(document)
  const needed = new Set(['', 'name', 'displayName'])
  const real = problems.filter((problem) => needed.has(problem.path) || valueAt(document, problem.path) !== undefined)
  if (real.length > 0)
    throw new InvalidProfileError('PROFILE_INVALID', `file ${path}`, real, findUnknownFields(document))
  return document as CloudFile
}

/** The required fields that a cloud file lacks. */
export function missingFields(cloud: CloudFile): string[] {
  return fields
    .filter(({ path, kind, isOptional }) => kind === 'text' && !isOptional && valueAt(cloud, path) === undefined)
    .map(({ path }) => path)
}

/** The names that PLATFORM_CLOUD accepts: the built-in profiles, and the known clouds whose files have every required field. */
export const selectableNames = (): readonly string[] => [
  ...new Set([
    ...builtInProfileNames,
    ...knownClouds.filter((cloud) => missingFields(cloud).length === 0).map(({ name }) => name),
  ]),
]

/** Every cloud with its values as data, for other programs: `clouds.json` of the release and `cloud-profile clouds --format json`. */
export function renderClouds(clouds: readonly CloudFile[] = knownClouds): object {
  return {
    clouds: clouds.map((cloud) => ({
      ...cloud,
      $schema: undefined,
      isSelectable: selectableNames().includes(cloud.name),
      services: servicesOf(cloud),
    })),
  }
}
