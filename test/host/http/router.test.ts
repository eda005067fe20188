import { describe, expect, test } from 'vitest'

import { sendLines, useHosts } from '../support.ts'
import type { StartedHost } from '../support.ts'

const { start } = useHosts()
const rootPrefix = { version: '2.0', extensions: { http: { routePrefix: '' } } }

/** An app in which each named route answers with its function's name and parameters. */
function routes(table: Readonly<Record<string, { route?: string; methods?: readonly string[] }>>): string {
  return Object.entries(table)
    .map(([name, options]) => {
      const handler = `(request) => ({ jsonBody: { name: '${name}', params: request.params } })`
      return `app.http('${name}', { ...${JSON.stringify(options)}, authLevel: 'anonymous', handler: ${handler} })`
    })
    .join('\n')
}

async function answer(host: StartedHost, path: string, method = 'GET'): Promise<unknown> {
  const response = await host.request(path, { method })
  return response.status === 200 ? response.json() : response.status
}

test('case and a final slash do not matter, and an empty route means the name', async () => {
  const host = await start({ code: routes({ Things: {}, list: { route: '/All/Things/' } }) })
  for (const path of ['/api/things', '/API/THINGS', '/api/Things/']) {
    expect(await answer(host, path)).toEqual({ name: 'Things', params: {} })
  }
  for (const path of ['/api/all/things', '/api/ALL/things/']) {
    expect(await answer(host, path)).toEqual({ name: 'list', params: {} })
  }
  expect(await answer(host, '/api/things//')).toBe(404)
  expect(await answer(host, '/things')).toBe(404)
})

test('an unlisted method is 404 with an empty body, and HEAD is not implied by GET', async () => {
  const host = await start({ code: routes({ f: { methods: ['GET'] }, both: { methods: ['GET', 'HEAD'] } }) })
  for (const method of ['POST', 'HEAD', 'DELETE', 'OPTIONS']) {
    const response = await host.request('/api/f', { method })
    expect([response.status, await response.text(), response.headers.get('allow')]).toEqual([404, '', null])
  }
  expect((await host.request('/api/both', { method: 'HEAD' })).status).toBe(200)
})

test('routes are tried in function-name order', async () => {
  const host = await start({
    code: routes({ b: { route: 'x/fixed' }, A: { route: 'x/{any}' }, c: { route: '{*all}' } }),
  })
  expect(await answer(host, '/api/x/fixed')).toEqual({ name: 'A', params: { any: 'fixed' } })
  expect(await answer(host, '/api/y/fixed')).toEqual({ name: 'c', params: { all: 'y/fixed' } })
})

test('one route may serve two functions when their methods differ', async () => {
  const table = { read: { route: 'x', methods: ['GET'] }, write: { route: 'X', methods: ['PUT'] } }
  const host = await start({ code: routes(table) })
  expect(await answer(host, '/api/x', 'GET')).toMatchObject({ name: 'read' })
  expect(await answer(host, '/api/x', 'PUT')).toMatchObject({ name: 'write' })
})

test.each(['/', '{x:maxlength(0)?}'])(
  'without a prefix, route %s is the root of the site and nothing else',
  async (route) => {
    const host = await start({ hostJson: rootPrefix, code: routes({ home: { route } }) })
    expect(await answer(host, '/')).toEqual({ name: 'home', params: {} })
    expect(await answer(host, '/?a=b')).toMatchObject({ name: 'home' })
    expect(await answer(host, '/x')).toBe(404)
  },
)

test('the root is 404 with an empty body when no function is there', async () => {
  const response = await (await start()).request('/')
  expect([response.status, await response.text()]).toEqual([404, ''])
})

