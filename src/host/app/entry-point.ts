import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { HostError } from '../errors.ts'
import { readJsonFile } from '../config/json-file.ts'

/**
 * The files that `main` of package.json names: one file, or a glob pattern, as the Node worker accepts.
 *
 * @returns Absolute paths in alphabetical order; at least one.
 * @throws {HostError} `PACKAGE_JSON_INVALID` or `ENTRY_POINT_INVALID`.
 */
export function findEntryPoints(appDirectory: string): readonly string[] {
  const path = join(appDirectory, 'package.json')
  const json = readJsonFile(path, 'PACKAGE_JSON_INVALID')
  if (json === undefined) {
    throw new HostError('PACKAGE_JSON_INVALID', `${path} does not exist. Its "main" names the app's entry point.`)
  }
  const main = json['main']
  if (typeof main !== 'string' || main === '') {
    throw new HostError('PACKAGE_JSON_INVALID', `main in ${path} is missing. Name the app's entry point there.`)
  }
  const files = matchFiles(appDirectory, main)
  if (files.length === 0) {
    throw new HostError(
      'ENTRY_POINT_INVALID',
      `${main}, named by main in ${path}, does not exist. Build the app first.`,
    )
  }
  for (const file of files) {
    if (file.endsWith('.mjs') || (json['type'] === 'module' && !file.endsWith('.cjs'))) {
      throw new HostError('ENTRY_POINT_INVALID', `${file} is an ES module. The embedded host loads CommonJS: use .cjs.`)
    }
  }
  return files
}

function matchFiles(appDirectory: string, main: string): string[] {
  const names = /[*?[\]{}!]/.test(main) ? globSync(main, { cwd: appDirectory }).toSorted() : [main]
  return names
    .map((name) => join(appDirectory, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
}
