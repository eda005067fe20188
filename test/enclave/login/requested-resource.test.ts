import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { useEnclave } from '../../support/use-enclave.ts'

interface TokenAnswer {
  readonly access_token: string
  readonly scope: string
  readonly id_token?: string
}
const azPowerShell = '1950a258-227b-4e31-a9cf-717495945fc2'

describe('an enclave', () => {
  const enclave = useEnclave()
  const ask = (scope: string) => enclave.postToken({ grant_type: 'client_credentials', scope })

  test('refuses the endpoint of the resource manager as an audience', async () => {
    const { resourceManagerEndpoint } = enclave.cloud
    expect((await ask(`${resourceManagerEndpoint}.default`)).json()).toMatchObject({ error_codes: [500011] })
  })

  test.each([
    ['as it was requested', (audience: string) => `${audience}.default`],
    ['with two slashes', (audience: string) => `${audience}/.default`],
    ['in another letter case', (audience: string) => `${audience.toUpperCase()}.default`],
    ['of the older form', (audience: string) => `${audience}user_impersonation`],
  ])('answers the scope %s', async (_name, scopeOf) => {
    const scope = scopeOf(enclave.cloud.resourceManagerAudience)
    expect((await ask(scope)).json()).toMatchObject({ scope })
  })

  test('accepts every audience of its metadata', async () => {
    const { metadataEndpoint, subscriptionId, resourceManagerEndpoint } = enclave.cloud
    const metadata = (await enclave.send(`${metadataEndpoint}?api-version=2022-09-01`)).json() as {
      authentication: { audiences: string[] }
    }
    expect(metadata.authentication.audiences).toHaveLength(2)
    for (const audience of metadata.authentication.audiences) {
      const { access_token: token } = (await ask(`${audience}.default`)).json() as TokenAnswer
      const url = `${resourceManagerEndpoint}subscriptions/${subscriptionId}?api-version=2022-12-01`
      expect((await enclave.send(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
    }
  })

  test('has the public client of Az PowerShell', async () => {
    const { username, password, resourceManagerAudience } = enclave.cloud
    const scope = `${resourceManagerAudience}.default`
    const answer = await enclave.postToken({
      grant_type: 'password',
      client_id: azPowerShell,
      client_secret: '',
      username,
      password,
      scope,
    })
    expect(answer.status).toBe(200)
  })
})

describe('a lenient enclave', () => {
  const enclave = useEnclave({ lenient: true })

  test('accepts the endpoint of the resource manager as an audience, and normalizes the scope', async () => {
    const { resourceManagerEndpoint } = enclave.cloud
    const answer = await enclave.postToken({
      grant_type: 'client_credentials',
      scope: `${resourceManagerEndpoint}/.default`,
    })
    expect(answer.json()).toMatchObject({ scope: `${resourceManagerEndpoint}.default` })
  })
})

describe('a federation service', () => {
  const enclave = useEnclave({ federationService: true })
  const ask = (scope: string) => {
    const { username, password } = enclave.cloud
    return enclave.postToken({
      grant_type: 'password',
      client_id: azPowerShell,
      client_secret: '',
      username,
      password,
      scope,
    })
  }

  test('gives an id token for the scope AUDIENCE/openid of Az PowerShell', async () => {
    const audience = enclave.cloud.resourceManagerAudience.replace(/\/$/, '')
    const answer = (await ask(`${audience}/openid`)).json() as TokenAnswer
    expect(decodeJwt(answer.access_token).aud).toBe(`${audience}/`)
    expect(answer.id_token).toMatch(/^ey/)
  })

  test('knows no identifier with two slashes', async () => {
    expect((await ask(`${enclave.cloud.resourceManagerAudience}/openid`)).status).toBe(400)
  })

  test('confirms its authority by webfinger, and no other', async () => {
    const { origin } = new URL(enclave.cloud.authorityHost)
    const ask = (resource: string) =>
      enclave.send(
        `${origin}/.well-known/webfinger?${new URLSearchParams({ rel: 'http://schemas.microsoft.com/rel/trusted-realm', resource }).toString()}`,
      )
    expect((await ask(`${origin}/adfs`)).json()).toEqual({
      subject: `${origin}/adfs`,
      links: [{ rel: 'http://schemas.microsoft.com/rel/trusted-realm', href: `${origin}/adfs` }],
    })
    expect((await ask('https://other.test/adfs')).status).toBe(404)
    expect((await ask(`${origin}.other.test/`)).status).toBe(404)
  })
})
