import { appendFileSync, cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { copyProject, repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const directory = useTemporaryDirectory()
const generated = ['cloud-profiles/schema.json', 'docs/reference/findings.md', 'docs/reference/settings.md']

test('npm run generate corrects a file that has drifted, and follows a changed source', async () => {
  const project = copyProject(join(directory.path, 'project'))
  cpSync(join(repository, 'docs'), join(project, 'docs'), { recursive: true })
  const read = (path: string) => readFileSync(join(project, path), 'utf8')
  const before = generated.map(read)

  const settings = join(project, 'src/lib/settings/setting-table.ts')
  const changed = readFileSync(settings, 'utf8').replace("'Server: port, or", "'Server: its port, or")
  directory.write('project/src/lib/settings/setting-table.ts', changed)
  for (const path of ['cloud-profiles/schema.json', 'docs/reference/findings.md'])
    appendFileSync(join(project, path), '\n')

  const check = await run(['scripts/main.ts', 'generate', '--check', ...generated], { cwd: project })
  expect(check.code).toBe(1)
  for (const path of generated) expect(check.stderr).toContain(path)
  expect(read('docs/reference/settings.md')).toBe(before[2])

  const corrected = await run(['scripts/main.ts', 'generate', ...generated], { cwd: project })
  expect(corrected).toMatchObject({ code: 0, stdout: '', stderr: '' })
  expect([read('cloud-profiles/schema.json'), read('docs/reference/findings.md')]).toEqual(before.slice(0, 2))
  expect(read('docs/reference/settings.md')).toBe(before[2]?.replace('Server: port, or', 'Server: its port, or'))
})
