import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identityProviderOf, tokenValidation } from '../../../src/lib/profile/identity-provider.ts'
import { useEnclave } from '../../../test/support/use-enclave.ts'

describe.each([['a multi-tenant authority', false] as const, ['a federation service', true] as const])(
  'A service that validates with jose the tokens of %s',
  (_kind, federationService) => {
    const enclave = useEnclave({ federationService })
    let service: Server
    const identity = () => tokenValidation(enclave.cloud.profile, identityProviderOf(enclave.cloud.profile))

    /** Answers with the claims of a valid token, else with 401. */
    beforeAll(async () => {
      service = createServer((request, response) => {
        void (async () => {
          const { clientId } = enclave.cloud
          const keys = (await enclave.send(identity().jwksUri())).json() as JSONWebKeySet
          const token = (request.headers.authorization ?? '').replace(/^Bearer /, '')
          const options = { issuer: [...identity().issuers()], audience: [...identity().audiences(clientId)] }
          const verified = await jwtVerify(token, createLocalJWKSet(keys), options).catch(() => undefined)
          response.writeHead(verified === undefined ? 401 : 200).end(JSON.stringify(verified?.payload ?? {}))
        })()
      }).listen(0, '127.0.0.1')
      await once(service, 'listening')
    })
    afterAll(() => service.close())

    const call = async (token: string) => {
      const { port } = service.address() as AddressInfo
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { authorization: `Bearer ${token}` } })
      return { status: response.status, claims: (await response.json()) as Readonly<Record<string, unknown>> }
    }
    const acquire = async (form: Readonly<Record<string, string>>) =>
      (await enclave.postToken(form)).json() as { access_token: string; error_description?: string }
    const userToken = async () => {
      const { clientId, username, password } = enclave.cloud
      const { access_token: token } = await acquire({
        grant_type: 'password',
        username,
        password,
        scope: `api://${clientId}/.default`,
      })
      return token
    }

    test('accepts a token for itself, and neither one for another service nor a changed one', async () => {
      const token = await userToken()
      expect(await call(token)).toMatchObject({ status: 200, claims: { upn: enclave.cloud.username } })
      expect((await call(await enclave.token())).status).toBe(401)
      expect((await call(`${token.slice(0, -8)}AAAAAAAA`)).status).toBe(401)
    })

    test('exchanges it for a token of another service on behalf of the user', async () => {
      const exchange = (assertion: string) =>
        acquire({
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          requested_token_use: 'on_behalf_of',
          assertion,
          scope: `${enclave.cloud.resourceManagerAudience}.default`,
        })
      const { access_token: exchanged } = await exchange(await userToken())
      const list = `${enclave.cloud.resourceManagerEndpoint}subscriptions?api-version=2022-12-01`
      expect((await enclave.send(list, { headers: { authorization: `Bearer ${exchanged}` } })).status).toBe(200)
      const ofApplication = await acquire({
        grant_type: 'client_credentials',
        scope: `api://${enclave.cloud.clientId}/.default`,
      })
      expect(await exchange(ofApplication.access_token)).toHaveProperty('error_description')
      expect(await exchange(await enclave.token())).toHaveProperty('error_description')
    })
  },
)
