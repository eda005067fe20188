import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zipSync, type Zippable } from 'fflate'
import { buildBundle } from '../../../build.ts'
import { appDirectory as root } from '../app-directory.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit.ts'

const archive = 'dist/cloud-profile-service.zip'

/** The same bytes on every machine: one date, in local time because that is what a zip stores, and one system (Unix). */
const attributes = { mtime: new Date(1980, 0, 1), os: 3, level: 9 } as const

export const command = defineCommand({
  about: 'Builds the bundle, and packs what is deployed and nothing else.',
  options: {},
  async run(_given, { print }) {
    const built = await buildBundle()
    const profiles = (await readdir(join(root, 'cloud-profiles'))).map((name) => `cloud-profiles/${name}`)
    const names = ['host.json', ...built, ...profiles]
    const files: Zippable = { 'package.json': [new TextEncoder().encode(await deployedPackage()), attributes] }
    for (const name of names) files[name] = [await readFile(join(root, name)), attributes]
    const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))
    const bytes = zipSync(sorted)
    await writeFile(join(root, archive), bytes)
    print(`${archive}: ${Object.keys(sorted).length} files, ${Math.round(bytes.length / 1000)} kB\n`)
    return exitCodes.passed
  },
})

/** Without dependencies, so that no host tries to install any: all of them are in the bundle. */
async function deployedPackage(): Promise<string> {
  const { name, version, type, main, engines } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>
  return `${JSON.stringify({ name, version, type, main, engines }, undefined, 2)}\n`
}
