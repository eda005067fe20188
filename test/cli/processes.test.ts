import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { offline } from '../support/environment.ts'
import { isFree } from '../support/free-port.ts'
import { allGone, descendantsOf } from '../support/process-tree.ts'
import { useProcesses } from '../support/processes.ts'
import { copyProject } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { start } = useProcesses()
const directory = useTemporaryDirectory()

describe.skipIf(process.platform === 'win32')('npm start', () => {
  const project = copyProject(join(directory.path, 'project'))

  test.each([
    ['SIGTERM to npm alone', 'SIGTERM', false],
    ['Ctrl-C in its terminal', 'SIGINT', true],
    ['a kill of npm alone', 'SIGKILL', false],
  ] as const)('it builds and serves, and %s leaves no process behind', async (_how, signal, group) => {
    const env = { ...offline, PORT: '0', HOME: directory.path, npm_config_update_notifier: 'false' }
    const npm = start(['start'], { command: 'npm', cwd: project, group, env })
    const [, port] = await npm.printed(/^Server running on http:\/\/localhost:(\d+)\nCloud: .*\nAuth Mode: .*\n/m)
    const pids = descendantsOf(npm.pid)
    expect(pids.length).toBeGreaterThan(0)
    expect((await fetch(`http://localhost:${port}/api/health`)).status).toBe(200)
    npm.signal(signal)
    await allGone(pids)
    await npm.ended
    expect(await isFree(Number(port))).toBe(true)
  })
})
