import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { copyProject, repository } from '../support/project-copy.ts'
import { loadPackage } from '../support/some-packages.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()
// Core tools judge files by a port of this package.
const { compile } = await loadPackage<{ compile: (text: string) => { accepts(path: string): boolean } }>(
  'gitignore-parser',
)
const ignore = compile(readFileSync(join(repository, '.funcignore'), 'utf8'))

test('func pack deploys the files of node scripts/main.ts package and no others', async () => {
  const project = copyProject(join(temp.path, 'project'))
  for (const path of ['docs', 'test', 'README.md'])
    cpSync(join(repository, path), join(project, path), { recursive: true })
  temp.write('project/local.settings.json', '{}')
  for (const command of ['build', 'package']) {
    expect(await run(['scripts/main.ts', command], { cwd: project })).toMatchObject({ code: 0 })
  }
  const files = readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1))
  expect(files).toContain('local.settings.json')
  const packed = Object.keys(unzipSync(readFileSync(join(project, 'dist/cloud-profile-service.zip'))))
  expect(files.filter((file) => ignore.accepts(file)).sort()).toEqual(packed.sort())
})

test.each([
  'node_modules/zod/index.js',
  '.git/config',
  'dist/lib/index.js',
  'dist/cli/cloud-profile.cjs',
  'local.settings.json',
])('func pack leaves %s out', (file) => {
  expect(ignore.accepts(file)).toBe(false)
})
