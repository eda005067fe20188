import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
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
    // Not the cache of this test run.
    env: { NODE_COMPILE_CACHE: undefined },
  })

beforeEach(() => {
  rmSync(project(), { recursive: true, force: true })
  linkPackages(copyProject(project()), { development: false })
})

test('a read-only checkout works without a message', async () => {
  writeFileSync(join(packages(), '.cache'), '')
  expect(await version()).toMatchObject({ code: 0, stderr: '', stdout: /^\d+\./ })
})

test('a Node that cannot read the sources is named, with what to do', async () => {
  const ended = await run(['--no-experimental-strip-types', 'src/cli/from-sources.js', '--version'], { cwd: project() })
  expect(ended).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`need Node 22.18 or 24, and this is Node ${process.versions.node}. Run "npm ci"`),
  })
})
