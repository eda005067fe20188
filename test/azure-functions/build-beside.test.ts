import { spawnSync } from 'node:child_process'
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment, offline } from '../support/environment.ts'
import { chunksOf, copyProject } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { serveApp } from '../support/use-service.ts'

const directory = useTemporaryDirectory()
const project = join(directory.path, 'project')

function build(): void {
  const code = `await (await import('./build.ts')).buildBundle()`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: project,
    env: cleanEnvironment(),
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
}

test('a build beside a running service gives new names to what changed, the same names to the same sources, and breaks no response', async () => {
  copyProject(project)
  build()
  const before = chunksOf(project)
  const service = await serveApp(offline, { directory: project })
  onTestFinished(() => service.close())
  appendFileSync(join(project, 'src/page/page.css'), '\n.another { color: red }\n')
  appendFileSync(join(project, 'src/lib/diagnostics/diagnostics.ts'), '\nexport const another = 1\n')
  build()
  const changed = chunksOf(project)
    .filter((name) => !before.includes(name))
    .map((name) => name.replace(/-\w+\.cjs$/, ''))
  expect(changed).toEqual(expect.arrayContaining(['diagnostics', 'page']))
  for (const path of ['/', '/api/diagnostics', '/api/metrics', '/api/profile', '/api/health?ready']) {
    expect([path, (await service.request(path)).status]).toEqual([path, 200])
  }
  const main = join(project, 'dist/main.cjs')
  const whole = readFileSync(main, 'utf8')
  const file = openSync(main, 'r')
  appendFileSync(join(project, 'src/main.ts'), '\nprocess.emitWarning("another")\n')
  build()
  // A reader that has opened the old file goes on in it.
  expect(readFileSync(file, 'utf8')).toBe(whole)
  expect(readFileSync(main, 'utf8')).not.toBe(whole)
  closeSync(file)
  const names = chunksOf(project)
  build()
  expect(chunksOf(project)).toEqual(names)
})
