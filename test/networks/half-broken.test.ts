import { describe, expect, test } from 'vitest'
import type { SmokeTestRun } from '../../src/lib/diagnostics/report.ts'
import type { Said } from './inside.ts'
import { mute } from './name-server.ts'
import { onlyIPv4, onlyIPv6, refusal, runCommand, withoutHosts } from './run-scene.ts'

const args = ['smoke-test', '--check-token', '--format', 'json']
const silent = { A: mute, AAAA: mute }

/** The root cause, and each check with its status. */
function summaryOf(said: Said) {
  const [result] = (JSON.parse(said.stdout) as SmokeTestRun).results
  const checks = new Map(result?.checks.map(({ id, status }) => [id, status]))
  return { rootCause: result?.rootCause?.code, checks: Object.fromEntries(checks) }
}

describe.skipIf(refusal !== undefined)(`a DNS server that responds to half of the queries${refusal ?? ''}`, () => {
  test.concurrent.each([
    ['A on a host with IPv6 alone', onlyIPv6, { A: mute, AAAA: '::1' }],
    ['AAAA on a host with IPv4 alone', onlyIPv4, { A: '127.0.0.1', AAAA: mute }],
  ])('and is mute for %s delays neither checks nor token', async (_what, network, localhost) => {
    const said = await runCommand(withoutHosts(network), { args }, { names: { localhost } })
    expect(said).toMatchObject({ status: 0 })
  })

  test.concurrent('and is mute for one service does not hide another', async () => {
    const names = {
      'one.blob.core.enclave.test': { A: '127.0.0.1' },
      'two.vault.enclave.test': silent,
      localhost: { A: '127.0.0.1' },
    }
    const env = { PLATFORM_STORAGE_ACCOUNT: 'one', PLATFORM_KEY_VAULT: 'two' }
    const said = await runCommand(withoutHosts(onlyIPv4), { args, env }, { names })
    const { rootCause, checks } = summaryOf(said)
    expect(rootCause).toBe('SERVICE_DNS_UNAVAILABLE')
    expect(checks).toMatchObject({
      'token.acquired': 'pass',
      'storage.dns': 'pass',
      'key-vault.dns': 'fail',
    })
  })

  test.concurrent('and is mute for the login authority is the root cause, not the timeout of the token', async () => {
    const said = await runCommand(withoutHosts(onlyIPv4), { args }, { names: { localhost: silent } })
    expect(summaryOf(said).rootCause).toBe('AUTHORITY_DNS_UNAVAILABLE')
  })
})
