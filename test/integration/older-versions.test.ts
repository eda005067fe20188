import { expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { inBuiltProject } from '../support/start-command.ts'

const { start, run } = useProcesses()
const command = 'src/cli/cloud-profile.ts'

test('a cloud with the older interfaces of a stack passes the smoke test', async () => {
  const enclave = start([command, 'enclave', '--versions', 'stack', '--shell', 'env'], inBuiltProject())
  const [text = ''] = await enclave.printed(/^[^]*PLATFORM_CLIENT_SECRET=.*\n(?:\w+=.*\n)*/m)
  const lines = text.split('\n').flatMap((line) => [/^(\w+)=(.*)$/.exec(line)?.slice(1) ?? []])
  const env = Object.fromEntries(lines.filter(([name]) => name !== undefined)) as Record<string, string>
  const { code, stdout } = await run([command, 'smoke-test', '--check-token'], inBuiltProject(env))
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 passed, 0 with warnings')])
  enclave.signal('SIGTERM')
  await enclave.ended
})
