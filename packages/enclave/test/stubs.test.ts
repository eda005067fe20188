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
const call = async (service: string, path: string, body?: unknown, audience?: string) => {
  const { url = '', audience: own = '' } = enclave.cloud.profile.services?.[service] ?? {}
  const authorization = `Bearer ${await enclave.token(audience ?? `${own}/`)}`
  const headers = { authorization, 'content-type': 'application/json' }
  const options = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(new URL(path, url), options)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) as unknown }
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
    expect(color.headers.get('etag')).toMatch(/^"[\w-]+"$/)
    expect((await get('kv/missing')).status).toBe(404)
    expect((await get('kv/%zz')).status).toBe(404)
    expect((await call('appConfiguration', 'kv/x?api-version=2023-11-01', {})).text).toContain(
      'does not support POST /kv/x',
    )
  })

  test('a token for another audience is refused with the one to request', async () => {
    const path = 'kv?api-version=2023-11-01'
    const answer = await call('appConfiguration', path, undefined, enclave.cloud.audiences.storage)
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('https://azconfig.enclave.test')])
    expect(answer.headers.get('www-authenticate')).toMatch(/^HMAC-SHA256, Bearer error=/)
  })
})

describe('AI services', () => {
  test.each([[[]], [[5]], ['text'], [5], [null], [{ model: 5, stream: 'yes' }], [{ input: { a: 5 }, dimensions: [] }]])(
    'a body of another shape (%j) is no failure of the server',
    async (body) => {
      for (const path of ['chat/completions', 'embeddings'])
        expect((await call('openai', `openai/v1/${path}`, body)).status).toBe(200)
    },
  )

  const messages = { messages: [{ role: 'user', content: 'Hello' }] }
  test.each([
    ['openai/deployments/gpt/chat/completions?api-version=2024-10-21', messages, 'gpt'],
    ['openai/v1/chat/completions', { ...messages, model: 'own' }, 'own'],
    ['models/chat/completions', { ...messages, model: 'own' }, 'own'],
  ])('%s has a fixed completion', async (path, body, model) => {
    expect((await call('openai', path, body)).json()).toMatchObject({
      model,
      choices: [{ message: { content: 'This is a fixed response of the enclave.' }, finish_reason: 'stop' }],
    })
  })

  test('a stream ends as clients expect', async () => {
    const { headers, text } = await call('openai', 'openai/v1/chat/completions', { ...messages, stream: true })
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(text).toMatch(/^data: \{.*"content":"This is.*\n\ndata: .*"stop".*\n\ndata: \[DONE\]\n\n$/s)
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
    expect([images.status, images.text]).toEqual([501, expect.stringContaining('POST /openai/v1/images/generations')])
    const wrong = await call('openai', 'openai/v1/embeddings', {}, enclave.cloud.audiences.keyVault)
    expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining('https://cognitiveservices.enclave.test')])
  })
})
