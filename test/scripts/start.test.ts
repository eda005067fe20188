import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtService } from '../support/build.ts'
import { offline } from '../support/environment.ts'
import { useProcesses } from '../support/processes.ts'
import { copyDeployable, copyProject } from '../support/project-copy.ts'
import { inBuiltProject, startCommand } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { start } = useProcesses()
const directory = useTemporaryDirectory()

test('a start prints exactly the three lines on stdout, and ends with 0 at Ctrl-C', async () => {
  const service = start(startCommand, inBuiltProject({ ...offline, PLATFORM_LOG_LEVEL: 'verbose' }))
  const [, origin] = await service.printed(/^Server running on (http:\/\/localhost:\d+)\n.*\n.*\n/)
  for (const path of ['/', '/api/diagnostics', '/no-such-path']) await fetch(origin + path)
  service.signal('SIGINT')
  const stdout = `Server running on ${origin}\nCloud: platform-us-gov-secret\nAuth Mode: clientSecret\n`
  expect(await service.ended).toMatchObject({ code: 0, stdout, stderr: /"event":"token"/ })
})

describe('local.settings.json beside host.json', () => {
  /** A copy of the project with its build, and with the commands, whose sources have their addresses in it. */
  const copyBuilt = (name: string) => {
    const project = copyProject(join(directory.path, name))
    copyDeployable(builtService().project, project)
    cpSync(join(builtService().project, 'commands'), join(project, 'commands'), { recursive: true })
    return project
  }
  const settings = (values: object, host: object = {}) => ({ IsEncrypted: false, Values: values, Host: host })

  test('its values are used, and a variable that is set wins', async () => {
    const project = copyBuilt('project')
    directory.write('project/local.settings.json', settings({ ...offline, PORT: 0, AUTH_MODE: 'deviceCode' }))
    const service = start(['commands/main.mjs', 'start', '--built'], {
      cwd: project,
      env: { AUTH_MODE: 'managedIdentity' },
    })
    const [lines] = await service.printed(/Cloud: .*\nAuth Mode: .*\n/)
    expect(lines).toBe('Cloud: platform-us-gov-secret\nAuth Mode: managedIdentity\n')
    service.signal('SIGTERM')
    await service.ended
  })

  test.each(['serve', 'demo'])('%s does not read it', async (command) => {
    const project = copyBuilt(command)
    const planted = {
      AUTH_MODE: 'deviceCode',
      PLATFORM_AUTHORITY_HOST: 'https://login.evil.example/',
      PLATFORM_HOST_KEY: 'planted-key',
      PLATFORM_LISTEN_ADDRESS: '127.0.0.9',
    }
    directory.write(`${command}/local.settings.json`, settings(planted, { LocalHttpPort: 1 }))
    const service = start(['commands/cloud-profile.mjs', command], { cwd: project, env: { ...offline, PORT: '0' } })
    const [, port] = await service.printed(/Server running on \S+localhost:(\d+)[^]*Auth Mode: (?!deviceCode).*\n/)
    const response = await fetch(`http://127.0.0.1:${port}/api/profile`)
    expect([response.status, await response.text()]).toEqual([200, expect.not.stringContaining('evil.example')])
    service.signal('SIGTERM')
    await service.ended
  })
})
