import { beforeEach, describe, expect, test } from 'vitest'
import { useEnclave } from '../../../../test/support/use-enclave.ts'

interface Started {
  readonly user_code: string
  readonly device_code: string
  readonly verification_uri: string
  readonly interval?: number
}

describe('the device code flow', () => {
  let time = Date.now()
  const enclave = useEnclave({ now: () => time, deviceCode: { lifetimeSeconds: 60, intervalSeconds: 5 } })
  const start = async () => {
    const { authorityHost, tenantId, clientId, resourceManagerAudience } = enclave.cloud
    const form = { client_id: clientId, scope: `openid ${resourceManagerAudience}.default` }
    return enclave.send(`${authorityHost}${tenantId}/oauth2/v2.0/devicecode`, { form })
  }
  const poll = async ({ device_code }: Started) => {
    const answer = await enclave.postToken({ grant_type: 'device_code', device_code })
    return answer.json() as { error?: string; error_codes?: number[]; token_type?: string }
  }
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

  test.each([
    [59_999, 'authorization_pending'],
    [60_000, 'expired_token'],
  ])('after %i ms of 60 s says %s', async (milliseconds, error) => {
    time += milliseconds
    expect(await poll(started)).toMatchObject({ error })
  })

  test('an expired or unknown code cannot be approved', () => {
    time += 60_000
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
    expect(await start()).toMatchObject({ status, body: body })
  })

  const decide = async (address: string, form: Record<string, string>, origin?: string) =>
    enclave.send(address, { form, headers: origin === undefined ? {} : { origin } })

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
    const answer = await decide(address, { user_code, decision }, new URL(address).origin)
    expect(answer.status).toBe(200)
    expect(await poll(started)).toMatchObject({ [key]: value })
  })

  test('on the page, neither a form of another site, an unknown decision nor an unknown code decides anything', async () => {
    const { verification_uri: address, user_code } = started
    expect((await decide(address, { user_code, decision: 'approve' }, 'https://evil.test')).status).toBe(403)
    expect((await decide(address, { user_code, decision: 'constructor' })).status).toBe(400)
    expect((await decide(address, { user_code: 'NOSUCHCOD', decision: 'approve' })).status).toBe(404)
    expect(await poll(started)).toMatchObject({ error: 'authorization_pending' })
  })

  test('the page shows HTML in a code as text, and allows no script', async () => {
    const { verification_uri: address } = started
    const { body, headers } = await enclave.send(
      `${address}?user_code=${encodeURIComponent('"><script>alert(1)</script>')}`,
    )
    expect(body).not.toContain('<script')
    expect(body).toContain('&#60;script')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; form-action 'self'/)
  })
})
