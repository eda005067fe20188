import { describe, expect, test } from 'vitest'
import { readFault } from '../../src/cli/faults.ts'
import { faultTable, type FaultKind } from '../../src/enclave/faults/fault.ts'
import { enclaveAuthModes } from '../../src/enclave/settings.ts'
import { runInProcess } from './run-in-process.ts'

const kinds = Object.keys(faultTable) as FaultKind[]

describe('A fault without a target', () => {
  test.each(enclaveAuthModes)('with --mode %s applies to a target of the mode, or is refused by name', (mode) => {
    const wrong = kinds.filter((kind) => {
      try {
        const { target, fault } = readFault(kind, mode, true)
        const isHere = (faultTable[kind].targets as readonly string[]).includes(target)
        return fault.kind !== kind || !isHere || readFault(`${kind}@${target}`, mode, true).target !== target
      } catch (error) {
        return !String(error).startsWith(`UsageError: The fault ${kind} has no effect with --mode ${mode}`)
      }
    })
    expect(wrong).toEqual([])
  })

  test.each([
    ['untrusted-ca', 'clientSecret', 'login'],
    ['refused', 'managedIdentity', 'managed-identity'],
    ['wrong-audience', 'clientSecret', 'login/token'],
    ['wrong-audience', 'managedIdentity', 'managed-identity'],
    ['html', 'deviceCode', 'login/device-code'],
    ['aadsts', 'deviceCode', 'login/device-code'],
    ['rejects-token', 'workloadIdentity', 'resource-manager'],
    ['foreign-challenge', 'clientSecret', 'resource-manager'],
  ] as const)('%s with --mode %s is at %s', (kind, mode, target) => {
    expect(readFault(kind, mode, true).target).toBe(target)
  })
})

test.each([
  ['wrong-audience@login/token', 'managedIdentity', /with this mode it applies to managed-identity/],
  ['device-missing-interval', 'clientSecret', /it has an effect with --mode deviceCode/],
  ['forbidden@vault', 'clientSecret', /has no effect/],
  ['html@moon', 'clientSecret', /does not apply to "moon", only to login\/openid-configuration/],
  ['htm', 'clientSecret', /^Unknown fault "htm"\. Did you mean html\?/],
  ['constructor', 'clientSecret', /^Unknown fault/],
])('demo --fault %s --mode %s is a usage error', async (fault, mode, message) => {
  await expect(runInProcess(['demo', '--fault', fault, '--mode', mode])).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringMatching(message) as string,
  })
})

test.each(['demo', 'enclave'])(
  '%s --fault list prints every fault with its target, and starts nothing',
  async (command) => {
    const { code, stdout } = await runInProcess([command, '--fault', 'list'])
    expect(code).toBe(0)
    for (const kind of kinds) expect(stdout).toMatch(new RegExp(`^${kind}(@| )`, 'm'))
    expect(stdout).toMatch(/^untrusted-ca@login /m)
  },
)
