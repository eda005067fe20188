import { spawnSync } from 'node:child_process'
import Module from 'node:module'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { bundle, useEmulators } from '../support/use-emulators.ts'

const { start, writeApp } = useEmulators()
const library = fileURLToPath(new URL('../../node_modules/@azure/functions', import.meta.url))

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

/** Runs a script with a started `host` in a separate process. */
function runScript(directory: string, script: string) {
  const host = new URL('../../src/emulator/emulator.ts', import.meta.url)
  const start = `
    const { startEmulator } = await import(${JSON.stringify(host)})
    const host = await startEmulator({ appDirectory: ${JSON.stringify(directory)}, port: 0, env: {}, gracePeriod: 50 })`
  const args = ['--input-type=module', '--no-warnings', '-e', `${start}\n${script}`]
  return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 280_000 })
}

test('a rejection that nothing handles ends the process, as it ends a worker', async () => {
  const code = `app.get('stray', () => { Promise.reject(new Error('stray rejection')); return {} })`
  const child = runScript(await writeApp({ code }), `await fetch('http://127.0.0.1:' + host.port + '/api/stray')`)
  expect(child.status).toBe(1)
  expect(child.stderr).toContain('stray rejection')
})

test('after close nothing of the host keeps the process alive', async () => {
  const code = `
    app.timer('tick', { schedule: '* * * * * *', useMonitor: false, handler() {} })
    app.get('hang', () => new Promise(() => {}))`
  const script = `
    fetch('http://127.0.0.1:' + host.port + '/api/hang').catch(() => {})
    await fetch('http://127.0.0.1:' + host.port + '/admin/x')
    await host.close()
    console.log('closed')`
  const child = runScript(await writeApp({ code }), script)
  expect([child.status, child.stdout, child.stderr]).toEqual([0, 'closed\n', ''])
})
