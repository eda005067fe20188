import { statSync } from 'node:fs'
import { join } from 'node:path'

import { StartError } from '../server/start-error.ts'
import { readJsonFile } from './json-file.ts'

/**
 * The file that `main` of package.json names. The Node worker takes a glob pattern too, which is refused here.
 *
 * @returns An absolute path.
 * @throws {StartError} `PACKAGE_JSON_INVALID` or `ENTRY_POINT_INVALID`.
 */
export function findEntryPoint(appDirectory: string): string {
  const path = join(appDirectory, 'package.json')
  const json = readJsonFile(path, 'PACKAGE_JSON_INVALID')
  if (json === undefined) {
    throw new StartError('PACKAGE_JSON_INVALID', `${path} does not exist. Its "main" names the app's entry point.`)
  }
  const main = json['main']
  if (typeof main !== 'string' || main === '') {
    throw new StartError('PACKAGE_JSON_INVALID', `main in ${path} is missing. Name the app's entry point there.`)
  }
  const file = join(appDirectory, main)
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    const problem = /[*?[\]{}!]/.test(main) ? 'is a pattern: name one file' : 'does not exist. Build the app first'
    throw new StartError('ENTRY_POINT_INVALID', `${main}, named by main in ${path}, ${problem}.`)
  }
  if (file.endsWith('.mjs') || (json['type'] === 'module' && !file.endsWith('.cjs'))) {
    throw new StartError('ENTRY_POINT_INVALID', `${file} is an ES module. The local emulator loads CommonJS: use .cjs.`)
  }
  return file
}
