import { expect, test } from 'vitest'

import { sendLines, useEmulators } from '../../support/use-emulators.ts'
import type { StartedEmulator } from '../../support/use-emulators.ts'

const { start } = useEmulators()
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

async function answer(host: StartedEmulator, path: string, method = 'GET'): Promise<unknown> {
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
    code: routes({ b: { route: 'x/fixed' }, A: { route: 'x/{*any}' }, c: { route: '{*all}' } }),
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

test('without a prefix, route / is the root of the site and nothing else', async () => {
  const host = await start({ hostJson: rootPrefix, code: routes({ home: { route: '/' } }) })
  expect(await answer(host, '/')).toEqual({ name: 'home', params: {} })
  expect(await answer(host, '/?a=b')).toMatchObject({ name: 'home' })
  expect(await answer(host, '/x')).toBe(404)
})

test('the root is 404 with an empty body when no function is there', async () => {
  const response = await (await start()).request('/')
  expect([response.status, await response.text()]).toEqual([404, ''])
})

test.each([
  ['{*rest}', '/api/a/b/c', { rest: 'a/b/c' }],
  ['{*rest}', '/api/Caf%C3%A9%20Nord', { rest: 'Café Nord' }],
  ['{*rest}', '/api/a%2Fb', { rest: 'a%2Fb' }],
  ['{*rest}', '/api/100%', { rest: '100%' }],
  ['{*rest}', '/api/%zz', { rest: '%zz' }],
  ['{*rest}', '/api', {}],
  ['{*rest}', '/api//a', { rest: '/a' }],
  ['Files/{**rest}', '/api/files/a%20b/C', { rest: 'a b/C' }],
  ['files/{*rest}', '/api/filesystem', 404],
])('route %s gives %s the parameters %j', async (route, path, expected) => {
  const host = await start({ code: routes({ f: { route } }) })
  expect(await answer(host, path)).toEqual(typeof expected === 'number' ? expected : { name: 'f', params: expected })
  await host.close()
})

test('dot segments are removed before routing, also when escaped', async () => {
  const host = await start({ code: `app.get('f', (request) => ({ body: new URL(request.url).pathname }))` })
  for (const path of ['/api/x/../f', '/x/%2e%2E/api/f', '/api/./f']) {
    expect(await sendLines(host.port, `GET ${path} HTTP/1.1`, 'Host: localhost')).toMatch(/\r\n\r\n\/api\/f$/)
  }
})

test.each([
  ['a parameter', 'x/{id}', 'FEATURE_UNSUPPORTED', '"{id}"'],
  ['an optional parameter', '{id?}', 'FEATURE_UNSUPPORTED', '"{id?}"'],
  ['a constraint', '{x:maxlength(0)?}', 'FEATURE_UNSUPPORTED', '"{x:maxlength(0)?}"'],
  ['text around a parameter', 'a-{*x}', 'FEATURE_UNSUPPORTED', '"a-{*x}"'],
  ['a default value', '{x=1}', 'FEATURE_UNSUPPORTED', '"{x=1}"'],
  ['a catch-all before the end', '{*x}/y', 'FEATURE_UNSUPPORTED', '"{*x}"'],
  ['a path of the host', 'admin/x', 'ROUTE_INVALID', 'must not begin with admin or runtime'],
])('%s in a route is refused, naming the function', async (_, route, code, message) => {
  await expect(start({ code: routes({ f: { route } }) })).rejects.toMatchObject({
    code,
    message: expect.stringMatching(`"f".*${message.replace(/[{}().*?]/g, String.raw`\$&`)}`),
  })
})

test('two functions with one route and one method are refused', async () => {
  const code = routes({ a: { route: 'x' }, b: { route: 'X', methods: ['GET'] } })
  await expect(start({ code })).rejects.toThrow('The route "api/X" of function "b" is also the route of function "a".')
})
