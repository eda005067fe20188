import { once } from 'node:events'
import { connect } from 'node:tls'
import { decodeJwt, createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Enclave } from '../../src/enclave.ts'
import { tokenEndpoint, useEnclave, type EnclaveUnderTest } from '../../../../test/support/use-enclave.ts'
import { identityProviderOf, tokenValidation } from '../../../../src/lib/profile/identity-provider.ts'

type TokenAnswer = Readonly<Record<'access_token' | 'id_token' | 'refresh_token', string>>

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
const discover = ({ cloud, send }: EnclaveUnderTest, endpoint: string) =>
  send(`${cloud.authorityHost}common/discovery/instance?authorization_endpoint=${encodeURIComponent(endpoint)}`)

describe('the token endpoint', () => {
  const enclave = useEnclave()
  const { postToken, send } = enclave

  const scopeOf = (...audiences: readonly string[]) => ({ scope: audiences.map((each) => `${each}.default`).join(' ') })
  test.each<[string, number, string, (cloud: Enclave) => Form]>([
    ['a wrong secret', 7000215, 'invalid_client', () => ({ client_secret: 'planted' })],
    ['no secret', 7000218, 'invalid_client', () => ({ client_secret: '' })],
    ['an unknown client', 700016, 'unauthorized_client', () => ({ client_id: 'unknown' })],
    ['no client', 900144, 'invalid_request', () => ({ client_id: '' })],
    ['no scope', 900144, 'invalid_request', () => ({ scope: '' })],
    ['a scope without .default', 70011, 'invalid_scope', (c) => ({ scope: `${c.audiences.storage}read` })],
    ['scopes of two resources', 70011, 'invalid_scope', (c) => scopeOf(c.audiences.storage, c.audiences.keyVault)],
    ['an unknown resource', 500011, 'invalid_resource', () => scopeOf('https://management.azure.com/')],
    ['an endpoint as a resource', 500011, 'invalid_resource', (c) => scopeOf(c.resourceManagerEndpoint)],
    ['an unknown grant', 70003, 'unsupported_grant_type', () => ({ grant_type: 'constructor' })],
    ['a wrong password', 50126, 'invalid_grant', (c) => ({ ...person(c), password: 'planted' })],
    ['an unknown user', 50034, 'invalid_grant', (c) => ({ ...person(c), username: 'other@enclave.test' })],
    ['a false refresh token', 70000, 'invalid_grant', () => ({ grant_type: 'refresh_token', refresh_token: 'x' })],
    ['a made-up device code', 70018, 'bad_verification_code', () => ({ grant_type: 'device_code', code: 'planted' })],
  ])('refuses %s with AADSTS%i, and never repeats a secret', async (_, number, error, changes) => {
    const answer = await postToken({ ...application(enclave.cloud), ...changes(enclave.cloud) })
    const text = /^AADSTS\d+: .+ Trace ID: \S+ Correlation ID: \S+ Timestamp: \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/
    expect(answer.status).toBe(error === 'invalid_client' ? 401 : 400)
    expect(answer.json()).toMatchObject({ error, error_codes: [number], error_description: text })
    expect(answer.body).not.toContain('planted')
  })

  test('responds in version 1 with its numbers as texts, in version 2 with numbers', async () => {
    const { tenantId, authorityHost, clientId, clientSecret, resourceManagerAudience: resource } = enclave.cloud
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, resource }
    const body = (await send(`${authorityHost}${tenantId}/oauth2/token`, { form })).json() as TokenAnswer
    const { exp, nbf } = decodeJwt(body.access_token)
    const numbers = { expires_in: '3600', expires_on: String(exp), not_before: String(nbf) }
    expect(body).toMatchObject({ token_type: 'Bearer', ...numbers, resource })
    expect((await postToken(application(enclave.cloud))).json()).toMatchObject({ expires_in: 3600 })
  })

  test.each([
    ['its secret', (secret: string) => secret, 200],
    ['its secret, percent-encoded', (secret: string) => encodeURIComponent(secret).replaceAll('~', '%7E'), 200],
    ['a wrong secret', () => 'planted:%', 401],
    ['no secret', () => '', 401],
  ])('a client that sends %s by Basic authentication gets %i', async (_, written, status) => {
    const { clientId, clientSecret } = enclave.cloud
    const basic = Buffer.from(`${clientId}:${written(clientSecret)}`).toString('base64')
    const headers = { authorization: `Basic ${basic}` }
    const answer = await send(tokenEndpoint(enclave.cloud), { form: application(enclave.cloud), headers })
    expect(answer.status).toBe(status)
    expect(answer.body).not.toContain('planted')
  })

  test.each([
    ['as it was requested', (audience: string) => `${audience}.default`],
    ['with two slashes', (audience: string) => `${audience}/.default`],
    ['of the older form', (audience: string) => `${audience}user_impersonation`],
  ])('answers the scope %s, for an audience that ends with one slash', async (_, written) => {
    const { resourceManagerAudience } = enclave.cloud
    const scope = written(resourceManagerAudience)
    const answer = (await postToken({ ...application(enclave.cloud), scope })).json() as TokenAnswer
    expect(answer).toMatchObject({ scope })
    expect(decodeJwt(answer.access_token).aud).toBe(resourceManagerAudience)
  })

  test('a refresh token of a person gives a token for another resource', async () => {
    const { cloud } = enclave
    const { refresh_token } = (await postToken(person(cloud))).json() as TokenAnswer
    const scope = `${cloud.audiences.keyVault}.default`
    const answer = (await postToken({ grant_type: 'refresh_token', refresh_token, scope })).json() as TokenAnswer
    const claims = { aud: cloud.audiences.keyVault, upn: cloud.username, idtyp: 'user' }
    expect(decodeJwt(answer.access_token)).toMatchObject(claims)
  })

  test('answers that a user is managed, in paths of either letter case', async () => {
    const { authorityHost, username } = enclave.cloud
    const answer = await send(`${authorityHost}common/UserRealm/${encodeURIComponent(username)}?api-version=1.0`)
    expect(answer.json()).toMatchObject({ account_type: 'Managed', domain_name: 'enclave.test' })
  })

  test('refuses what it does not serve by name', async () => {
    const { authorityHost, tenantId } = enclave.cloud
    expect((await send(`${authorityHost}nothing/here`)).status).toBe(404)
    expect(await send(tokenEndpoint(enclave.cloud))).toMatchObject({ status: 405, headers: { allow: 'POST' } })
    expect((await send(`${authorityHost}${tenantId}/oauth2/v2.0/authorize`)).status).toBe(501)
    for (const tenant of ['adfs', '11111111-2222-3333-4444-555555555555/v2.0']) {
      const document = await send(`${authorityHost}${tenant}/.well-known/openid-configuration`)
      expect([document.status, document.json()]).toMatchObject([400, { error_codes: [90002] }])
    }
  })
})

