import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { copyProject, linkPackages, repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()

test('a read-only checkout works without a message', async () => {
  const cwd = join(temp.path, 'project')
  linkPackages(copyProject(cwd), { development: false })
  writeFileSync(join(cwd, 'node_modules/.cache'), '')
  // Not the cache of this test run.
  const env = { NODE_COMPILE_CACHE: undefined }
  const ended = await run(['src/cli/from-sources.js', '--version'], { cwd, env })
  expect(ended).toMatchObject({ code: 0, stderr: '', stdout: /^\d+\./ })
})

test('a Node that cannot read the sources is named, with what to do', async () => {
  const args = ['--no-experimental-strip-types', 'src/cli/from-sources.js', '--version']
  expect(await run(args, { cwd: repository })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`need Node 22.18 or 24, and this is Node ${process.versions.node}. Run "npm ci"`),
  })
})
