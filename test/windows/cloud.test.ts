import { expect, test } from 'vitest'
import type { EnclaveAuthMode } from '../../src/enclave/enclave.ts'
import { enclaveAuthModes } from '../../src/enclave/environment.ts'
import { useEnclave } from '../support/use-enclave.ts'
import { command, useWindows, windowsPath } from './windows.ts'

/** The cloud runs on this machine, the command in Wine. */
const enclave = useEnclave()
const { start, run } = useWindows()

/** The variables of the enclave in one mode, with the paths of its files as Windows writes them. */
function environmentFor(mode: EnclaveAuthMode): NodeJS.ProcessEnv {
  const { directory } = enclave.files
  const entries = Object.entries(enclave.cloud.environment(mode, enclave.files))
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value?.startsWith(directory) ? windowsPath(value) : value]),
  )
}

// tool.test.ts tests the credential of the platform's command-line tool.
test.each(enclaveAuthModes.filter((mode) => mode !== 'platformCli'))('acquires a token with %s', async (mode) => {
  const smokeTest = start([command, 'smoke-test', '--check-token'], { env: environmentFor(mode) })
  if (mode === 'deviceCode') {
    enclave.cloud.approveDeviceCode((await smokeTest.printed(/enter the code (\S+)/))[1] ?? '')
  }
  expect(await smokeTest.ended).toMatchObject({ code: 0 })
})

test('discovers a cloud', async () => {
  const { code, stdout } = await run(['discover', enclave.cloud.metadataEndpoint], {
    env: environmentFor('clientSecret'),
  })
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ authorityHost: enclave.cloud.authorityHost }),
  ])
})
