import { expect, test } from 'vitest'
import { useProcesses } from '../../../support/processes.ts'
import { bundledCommand } from '../../../support/build.ts'
import { useEnclave } from '../../../support/use-enclave.ts'

const running = useEnclave()
const { run } = useProcesses()
const script = bundledCommand('acquire-token')

test.each([{ AZURE_LOG_LEVEL: 'verbose' }, { DEBUG: 'azure*' }])(
  'with %j the credential library writes nothing to stderr',
  async (variables) => {
    const { cloud, files } = running
    const env = { ...cloud.environment('clientSecret', files), ...variables }
    const { stdout, stderr } = await run([script], { env })
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'acquired' })
    expect(stderr).toBe('')
  },
)
