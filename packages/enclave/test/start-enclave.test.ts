import { expect, onTestFinished, test } from 'vitest'
import { startEnclave as startCloud } from '../src/enclave.ts'
import { startEnclave, type EnclaveOptions } from '../src/index.ts'

const servers = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length

test.each<[what: string, options: object, message: RegExp]>([
  ['an unknown mode', { mode: 'secret' }, /^mode must be one of .*clientSecret.*, but is secret\.$/],
  ['an unknown option', { tenant: 'x' }, /^There is no option tenant, only ca, /],
  ['an unknown fault', { faults: [{ fault: { kind: 'slow' } }] }, /^There is no fault slow, only refused, .*silent/],
  ['another target', { faults: [{ fault: { kind: 'opaque-token' }, target: 'login' }] }, /only on login\/token/],
])('%s is refused by name, and no port stays open', async (_what, options, message) => {
  const before = servers()
  // As JavaScript may pass them.
  const started = startEnclave({ trust: false, ...(options as EnclaveOptions) })
  await expect(started).rejects.toMatchObject({ name: 'RangeError', message })
  await expect.poll(servers).toBeLessThanOrEqual(before)
})

test('an error behind the start of the servers closes them, and an unknown mode is refused later too', async () => {
  const before = servers()
  const enclave = await startEnclave({ trust: false })
  onTestFinished(() => enclave.close())
  const open = servers()
  await expect(startCloud({ cloud: { ...enclave.profile, authorityHost: 'none' } })).rejects.toThrow('Invalid URL')
  expect(open).toBeGreaterThan(before)
  await expect.poll(servers).toBeLessThanOrEqual(open)
  expect(() => enclave.environmentFor('secret' as 'clientSecret')).toThrow(/^mode must be one of/)
  // It may be called twice.
  await enclave.close()
})
