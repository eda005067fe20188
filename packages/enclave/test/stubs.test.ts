import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { useEnclave } from '../../../test/support/use-enclave.ts'
import { useTemporaryDirectory } from '../../../test/support/temporary-directory.ts'

const temp = useTemporaryDirectory()
const enclave = useEnclave({
  localServices: true,
  get seed() {
    temp.write('settings.json', '{ "app:color": "red", "app:size": "5", "other": "x" }')
    return temp.path
  },
})
const call = (service: string, path: string, content?: unknown, audience?: string) => {
  const { url = '', audience: own = '' } = enclave.cloud.profile.services?.[service] ?? {}
  const more = content === undefined ? {} : { method: 'POST', body: JSON.stringify(content) }
  return enclave.call(new URL(path, url).href, audience ?? `${own}/`, more)
}

describe('App Configuration', () => {
  const get = (path: string) =>
    call('appConfiguration', `${path}${path.includes('?') ? '&' : '?'}api-version=2023-11-01`)
  test.each([
    ['kv', ['example', 'app:color', 'app:size', 'other']],
    ['kv?key=app:*', ['app:color', 'app:size']],
    ['kv?key=other,app:size&label=%00', ['app:size', 'other']],
    ['kv?label=production', []],
  ])('/%s lists %j', async (path, keys) => {
    const { items } = (await get(path)).json() as { readonly items: readonly { readonly key: string }[] }
    expect(items.map(({ key }) => key)).toEqual(keys)
  })

  test('a setting is read by its key, a missing one is 404, and a change is refused by name', async () => {
    const color = await get('kv/app%3Acolor')
    expect(color.json()).toMatchObject({ key: 'app:color', value: 'red', label: null })
    expect(color.headers.etag).toMatch(/^"[\w-]+"$/)
    for (const path of ['kv/missing', 'kv/%zz']) expect((await get(path)).status).toBe(404)
    const changed = await call('appConfiguration', 'kv/x?api-version=2023-11-01', {})
    expect(changed.body).toContain('does not support POST /kv/x')
  })

  test('a token for another audience is refused with the one to request', async () => {
    const path = 'kv?api-version=2023-11-01'
    const answer = await call('appConfiguration', path, undefined, enclave.cloud.audiences.storage)
    const headers = { 'www-authenticate': /^HMAC-SHA256, Bearer error=/ }
    expect(answer).toMatchObject({ status: 401, body: /https:\/\/azconfig\.enclave\.test/, headers })
  })
})

describe('AI services', () => {
  test('a body of another shape is no failure of the server', async () => {
    const shapes = [[], [5], 'text', 5, null, { model: 5, stream: 'yes' }, { input: { a: 5 }, dimensions: [] }]
    for (const body of shapes)
      for (const path of ['chat/completions', 'embeddings'])
        expect([body, (await call('openai', `openai/v1/${path}`, body)).status]).toEqual([body, 200])
  })

  const messages = { messages: [{ role: 'user', content: 'Hello' }] }
  test.each([
    ['openai/deployments/gpt/chat/completions?api-version=2024-10-21', messages, 'gpt'],
    ['openai/v1/chat/completions', { ...messages, model: 'own' }, 'own'],
    ['models/chat/completions', { ...messages, model: 'own' }, 'own'],
  ])('%s has a fixed completion', async (path, body, model) => {
    const message = { content: 'This is a fixed response of the enclave.' }
    const choices = [{ message, finish_reason: 'stop' }]
    expect((await call('openai', path, body)).json()).toMatchObject({ model, choices })
  })

  test('a stream ends as clients expect', async () => {
    const answer = await call('openai', 'openai/v1/chat/completions', { ...messages, stream: true })
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/)
    expect(answer.body).toMatch(/^data: \{.*"content":"This is.*\n\ndata: .*"stop".*\n\ndata: \[DONE\]\n\n$/s)
  })

  test.each([
    [{ input: 'one' }, [1536]],
    [{ input: ['one', 'two'], dimensions: 8 }, [8, 8]],
    [{ input: 'one', dimensions: 1e9 }, [4096]],
    [{ input: 'one', dimensions: -1.5 }, [1]],
  ])('embeddings of %j have %j zeros', async (body, sizes) => {
    const { data } = (await call('openai', 'openai/deployments/e/embeddings', body)).json() as {
      readonly data: readonly { readonly embedding: readonly number[] }[]
    }
    expect(data.map(({ embedding }) => embedding.length)).toEqual(sizes)
    expect(data.every(({ embedding }) => embedding.every((value) => value === 0))).toBe(true)
  })

  test('every other operation is refused by name, and so is a token for another audience', async () => {
    const images = await call('openai', 'openai/v1/images/generations', {})
    expect(images).toMatchObject({ status: 501, body: /POST \/openai\/v1\/images\/generations/ })
    const wrong = await call('openai', 'openai/v1/embeddings', {}, enclave.cloud.audiences.keyVault)
    expect(wrong).toMatchObject({ status: 401, body: /https:\/\/cognitiveservices\.enclave\.test/ })
  })
})

describe('The container registry', () => {
  const at = (path: string) => new URL(path, enclave.cloud.profile.services?.['containerRegistry']?.url).href
  const host = () => new URL(at('/')).host
  const post = async (path: string, form: Readonly<Record<string, string>>) => {
    const { status, json } = await enclave.send(at(path), { form: { service: host(), ...form } })
    return { status, ...(json() as { refresh_token?: string; access_token?: string }) }
  }
  const exchange = (access: string) => post('/oauth2/exchange', { grant_type: 'access_token', access_token: access })
  const get = (path: string, token = 'none') =>
    enclave.send(at(path), { headers: { authorization: `Bearer ${token}` } })

  test('a token of the resource manager is exchanged for one that opens the catalog', async () => {
    const challenge = `Bearer realm="https://${host()}/oauth2/token",service="${host()}"`
    for (const [path, scope] of [
      ['/v2/', ''],
      ['/v2/_catalog', ',scope="registry:catalog:*"'],
      ['/v2/team/app/tags/list', ',scope="repository:team/app:pull"'],
    ] as const)
      expect((await get(path)).headers['www-authenticate']).toBe(challenge + scope)
    const token = await enclave.token()
    const { refresh_token: refresh = '' } = await exchange(token)
    expect(decodeJwt(refresh).sub).toBe(decodeJwt(token).sub)
    const given = { grant_type: 'refresh_token', refresh_token: refresh, scope: 'registry:catalog:*' }
    const { access_token: access } = await post('/oauth2/token', given)
    expect((await get('/v2/', access)).status).toBe(200)
    expect((await get('/v2/_catalog', access)).json()).toEqual({ repositories: [] })
    expect((await get('/v2/app/tags/list', access)).status).toBe(404)
  })

  test('the token of another service is refused, and that of the registry for another use', async () => {
    const ofVault = await enclave.token(enclave.cloud.audiences.keyVault)
    expect((await exchange(ofVault)).status).toBe(401)
    const { refresh_token: refresh } = await exchange(await enclave.token())
    expect((await get('/v2/', refresh)).status).toBe(401)
    expect((await post('/oauth2/token', { refresh_token: ofVault })).status).toBe(401)
  })
})
