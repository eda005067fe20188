import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { copyProject, repository } from '../support/project-copy.ts'
import { loadPackage } from '../support/some-packages.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()
// Core tools judge files by a port of this package.
type Parser = { compile: (text: string) => { accepts(path: string): boolean } }
const { compile } = await loadPackage<Parser>('gitignore-parser')
const ignore = compile(readFileSync(join(repository, '.funcignore'), 'utf8'))

const listDeployed = `const { buildBundle } = await import('./build.ts')
const { deployedFiles } = await import('./scripts/release/package-files.ts')
const { readSources } = await import('./scripts/release/sources.ts')
const files = await deployedFiles((await buildBundle()).files, '', await readSources())
console.log([...files.keys()].join(' '))`

test('func pack deploys the files of the zip of the release and no others', async () => {
  const project = copyProject(join(temp.path, 'project'))
  // The second test names the packages. A listing would follow the links to them.
  const filter = (source: string) => !source.endsWith('node_modules')
  for (const path of ['docs', 'test', 'README.md'])
    cpSync(join(repository, path), join(project, path), { recursive: true, filter })
  temp.write('project/local.settings.json', '{}')
  expect(await run(['scripts/main.ts', 'build'], { cwd: project })).toMatchObject({ code: 0 })
  const { stdout } = await run(['--input-type=module', '-e', listDeployed], { cwd: project })
  rmSync(join(project, 'node_modules'), { recursive: true })
  const files = readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1))
  expect(files).toContain('local.settings.json')
  expect(files.filter((file) => ignore.accepts(file)).sort()).toEqual(stdout.trim().split(' ').sort())
})

test('func pack leaves packages, the repository, other builds and local settings out', () => {
  const others = [
    'node_modules/zod/index.js',
    'test/packages/node_modules/x/index.js',
    '.git/config',
    'dist/lib/index.js',
    'dist/cli/cloud-profile.cjs',
  ]
  for (const file of [...others, 'local.settings.json']) expect([file, ignore.accepts(file)]).toEqual([file, false])
})
