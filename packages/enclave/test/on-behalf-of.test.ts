import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { describe, expect, test } from 'vitest'
import { identityProviderOf, tokenValidation } from '../../../src/lib/profile/identity-provider.ts'
import { useEnclave } from '../../../test/support/use-enclave.ts'

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
  const acquire = async (form: Readonly<Record<string, string>>) =>
    (await enclave.postToken(form)).json() as { access_token: string; error_description?: string }
  const ofService = () => ({ scope: `api://${enclave.cloud.clientId}/.default` })
  const userToken = async () => {
    const { username, password } = enclave.cloud
    return (await acquire({ grant_type: 'password', username, password, ...ofService() })).access_token
  }

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
    const { access_token: exchanged } = await exchange(await userToken())
    const list = `${enclave.cloud.resourceManagerEndpoint}subscriptions?api-version=2022-12-01`
    const headers = { authorization: `Bearer ${exchanged}` }
    expect((await enclave.send(list, { headers })).status).toBe(200)
    const { access_token: ofApplication } = await acquire({ grant_type: 'client_credentials', ...ofService() })
    for (const token of [ofApplication, await enclave.token()])
      expect(await exchange(token)).toHaveProperty('error_description')
  })
})
