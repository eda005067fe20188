import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { builtService } from '../support/build.ts'
import { offline } from '../support/environment.ts'
import { useProcesses } from '../support/processes.ts'
import { copyProject } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { serveApp } from '../support/use-service.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()
const archive = 'dist/cloud-profile-service.zip'

async function pack(project: string, env: NodeJS.ProcessEnv): Promise<Buffer> {
  const { code, stdout, stderr } = await run(['scripts/main.ts', 'package'], { cwd: project, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^dist\/cloud-profile-service\.zip: \d+ files, \d+ kB\n$/)
  return readFileSync(join(project, archive))
}

test('node scripts/main.ts package makes the same bytes on every machine, and the unpacked zip serves', async () => {
  const other = copyProject(join(temp.path, 'another folder'))
  utimesSync(join(other, 'host.json'), 1, 1)
  const [here, there] = await Promise.all([
    pack(builtService().project, { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' }),
    pack(other, { TZ: 'America/Anchorage' }),
  ])
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(hash(there)).toBe(hash(here))

  const app = join(temp.path, 'app')
  for (const [name, bytes] of Object.entries(unzipSync(here))) {
    mkdirSync(dirname(join(app, name)), { recursive: true })
    writeFileSync(join(app, name), bytes)
  }
  const service = await serveApp(offline, { directory: app })
  try {
    expect((await service.request('/')).status).toBe(200)
    expect(service.timers.map(({ name }) => name)).toEqual(['smokeTest'])
  } finally {
    await service.close()
  }
})