describe('an enclave with instance discovery', () => {
  const enclave = useEnclave({ discovery: true })
  const plain = useEnclave()

  test('describes its authority, and no other; an enclave without it has an empty list', async () => {
    const authorizeOf = ({ cloud }: EnclaveUnderTest) => `${cloud.authorityHost}${cloud.tenantId}/oauth2/v2.0/authorize`
    expect((await discover(plain, authorizeOf(plain))).json()).toMatchObject({ metadata: [] })
    const { authorityHost, tenantId } = enclave.cloud
    const { host } = new URL(authorityHost)
    expect((await discover(enclave, authorizeOf(enclave))).json()).toEqual({
      tenant_discovery_endpoint: `${authorityHost}${tenantId}/v2.0/.well-known/openid-configuration`,
      'api-version': '1.1',
      metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
    })
    for (const endpoint of [
      'https://login.other.test/common/oauth2/v2.0/authorize',
      `${authorityHost}other.test/oauth2/v2.0/authorize`,
      `${authorityHost}${tenantId}?x/oauth2/v2.0/authorize`,
      authorityHost,
    ]) {
      const other = await discover(enclave, endpoint)
      expect([other.status, other.json()]).toMatchObject([400, { error: 'invalid_instance' }])
    }
  })

  const publicHosts = ['login.microsoftonline.com', 'login.microsoft.com', 'login.windows.net', 'localhost']
  test.each(publicHosts)('a client that resolves %s to it trusts its certificate', async (servername) => {
    const port = Number(new URL(enclave.cloud.authorityHost).port)
    const socket = connect({ port, host: '127.0.0.1', servername, ca: enclave.cloud.ca.certificatePem })
    await once(socket, 'secureConnect')
    expect(socket.authorized).toBe(true)
    socket.destroy()
  })
})

