import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtService } from '../../support/build.ts'
import { offline } from '../../support/environment.ts'
import { useProcesses } from '../../support/processes.ts'
import { copyDeployable, copyProject } from '../../support/project-copy.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const { start } = useProcesses()
const directory = useTemporaryDirectory()

test.each(['serve', 'demo'])('%s does not read the local.settings.json beside it', async (command) => {
  const project = copyProject(join(directory.path, command))
  copyDeployable(builtService().project, project)
  const planted = {
    AUTH_MODE: 'deviceCode',
    PLATFORM_AUTHORITY_HOST: 'https://login.evil.example/',
    PLATFORM_HOST_KEY: 'planted-key-of-the-host',
    PLATFORM_LISTEN_ADDRESS: '127.0.0.9',
  }
  directory.write(`${command}/local.settings.json`, { IsEncrypted: false, Values: planted, Host: { LocalHttpPort: 1 } })
  const service = start(['src/cli/cloud-profile.ts', command], { cwd: project, env: { ...offline, PORT: '0' } })
  const [, port = ''] = await service.printed(/Server running on http:\/\/localhost:(\d+)[^]*Auth Mode: .*\n/)
  expect(service.output.stdout).not.toContain('deviceCode')
  const answer = await fetch(`http://127.0.0.1:${port}/api/profile`)
  expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('evil.example')])
  service.signal('SIGTERM')
  await service.ended
})
