import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { offline } from '../support/environment.ts'
import { isFree } from '../support/free-port.ts'
import { allGone, descendantsOf } from '../support/process-tree.ts'
import { useProcesses } from '../support/processes.ts'
import { copyProject } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { start } = useProcesses()
const directory = useTemporaryDirectory()

/** Changes one text in a file of the project. */
function edit(file: string, from: string, to: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}

test('npm run dev serves, restarts after each change, survives a broken one, and leaves no process', async () => {
  const project = copyProject(join(directory.path, 'project'))
  const env = { ...offline, PORT: '0', SMOKE_TEST_SCHEDULE: '0 0 6 * * *' }
  const dev = start(['scripts/main.ts', 'dev'], { cwd: project, env })
  const request = (port: number, route: string) => fetch(`http://localhost:${port}/api/${route}`)
  const served = async (count: number) => {
    const lines = `(?:[^]*?Server running on http://localhost:(\\d+)\n){${count}}Cloud: platform-us-gov-secret\n`
    const [, port] = await dev.printed(new RegExp(`^${lines}`))
    return Number(port)
  }
  const first = await served(1)
  expect(dev.output.stderr).toBe('')
  expect(await (await request(first, 'profile')).text()).toContain('US Government Secret cloud')

  const profile = join(project, 'cloud-profiles/platform-us-gov-secret.json')
  edit(profile, 'US Government Secret cloud', 'Renamed cloud')
  const second = await served(2)
  expect(await (await request(second, 'profile')).text()).toContain('Renamed cloud')
  expect(await isFree(first)).toBe(true)

  const app = join(project, 'src/functions/app.ts')
  edit(app, 'diagnostics, health, metricsFunction]', 'diagnostics, health(')
  await dev.printed(/error/i, 'stderr')
  expect((await request(second, 'profile')).status).toBe(200)
  edit(app, 'diagnostics, health(', 'diagnostics, metricsFunction]')
  const third = await served(3)
  expect((await request(third, 'health')).status).toBe(404)

  const children = descendantsOf(dev.pid)
  dev.signal('SIGTERM')
  expect(await dev.ended).toMatchObject({ code: 0, signal: null })
  await allGone(children)
  expect(await isFree(third)).toBe(true)
})
