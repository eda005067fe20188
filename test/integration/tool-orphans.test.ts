import { readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { allGone } from '../support/process-tree.ts'
import { useProcesses } from '../support/processes.ts'
import { commandLine, inBuiltProject, startCommand } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const { start } = useProcesses()

/** A tool that hangs with a child process, both deaf to signals. */
async function installTool(name: string) {
  const pids = join(directory.path, `${name}.pids`)
  const tool = directory.write(
    `${name}/az`,
    `#!/bin/sh
trap '' TERM INT HUP
sleep 600 &
echo $$ $! > ${pids}.new && mv ${pids}.new ${pids}
wait
sleep 600
`,
  )
  await chmod(tool, 0o755)
  const started = () => readFileSync(pids, 'utf8').trim().split(' ').map(Number)
  return { folder: join(tool, '..'), started }
}

test.each([
  ['serve', 'SIGTERM'],
  ['smoke-test', 'SIGINT'],
  ['smoke-test', 'SIGHUP'],
] as const)('%s that ends by %s while the command-line tool hangs leaves nothing of it', async (command, signal) => {
  const { folder, started } = await installTool(`${command}-${signal}`)
  const env = {
    AUTH_MODE: 'platformCli',
    PLATFORM_AUTHORITY_HOST: 'https://127.0.0.1:1/',
    PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://127.0.0.1:1/',
    PLATFORM_TOKEN_TIMEOUT_MS: '120000',
    PATH: `${folder}:/usr/bin:/bin`,
    PORT: '0',
  }
  const args = command === 'serve' ? startCommand : [commandLine, 'smoke-test', '--check-token']
  const child = start(args, inBuiltProject(env))
  if (command === 'serve') {
    const [, origin = ''] = await child.printed(/Server running on (\S+)/)
    void fetch(`${origin}/api/diagnostics`).catch(() => undefined)
  }
  const pids = await vi.waitFor(started, { timeout: 200_000 })
  expect(pids).toHaveLength(2)
  child.signal(signal)
  const ended = await child.ended
  expect([ended.code, ended.signal]).toEqual(command === 'serve' ? [0, null] : [null, signal])
  await allGone(pids)
})
