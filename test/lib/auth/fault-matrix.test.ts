import { describe, expect, test } from 'vitest'
import type { EnclaveAuthMode } from 'cloud-profile-enclave/enclave'
import { deadlineFor } from '../../support/deadline-for.ts'
import { faultTitle, loginFaults } from '../../support/fault-table.ts'
import { useEnclave } from '../../support/use-enclave.ts'
import { attempt } from './enclave-attempts.ts'

/** The kinds that sign in to the login authority. Managed identity and the command-line tool have separate tests. */
const modes = [
  'clientSecret',
  'clientCertificate',
  'workloadIdentity',
  'deviceCode',
  'usernamePassword',
] as const satisfies readonly EnclaveAuthMode[]

const rows = loginFaults.map((row) => ({ ...row, title: faultTitle(row) }))

describe.each(modes)('%s', (mode) => {
  const running = useEnclave()

  const signIn = (code: string) => {
    const { cloud: enclave } = running
    return attempt(running, mode, {
      timeoutMs: deadlineFor(code),
      onPrompt: ({ userCode }) => enclave.approveDeviceCode(userCode),
    })
  }

  test.each([undefined, { kind: 'byte-order-mark' }] as const)('acquires a token under %o', async (fault) => {
    await running.cloud.setFault(fault)
    expect(await signIn('acquired')).toMatchObject({ outcome: 'acquired' })
  })

  test.each(rows)('$title ends in $code', async ({ fault, target, code }) => {
    const { cloud: enclave } = running
    await enclave.setFault(fault, target)
    const { outcome } = await signIn(code)
    expect(outcome).toBe(code)
    expect(enclave.foreign.received).toEqual([])
  })
})
