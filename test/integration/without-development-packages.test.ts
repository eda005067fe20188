import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { builtService } from '../support/build.ts'
import { offline } from '../support/environment.ts'
import { useProcesses } from '../support/processes.ts'
import { copyProject, linkPackages } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { start, run } = useProcesses()
const temp = useTemporaryDirectory()
const project = () => join(temp.path, 'project')

describe('A built checkout after npm ci --omit=dev', () => {
  beforeAll(() => {
    copyProject(project())
    cpSync(join(builtService().project, 'dist'), join(project(), 'dist'), { recursive: true })
    linkPackages(project(), { development: false })
  })

  test('serve serves', async () => {
    const env = { ...offline, PORT: '0' }
    const service = start(['src/cli/cloud-profile.ts', 'serve'], { cwd: project(), env })
    const [, port] = await service.printed(/^Server running on http:\/\/localhost:(\d+)\n/)
    for (const path of ['/', '/api/profile', '/api/diagnostics', '/api/metrics'])
      expect([path, (await fetch(`http://localhost:${port}${path}`)).status]).toEqual([path, 200])
    service.signal('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('not installed') })
  })

  test.each(['smoke-test --all', 'explain', 'serve --help'])('%s works', async (line) => {
    const ended = await run(['src/cli/cloud-profile.ts', ...line.split(' ')], { cwd: project() })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  })

  test.each([
    ['scripts/main.ts', 'start', 'esbuild'],
    ['src/cli/cloud-profile.ts', 'demo', 'reflect-metadata'],
  ])('%s %s says that %s is not installed, and what to do', async (file, command, name) => {
    const ended = await run([file, command], { cwd: project() })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr.endsWith(`The package ${name} is not installed. Run npm ci\n`)).toBe(true)
  })
})
