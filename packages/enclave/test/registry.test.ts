import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { useEnclave } from '../../../test/support/use-enclave.ts'

const enclave = useEnclave({ localServices: true })
const at = (path: string) => new URL(path, enclave.cloud.profile.services?.['containerRegistry']?.url).href
const host = () => new URL(at('/')).host
const post = async (path: string, form: Readonly<Record<string, string>>) => {
  const { status, json } = await enclave.send(at(path), { form: { service: host(), ...form } })
  return { status, ...(json() as { refresh_token?: string; access_token?: string }) }
}
const get = (path: string, token = 'none') => enclave.send(at(path), { headers: { authorization: `Bearer ${token}` } })

test('a token of the resource manager is exchanged for one that opens the catalog', async () => {
  const challenge = `Bearer realm="https://${host()}/oauth2/token",service="${host()}"`
  for (const [path, scope] of [
    ['/v2/', ''],
    ['/v2/_catalog', ',scope="registry:catalog:*"'],
    ['/v2/team/app/tags/list', ',scope="repository:team/app:pull"'],
  ] as const)
    expect((await get(path)).headers['www-authenticate']).toBe(challenge + scope)
  const token = await enclave.token()
  const { refresh_token: refresh = '' } = await post('/oauth2/exchange', {
    grant_type: 'access_token',
    access_token: token,
  })
  expect(decodeJwt(refresh).sub).toBe(decodeJwt(token).sub)
  const given = { grant_type: 'refresh_token', refresh_token: refresh, scope: 'registry:catalog:*' }
  const { access_token: access } = await post('/oauth2/token', given)
  expect((await get('/v2/', access)).status).toBe(200)
  expect((await get('/v2/_catalog', access)).json()).toEqual({ repositories: [] })
  expect((await get('/v2/app/tags/list', access)).status).toBe(404)
})

test('the token of another service is refused, and that of the registry for another use', async () => {
  const ofVault = await enclave.token(enclave.cloud.audiences.keyVault)
  const exchange = (access: string) => post('/oauth2/exchange', { grant_type: 'access_token', access_token: access })
  expect((await exchange(ofVault)).status).toBe(401)
  const { refresh_token: refresh } = await exchange(await enclave.token())
  expect((await get('/v2/', refresh)).status).toBe(401)
  expect((await post('/oauth2/token', { refresh_token: ofVault })).status).toBe(401)
})
