import { expect, test } from 'vitest'
import { useProcesses } from '../../../support/processes.ts'
import { bundledCommand } from '../../../support/build.ts'
import { useEnclave } from '../../../support/use-enclave.ts'

const running = useEnclave()
const { run } = useProcesses()
const script = bundledCommand('acquire-token')

test.each([{ AZURE_LOG_LEVEL: 'verbose' }, { DEBUG: 'azure*' }])(
  'with %j the lines of the credential library are kept, one a call, without a header or a secret',
  async (variables) => {
    const { cloud, files } = running
    const env: Record<string, string | undefined> = { ...cloud.environment('clientSecret', files), ...variables }
    const { stdout, stderr } = await run([script], { env })
    const [{ outcome, token = '' }] = JSON.parse(stdout) as [{ readonly outcome: string; readonly token?: string }]
    expect(outcome).toBe('acquired')
    expect(stderr).toMatch(/^\S*azure:identity:/m)
    expect(stderr).not.toMatch(/authorization|"headers"/i)
    for (const secret of [env['PLATFORM_CLIENT_SECRET'] ?? '', token]) expect(stderr).not.toContain(secret)
  },
)

test('without them it writes nothing to stderr', async () => {
  const { cloud, files } = running
  const { stderr } = await run([script], { env: cloud.environment('clientSecret', files) })
  expect(stderr).toBe('')
})
