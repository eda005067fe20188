import { describe, expect, test } from 'vitest'
import { readFault } from '../../src/cli/open-enclave.ts'
import { faultTable, type FaultKind, enclaveAuthModes } from 'cloud-profile-enclave/choices'
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
})

test.each([
  ['wrong-audience@login/token', 'managedIdentity', /with this mode it applies to managed-identity/],
  ['device-missing-interval', 'clientSecret', /it has an effect with --mode deviceCode/],
  ['invalid-json@vault', 'clientSecret', /has no effect/],
  ['html@moon', 'clientSecret', /does not apply to "moon", only to login\/openid-configuration/],
  ['htm', 'clientSecret', /^Unknown fault "htm"\. Did you mean html\?/],
  ['constructor', 'clientSecret', /^Unknown fault/],
])('demo --fault %s --mode %s is a usage error', async (fault, mode, message) => {
  const demo = runInProcess(['demo', '--fault', fault, '--mode', mode])
  await expect(demo).rejects.toMatchObject({ name: 'UsageError', message })
})

describe('--fault list starts nothing', () => {
  const list = async (...args: readonly string[]) => {
    const { code, stdout } = await runInProcess([...args, '--fault', 'list'])
    expect(code).toBe(0)
    return stdout
  }
  const listed = (text: string) =>
    [...text.matchAll(/^([a-z][\w-]+)  .*?  +([\w/-]+)(?:,.*)?$/gm)].map(([, kind, target]) => ({ kind, target }))

  test.each(enclaveAuthModes)('demo --mode %s lists what the service detects, with the target', async (mode) => {
    const rows = listed(await list('demo', '--mode', mode))
    expect(rows.length).toBeGreaterThan(20)
    for (const { kind, target } of rows)
      expect(readFault(`${kind}@${target}`, mode, true)).toMatchObject({ target, isVisible: true })
    expect(rows.filter(({ target }) => target === 'storage').map(({ kind }) => kind)).toEqual(['firewall'])
  })

  test('a fault takes one line of a terminal', async () => {
    const { stdout } = await runInProcess(['demo', '--fault', 'list'], { columns: 80 })
    const lines = stdout.split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.slice(1, -4).filter((line) => !kinds.some((kind) => line.startsWith(`${kind} `)))).toEqual([])
  })

  test('enclave lists the faults for other clients too, apart', async () => {
    const text = await list('enclave')
    expect(new Set(listed(text).map(({ kind }) => kind))).toEqual(new Set(kinds))
    const [, others = ''] = text.split('Only other clients of the enclave see these:')
    expect(listed(others).map(({ kind, target }) => `${kind}@${target}`)).toContain('firewall@storage')
  })
})