describe('parameters', () => {
  test.each([
    ['{id}', '/api/7', { id: '7' }],
    ['{id}', '/api/', 404],
    ['{id}', '/api/7/8', 404],
    ['{id}', '/api/Caf%C3%A9%20Nord', { id: 'Café Nord' }],
    ['{id}', '/api/a%2Fb', { id: 'a%2Fb' }],
    ['{id}', '/api/100%', { id: '100%' }],
    ['{id}', '/api/%zz', { id: '%zz' }],
    ['{id?}', '/api', {}],
    ['{id?}', '/api/', {}],
    ['{id?}', '/api/7', { id: '7' }],
    ['a/{x}/{y?}', '/api/A/1', { x: '1' }],
    ['a/{x}/{y?}', '/api/a/1/2', { x: '1', y: '2' }],
    ['{*rest}', '/api/a/b/c', { rest: 'a/b/c' }],
    ['{*rest}', '/api', {}],
    ['files/{**rest}', '/api/files/a%20b/c', { rest: 'a b/c' }],
    ['{n:int}', '/api/-42', { n: '-42' }],
    ['{n:int}', '/api/2147483648', 404],
    ['{n:long}', '/api/2147483648', { n: '2147483648' }],
    ['{n:int:min(5)}', '/api/4', 404],
    ['{n:range(1,5)}', '/api/5', { n: '5' }],
    ['{n:max(5)}', '/api/6', 404],
    ['{w:alpha}', '/api/aZ', { w: 'aZ' }],
    ['{w:alpha}', '/api/a1', 404],
    ['{b:bool}', '/api/TRUE', { b: 'TRUE' }],
    ['{g:guid}', '/api/0f8fad5b-d9cb-469f-a165-70867728950e', { g: '0f8fad5b-d9cb-469f-a165-70867728950e' }],
    ['{g:guid}', '/api/0f8fad5b', 404],
    ['{w:length(3)}', '/api/abc', { w: 'abc' }],
    ['{w:length(3)}', '/api/abcd', 404],
    ['{w:length(2,3)}', '/api/ab', { w: 'ab' }],
    ['{w:length(2,3)}', '/api/a', 404],
    ['{w:minlength(2)}', '/api/a', 404],
    ['{w:maxlength(2)}', '/api/ab', { w: 'ab' }],
    ['{w:maxlength(2)}', '/api/abc', 404],
    ['{n:int?}', '/api', {}],
    ['{n:int?}', '/api/x', 404],
  ])('route %s gives %s the parameters %j', async (route, path, expected) => {
    const host = await start({ code: routes({ f: { route } }) })
    expect(await answer(host, path)).toEqual(typeof expected === 'number' ? expected : { name: 'f', params: expected })
    await host.close()
  })
})

test('dot segments are removed before routing, also when escaped', async () => {
  const host = await start({ code: `app.get('f', (request) => ({ body: new URL(request.url).pathname }))` })
  for (const path of ['/api/x/../f', '/x/%2e%2E/api/f', '/api/./f']) {
    expect(await sendLines(host.port, `GET ${path} HTTP/1.1`, 'Host: localhost')).toMatch(/\r\n\r\n\/api\/f$/)
  }
})

test.each([
  ['an unknown constraint', '{x:regex(a)}', 'FEATURE_UNSUPPORTED', 'constraint "regex(a)"'],
  ['a constraint without its argument', '{x:maxlength}', 'FEATURE_UNSUPPORTED', 'constraint "maxlength"'],
  ['text around a parameter', 'a-{x}', 'FEATURE_UNSUPPORTED', '"a-{x}"'],
  ['a default value', '{x=1}', 'FEATURE_UNSUPPORTED', '"{x=1}"'],
  ['a parameter twice', '{x}/{X}', 'ROUTE_INVALID', 'has {X} twice'],
  ['an optional parameter before the end', '{x?}/y', 'ROUTE_INVALID', 'has {x} before its end'],
  ['a catch-all before the end', '{*x}/y', 'ROUTE_INVALID', 'has {x} before its end'],
  ['an empty segment', 'a//b', 'ROUTE_INVALID', 'has an empty segment'],
  ['a path of the host', 'admin/x', 'ROUTE_INVALID', 'must not begin with admin or runtime'],
])('%s in a route is refused, naming the function', async (_, route, code, message) => {
  await expect(start({ code: routes({ f: { route } }) })).rejects.toMatchObject({
    code,
    message: expect.stringMatching(`"f".*${message.replace(/[{}().*?]/g, String.raw`\$&`)}`),
  })
})

test('two functions with one route and one method are refused', async () => {
  const code = routes({ a: { route: 'x' }, b: { route: 'X', methods: ['GET'] } })
  await expect(start({ code })).rejects.toThrow('The route "X" of function "b" is that of function "a".')
})
