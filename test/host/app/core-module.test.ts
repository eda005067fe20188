import { spawnSync } from 'node:child_process'
import Module from 'node:module'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { bundle, useHosts } from '../support.ts'

const { start, writeApp } = useHosts()
const library = fileURLToPath(new URL('../../../node_modules/@azure/functions', import.meta.url))

const currentRequire = (): unknown => Object.getOwnPropertyDescriptor(Module.prototype, 'require')?.value

test('require is patched while a host is open, and as it was afterwards', async () => {
  const before = currentRequire()
  const first = await start()
  const second = await start()
  await first.close()
  expect(currentRequire()).not.toBe(before)
  await second.close()
  expect(currentRequire()).toBe(before)
  await expect(start({ code: 'throw new Error("no")' })).rejects.toThrow('no')
  expect(currentRequire()).toBe(before)
})

test('two hosts at once keep their functions apart, also those of chunks loaded later', async () => {
  const [a, b] = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const code = `
        const chunk = './lazy.cjs'
        app.get('${name}', () => ({ jsonBody: { chunk: require(chunk).name, same: require(chunk).core === core } }))
        const core = module.require('@azure/functions-core')`
      const lazy = `exports.name = '${name}'; exports.core = require('@azure/functions-core')`
      return start({ files: { 'main.cjs': await bundle(code), 'lazy.cjs': lazy } })
    }),
  )
  expect(a?.functions.map(({ name }) => name)).toEqual(['a'])
  expect(b?.functions.map(({ name }) => name)).toEqual(['b'])
  expect(await (await a?.request('/api/a'))?.json()).toEqual({ chunk: 'a', same: true })
  expect(await (await b?.request('/api/b'))?.json()).toEqual({ chunk: 'b', same: true })
  expect((await a?.request('/api/b'))?.status).toBe(404)
  await Promise.all([a?.close(), b?.close()])
})

test('an app starts afresh each time, also with its library in node_modules', async () => {
  const main = `
    const { app } = require(${JSON.stringify(library)})
    let count = 0
    app.get('count', () => ({ body: String(++count) }))`
  const directory = await writeApp({ files: { 'main.cjs': main } })
  for (const _ of [1, 2]) {
    const host = await start({ appDirectory: directory })
    expect(await (await host.request('/api/count')).text()).toBe('1')
    expect(await (await host.request('/api/count')).text()).toBe('2')
    await host.close()
  }
})

test('a rejection that nothing handles ends the process, as it ends a worker', async () => {
  const code = `app.get('stray', () => { Promise.reject(new Error('stray rejection')); return {} })`
  const directory = await writeApp({ code })
  const script = `
    const { startFunctionsHost } = await import(${JSON.stringify(new URL('../../../src/host/functions-host.ts', import.meta.url))})
    const host = await startFunctionsHost({ appDirectory: ${JSON.stringify(directory)}, port: 0, env: {} })
    await fetch('http://127.0.0.1:' + host.port + '/api/stray')
    await new Promise(() => setInterval(() => {}, 1000))`
  const child = spawnSync(process.execPath, ['--input-type=module', '--no-warnings', '-e', script], {
    encoding: 'utf8',
  })
  expect(child.status).toBe(1)
  expect(child.stderr).toContain('stray rejection')
})
