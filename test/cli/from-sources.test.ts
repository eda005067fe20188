import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { buildCommandLine } from '../../src/cli/build/build-command-line.ts'
import { useProcesses } from '../support/processes.ts'
import { copyProject, linkPackages } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()
const project = () => join(temp.path, 'project')
const packages = () => join(project(), 'node_modules')
const version = () =>
  run(['src/cli/from-sources.js', '--version'], {
    cwd: project(),
    // The cache of this test run would be in the way.
    env: { NODE_COMPILE_CACHE: undefined },
  })

beforeEach(() => {
  rmSync(project(), { recursive: true, force: true })
  linkPackages(copyProject(project()), { development: false })
})

test('what Node made of the sources is kept in the checkout, for the next command', async () => {
  expect(await version()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\d+\./) })
  const kept = readdirSync(join(packages(), '.cache/node'), { recursive: true }).length
  expect(kept).toBeGreaterThan(10)
  expect(await version()).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(join(packages(), '.cache/node'), { recursive: true })).toHaveLength(kept)
})

test('a checkout that cannot be written to works the same, and says nothing of it', async () => {
  writeFileSync(join(packages(), '.cache'), '')
  expect(await version()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\d+\./) })
})

test('the command of a package keeps nothing of the kind', async () => {
  const outdir = join(temp.path, 'cli')
  await buildCommandLine(outdir)
  const files = readdirSync(outdir).map((name) => readFileSync(join(outdir, name), 'utf8'))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => /compile-?cache/i.test(file))).toEqual([])
})
