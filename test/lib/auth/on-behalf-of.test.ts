import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { type ApplicationSettings, resolveCloud } from '../../../src/lib/index.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const user = 'planted.user.token'
const settings = { mode: 'clientSecret', clientId: 'c', tenantId: 'contoso.example', clientSecret: 's' } as const

describe('The credential of a user', () => {
  const running = useEnclave()
  const open = async (env = running.cloud.environment('clientSecret', running.files)) =>
    (await resolveCloud({ env })).onBehalfOf
  const assertion = (getAssertion: () => Promise<string>) =>
    ({ mode: 'clientAssertion', clientId: 'c', tenantId: 't', getAssertion }) as const
  const one = async () => 'a'
  const other = async () => 'a'

  test.each<[string, boolean, ApplicationSettings | undefined, ApplicationSettings | undefined, string?]>([
    ['without settings', true, undefined, undefined],
    ['with equal settings in another order', true, settings, { ...settings, mode: 'clientSecret' }],
    ['with one callback', true, assertion(one), assertion(one)],
    ['with two callbacks', false, assertion(one), assertion(other)],
    ['of another tenant', false, settings, { ...settings, tenantId: 'fabrikam.example' }],
    ['with another secret', false, settings, { ...settings, clientSecret: 't' }],
    ['with settings and without', false, settings, undefined],
    ['of another user', false, settings, settings, 'another.user.token'],
  ])('%s is the same one: %s', async (_case, isSame, first, second, secondUser = user) => {
    const onBehalfOf = await open()
    expect(onBehalfOf(user, first) === onBehalfOf(secondUser, second)).toBe(isSame)
  })

  test('is cached for the last 500', async () => {
    const onBehalfOf = await open()
    const ofUser = (count: number) => onBehalfOf(`user${count}.a.b`, settings)
    const [first, second] = [ofUser(0), ofUser(1)]
    for (let count = 2; count < 500; count++) ofUser(count)
    expect(ofUser(0)).toBe(first)
    ofUser(500)
    expect(ofUser(0)).toBe(first)
    expect(ofUser(1)).not.toBe(second)
  })

  test('exchanges the token of a user once for each scope, and has a code for what the user lacks', async () => {
    const { cloud } = running
    const { clientId, username, password, clientSecret, tenantId } = cloud
    const form = { grant_type: 'password', username, password, scope: `api://${clientId}/.default` }
    const { access_token: userToken } = (await running.postToken(form)).json() as { access_token: string }
    const scope = `${cloud.resourceManagerAudience}.default`
    const onBehalfOf = await open()
    expect(decodeJwt((await onBehalfOf(userToken).getToken(scope)).token)).toMatchObject({ upn: username })
    const forged = onBehalfOf(`${userToken.slice(0, -8)}AAAAAAAA`).getToken(scope)
    await expect(forged).rejects.toMatchObject({ code: 'USER_ASSERTION_REJECTED', fix: /^Check the token of the user/ })
    cloud.clearRequests()
    const own = { mode: 'clientSecret', clientId, clientSecret, tenantId } as const
    for (let count = 0; count < 5; count++) await onBehalfOf(userToken, own).getToken(scope)
    expect(cloud.requests.filter(({ path }) => path.endsWith('/token'))).toHaveLength(1)
    for (const [number, code] of [
      [65_001, 'CONSENT_REQUIRED'],
      [7_000_114, 'ON_BEHALF_OF_NOT_ALLOWED'],
      [500_133, 'USER_ASSERTION_REJECTED'],
    ] as const) {
      await cloud.setFault({ kind: 'aadsts', number }, 'login/token')
      const other = onBehalfOf(userToken, { ...own, tenantId: tenantId.toUpperCase() })
      await expect(other.getToken(scope)).rejects.toMatchObject({ code })
    }
  })

  test.each(['', 'no token', undefined as never])('is not made of %j', async (text) => {
    const onBehalfOf = await open()
    expect(() => onBehalfOf(text)).toThrow(/^userAssertion must be the access token of a user/)
  })

  test.each<[string, unknown, RegExp]>([
    ['that are null', null, /mode must be one of/],
    ['of a mode without an application', { mode: 'managedIdentity' }, /onBehalfOf needs/],
    ['of the mode onBehalfOf', { ...settings, mode: 'onBehalfOf' }, /mode must be one of/],
  ])('is refused with settings %s', async (_what, given, message) => {
    const onBehalfOf = await open()
    expect(() => onBehalfOf(user, given as ApplicationSettings)).toThrow(message)
  })

  test('needs a way to prove the identity of the application, and names each', async () => {
    const onBehalfOf = await open({ AUTH_MODE: 'managedIdentity', PLATFORM_CLIENT_ID: 'c', PLATFORM_TENANT_ID: 't' })
    expect(() => onBehalfOf(user)).toThrow(
      /PLATFORM_CLIENT_SECRET or .*PLATFORM_CLIENT_CERTIFICATE_PATH or .*getAssertion/,
    )
  })
})
