import { beforeEach, describe, expect, test } from 'vitest'
import { useEnclave } from '../../../../test/support/use-enclave.ts'

type Started = Readonly<Record<'user_code' | 'device_code' | 'verification_uri', string>>

describe('the device code flow', () => {
  let time = Date.now()
  const enclave = useEnclave({ now: () => time, deviceCode: { lifetimeSeconds: 60, intervalSeconds: 5 } })
  const start = async () => {
    const { authorityHost, tenantId, clientId, resourceManagerAudience } = enclave.cloud
    const form = { client_id: clientId, scope: `openid ${resourceManagerAudience}.default` }
    return enclave.send(`${authorityHost}${tenantId}/oauth2/v2.0/devicecode`, { form })
  }
  const poll = async ({ device_code }: Started) =>
    (await enclave.postToken({ grant_type: 'device_code', device_code })).json()
  let started: Started
  beforeEach(async () => {
    started = (await start()).json() as Started
  })

  test('shows a code and an interval, and asks to slow down when polled at once, not after the interval', async () => {
    expect(started).toMatchObject({ interval: 5, expires_in: 60, user_code: /^\w{9}$/ })
    await poll(started)
    expect(await poll(started)).toMatchObject({ error: 'slow_down' })
    time += 5000
    expect(await poll(started)).toMatchObject({ error: 'authorization_pending' })
  })

  test('gives one token after approval, with any letter case and separators in the code', async () => {
    enclave.cloud.approveDeviceCode(` ${started.user_code.toLowerCase().slice(0, 4)}-${started.user_code.slice(4)}`)
    expect(await poll(started)).toMatchObject({ token_type: 'Bearer' })
    expect(await poll(started)).toMatchObject({ error: 'bad_verification_code' })
  })

  test('is refused when declined', async () => {
    enclave.cloud.declineDeviceCode(started.user_code)
    expect(await poll(started)).toMatchObject({ error: 'authorization_declined' })
  })

  test('expires after its 60 s, and an expired or unknown code cannot be approved', async () => {
    time += 59_999
    expect(await poll(started)).toMatchObject({ error: 'authorization_pending' })
    time += 1
    expect(await poll(started)).toMatchObject({ error: 'expired_token' })
    expect(() => enclave.cloud.approveDeviceCode(started.user_code)).toThrow(RangeError)
    expect(() => enclave.cloud.approveDeviceCode('NOSUCHCOD')).toThrow(RangeError)
  })

  test('another client cannot redeem it', async () => {
    enclave.cloud.approveDeviceCode(started.user_code)
    const form = { grant_type: 'device_code', device_code: started.device_code, client_secret: '' }
    const answer = await enclave.postToken({ ...form, client_id: '04b07795-8ddb-461a-bbee-02f9e1bf7b46' })
    expect(answer.json()).toMatchObject({ error: 'bad_verification_code' })
  })

  test.each([
    [{ kind: 'device-missing-interval' } as const, 200, /device_code(?!.*"interval")/],
    [{ kind: 'aadsts', number: 700016 } as const, 400, /unauthorized_client/],
    [{ kind: 'html' } as const, 200, /<!doctype html>/],
  ])('under %j answers %i', async (fault, status, body) => {
    await enclave.cloud.setFault(fault, 'login/device-code')
    expect(await start()).toMatchObject({ status, body })
  })

  test('the page asks for a code, then shows what the sign-in gives access to', async () => {
    const { verification_uri: address, user_code: code } = started
    expect((await enclave.send(address)).body).toContain('name="user_code"')
    const { body } = await enclave.send(`${address}?user_code=${code}`)
    expect(body).toContain(enclave.cloud.clientId)
    expect(body).toContain(enclave.cloud.resourceManagerAudience)
    expect(body).toContain('value="decline"')
  })

  test.each([
    ['approve', 'token_type', 'Bearer'],
    ['decline', 'error', 'authorization_declined'],
  ])('%s on the page decides the sign-in', async (decision, key, value) => {
    const { verification_uri: address, user_code } = started
    const headers = { origin: new URL(address).origin }
    expect((await enclave.send(address, { form: { user_code, decision }, headers })).status).toBe(200)
    expect(await poll(started)).toMatchObject({ [key]: value })
  })

  test('on the page, neither a form of another site, an unknown decision nor an unknown code decides anything', async () => {
    const { verification_uri: address, user_code } = started
    for (const [status, changed, headers] of [
      [403, {}, { origin: 'https://evil.test' }],
      [400, { decision: 'constructor' }, {}],
      [404, { user_code: 'NOSUCHCOD' }, {}],
    ] as const) {
      const form = { user_code, decision: 'approve', ...changed }
      expect((await enclave.send(address, { form, headers: { ...headers } })).status).toBe(status)
    }
    expect(await poll(started)).toMatchObject({ error: 'authorization_pending' })
  })

  test('the page shows HTML in a code as text, and allows no script', async () => {
    const code = encodeURIComponent('"><script>alert(1)</script>')
    const { body, headers } = await enclave.send(`${started.verification_uri}?user_code=${code}`)
    expect(body).not.toContain('<script')
    expect(body).toContain('&#60;script')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; form-action 'self'/)
  })
})
