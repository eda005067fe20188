import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Enclave } from '../../../src/enclave/enclave.ts'
import { tokenEndpoint, useEnclave } from '../../support/use-enclave.ts'

interface LoginFailure {
  readonly error: string
  readonly error_description: string
  readonly error_codes: readonly number[]
}

type Form = Readonly<Record<string, string>>
const application = (cloud: Enclave): Form => ({
  grant_type: 'client_credentials',
  scope: `${cloud.resourceManagerAudience}.default`,
})
const person = (cloud: Enclave): Form => ({
  grant_type: 'password',
  scope: `openid offline_access ${cloud.resourceManagerAudience}.default`,
  username: cloud.username,
  password: cloud.password,
})

describe('the token endpoint', () => {
  const enclave = useEnclave()
  const { postToken, send } = enclave

  test.each<[string, number, number, string, (cloud: Enclave) => Form]>([
    ['a wrong secret', 7000215, 401, 'invalid_client', (c) => ({ ...application(c), client_secret: 'wrong' })],
    ['no secret', 7000218, 401, 'invalid_client', (c) => ({ ...application(c), client_secret: '' })],
    ['an unknown client', 700016, 400, 'unauthorized_client', (c) => ({ ...application(c), client_id: 'unknown' })],
    ['no client', 900144, 400, 'invalid_request', (c) => ({ ...application(c), client_id: '' })],
    ['no scope', 900144, 400, 'invalid_request', (c) => ({ ...application(c), scope: '' })],
    [
      'a scope without .default',
      70011,
      400,
      'invalid_scope',
      (c) => ({ ...application(c), scope: `${c.audiences.storage}read` }),
    ],
    [
      'scopes of two resources',
      70011,
      400,
      'invalid_scope',
      (c) => ({ ...application(c), scope: `${c.audiences.storage}.default ${c.audiences.keyVault}.default` }),
    ],
    [
      'an unknown resource',
      500011,
      400,
      'invalid_resource',
      (c) => ({ ...application(c), scope: 'https://management.azure.com/.default' }),
    ],
    [
      'an unknown grant',
      70003,
      400,
      'unsupported_grant_type',
      (c) => ({ ...application(c), grant_type: 'constructor' }),
    ],
    ['a wrong password', 50126, 400, 'invalid_grant', (c) => ({ ...person(c), password: 'wrong' })],
    ['an unknown user', 50034, 400, 'invalid_grant', (c) => ({ ...person(c), username: 'nobody@enclave.test' })],
    [
      'a made-up refresh token',
      70000,
      400,
      'invalid_grant',
      () => ({ grant_type: 'refresh_token', refresh_token: 'x' }),
    ],
    [
      'a made-up device code',
      70018,
      400,
      'bad_verification_code',
      () => ({ grant_type: 'device_code', device_code: 'x' }),
    ],
  ])('refuses %s with AADSTS%i', async (_, number, status, error, form) => {
    const answer = await postToken(form(enclave.cloud))
    const failure = answer.json() as LoginFailure
    expect(answer.status).toBe(status)
    expect(failure).toMatchObject({ error, error_codes: [number] })
    expect(failure.error_description).toMatch(
      new RegExp(
        `^AADSTS${number}: .+ Trace ID: \\S+ Correlation ID: \\S+ Timestamp: \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\dZ$`,
      ),
    )
  })

  test('never repeats a wrong secret in its response', async () => {
    const answer = await postToken({ ...application(enclave.cloud), client_secret: 'a-planted-secret' })
    expect(answer.body).not.toContain('a-planted-secret')
  })

  test.each(['v2.0/.well-known/openid-configuration', '.well-known/openid-configuration'])(
    'an unknown tenant has no document at %s',
    async (path) => {
      const answer = await send(`${enclave.cloud.authorityHost}11111111-2222-3333-4444-555555555555/${path}`)
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject({ error_codes: [90002] })
    },
  )

  test('echoes the caller’s correlation id', async () => {
    const headers = { 'client-request-id': 'b4a5bb5c-4c5e-4ed5-9b2b-7c1d3f3d9a10' }
    const answer = await send(tokenEndpoint(enclave.cloud), { form: { grant_type: 'x' }, headers })
    expect(answer.json()).toMatchObject({ correlation_id: headers['client-request-id'] })
  })

  test.each([
    ['one slash', '/.default'],
    ['two slashes', '//.default'],
  ])('a scope with %s before .default gives an audience that ends with one', async (_, ending) => {
    const scope = enclave.cloud.resourceManagerAudience.replace(/\/$/, ending)
    const answer = await postToken({ ...application(enclave.cloud), scope })
    const { access_token: token } = answer.json() as { access_token: string }
    expect(decodeJwt(token).aud).toBe(enclave.cloud.resourceManagerAudience)
  })

  test('a refresh token of a person gives a token for another resource', async () => {
    const { cloud } = enclave
    const first = (await postToken(person(cloud))).json() as Record<string, string>
    const answer = await postToken({
      grant_type: 'refresh_token',
      refresh_token: first['refresh_token'] ?? '',
      scope: `${cloud.audiences.keyVault}.default`,
    })
    const { access_token: token } = answer.json() as { access_token: string }
    expect(decodeJwt(token)).toMatchObject({ aud: cloud.audiences.keyVault, upn: cloud.username, idtyp: 'user' })
  })

  test('knows no instance but itself', async () => {
    const { authorityHost, tenantId } = enclave.cloud
    const discover = (authority: string) => {
      const query = new URLSearchParams({ 'api-version': '1.1', authorization_endpoint: authority })
      return send(`${authorityHost}common/discovery/instance?${query.toString()}`)
    }
    const own = await discover(`${authorityHost}${tenantId}/oauth2/v2.0/authorize`)
    const other = await discover('https://login.neighbor.test/common/oauth2/v2.0/authorize')
    expect(own.json()).toMatchObject({
      tenant_discovery_endpoint: `${authorityHost}${tenantId}/v2.0/.well-known/openid-configuration`,
    })
    expect(other.json()).toMatchObject({ error: 'invalid_instance', error_codes: [50049] })
    expect(enclave.cloud.requests.map(({ path }) => path)).toEqual(Array(2).fill('/common/discovery/instance'))
  })

  test('answers that a user is managed', async () => {
    const { authorityHost, username } = enclave.cloud
    const answer = await send(`${authorityHost}common/userrealm/${encodeURIComponent(username)}?api-version=1.0`)
    expect(answer.json()).toMatchObject({ account_type: 'Managed', domain_name: 'enclave.test' })
  })

  test('refuses what it does not serve by name', async () => {
    const { authorityHost, tenantId } = enclave.cloud
    expect((await send(`${authorityHost}nothing/here`)).status).toBe(404)
    expect((await send(tokenEndpoint(enclave.cloud))).status).toBe(405)
    expect((await send(`${authorityHost}${tenantId}/oauth2/v2.0/authorize`)).status).toBe(501)
    const federation = await send(`${authorityHost}adfs/.well-known/openid-configuration`)
    expect(federation.json()).toMatchObject({ error_codes: [90002] })
  })
})

describe('the federation service', () => {
  const enclave = useEnclave({ federationService: true })

  test('has one document, whose addresses have no tenant', async () => {
    const { authorityHost } = enclave.cloud
    const document = (await enclave.send(`${authorityHost}.well-known/openid-configuration`)).json()
    expect(document).toMatchObject({
      issuer: authorityHost.replace(/\/$/, ''),
      token_endpoint: `${authorityHost}oauth2/token`,
      device_authorization_endpoint: `${authorityHost}oauth2/devicecode`,
    })
  })

  test('refuses in the short form, without AADSTS numbers', async () => {
    const answer = await enclave.postToken({ ...application(enclave.cloud), client_secret: 'wrong' })
    expect(answer.json()).toEqual({
      error: 'invalid_client',
      error_description: expect.stringMatching(/^MSIS9622: /) as string,
    })
  })

  test('takes a resource in place of a scope, and echoes it', async () => {
    const resource = enclave.cloud.resourceManagerAudience.replace(/\/$/, '')
    const answer = await enclave.postToken({ grant_type: 'client_credentials', resource })
    const { access_token: token } = answer.json() as { access_token: string }
    expect(decodeJwt(token).aud).toBe(resource)
  })
})