describe('the federation service', () => {
  const enclave = useEnclave({ federationService: true })
  const az = { client_id: '1950a258-227b-4e31-a9cf-717495945fc2', client_secret: '' }
  const ask = (scope: string) => enclave.postToken({ ...person(enclave.cloud), ...az, scope })

  test('refuses in the short form, without AADSTS numbers', async () => {
    const answer = await enclave.postToken({ ...application(enclave.cloud), client_secret: 'wrong' })
    expect(answer.json()).toEqual({ error: 'invalid_client', error_description: /^MSIS9622: / })
  })

  test('takes a resource in place of a scope, and echoes it', async () => {
    const resource = enclave.cloud.resourceManagerAudience.replace(/\/$/, '')
    const answer = await enclave.postToken({ grant_type: 'client_credentials', resource })
    expect(decodeJwt((answer.json() as TokenAnswer).access_token).aud).toBe(resource)
  })

  test('gives an id token for the scope AUDIENCE/openid of Az PowerShell, and knows no identifier with two slashes', async () => {
    const { resourceManagerAudience } = enclave.cloud
    const answer = (await ask(`${resourceManagerAudience}openid`)).json() as TokenAnswer
    expect(decodeJwt(answer.access_token).aud).toBe(resourceManagerAudience)
    expect(answer.id_token).toMatch(/^ey/)
    expect((await ask(`${resourceManagerAudience}/openid`)).status).toBe(400)
  })

  test('confirms its authority by webfinger, and no other', async () => {
    const { origin } = new URL(enclave.cloud.authorityHost)
    const rel = 'http://schemas.microsoft.com/rel/trusted-realm'
    const finger = (resource: string) =>
      enclave.send(`${origin}/.well-known/webfinger?${new URLSearchParams({ rel, resource }).toString()}`)
    const links = [{ rel, href: `${origin}/adfs` }]
    expect((await finger(`${origin}/adfs`)).json()).toEqual({ subject: `${origin}/adfs`, links })
    expect((await finger('https://other.test/adfs')).status).toBe(404)
    expect((await finger(`${origin}.other.test/`)).status).toBe(404)
  })
})

describe.each([
  ['a multi-tenant authority', false],
  ['a federation service', true],
])('A service that validates the tokens of %s with jose', (_kind, federationService) => {
  const enclave = useEnclave({ federationService })

  /** The claims of a valid token for the service. */
  const claimsOf = async (token: string) => {
    const { profile } = enclave.cloud
    const { jwksUri, issuers, audiences } = tokenValidation(profile, identityProviderOf(profile))
    const keys = (await enclave.send(jwksUri())).json() as JSONWebKeySet
    const options = { issuer: [...issuers()], audience: [...audiences(enclave.cloud.clientId)] }
    const verified = await jwtVerify(token, createLocalJWKSet(keys), options).catch(() => undefined)
    return verified?.payload
  }
  const acquire = async (form: Form) => (await enclave.postToken(form)).json() as TokenAnswer
  const ofService = () => ({ scope: `api://${enclave.cloud.clientId}/.default` })
  const userToken = async () => (await acquire({ ...person(enclave.cloud), ...ofService() })).access_token

  test('accepts a token for itself, and neither a token for another service nor a changed one', async () => {
    const token = await userToken()
    expect(await claimsOf(token)).toMatchObject({ upn: enclave.cloud.username })
    expect(await claimsOf(await enclave.token())).toBeUndefined()
    expect(await claimsOf(`${token.slice(0, -8)}AAAAAAAA`)).toBeUndefined()
  })

  test('exchanges the token of a user, and no other, for a token of another service', async () => {
    const exchange = (assertion: string) =>
      acquire({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        requested_token_use: 'on_behalf_of',
        assertion,
        scope: `${enclave.cloud.resourceManagerAudience}.default`,
      })
    const authorization = `Bearer ${(await exchange(await userToken())).access_token}`
    const list = `${enclave.cloud.resourceManagerEndpoint}subscriptions?api-version=2022-12-01`
    expect((await enclave.send(list, { headers: { authorization } })).status).toBe(200)
    const { access_token: ofApplication } = await acquire({ ...application(enclave.cloud), ...ofService() })
    for (const token of [ofApplication, await enclave.token()])
      expect(await exchange(token)).toHaveProperty('error_description')
  })
})
