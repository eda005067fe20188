import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { installPackages } from '../../scripts/install-packages.ts'
import { repository } from './project-copy.ts'

const folder = 'test/packages'

/** A set-up of vitest: installs the packages that only some test commands need. */
export const setup = () => installPackages(folder)

export const fileOfPackage = (name: string): string =>
  createRequire(join(repository, folder, 'package.json')).resolve(name)

/** Loads one of these packages. The caller knows its type. */
export async function loadPackage<T>(name: string): Promise<T> {
  return (await import(/* @vite-ignore */ pathToFileURL(fileOfPackage(name)).href)) as T
}
