import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { copyProject } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const directory = useTemporaryDirectory()
const project = join(directory.path, 'project')
beforeAll(() => {
  copyProject(project)
  writeFileSync(join(project, 'dist'), '')
})

test.each([
  ['build', 'scripts/main.ts'],
  ['start', 'scripts/main.ts'],
])('%s that cannot write its files is one message', async (command, entry) => {
  const { code, stderr } = await run([entry, command], { cwd: project })
  expect({ code, stderr }).toEqual({ code: 2, stderr: /(^|\n)The operating system reports: E[A-Z]+: .*dist.*\n$/ })
  expect(stderr).not.toMatch(/^\s+at /m)
})
