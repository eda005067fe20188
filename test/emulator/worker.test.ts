import { spawnSync } from 'node:child_process'
import Module from 'node:module'
import { expect, test } from 'vitest'
import { bundle, useEmulators } from '../support/use-emulators.ts'

const { start, writeApp } = useEmulators()

const currentRequire = (): unknown => Object.getOwnPropertyDescriptor(Module.prototype, 'require')?.value

test('require is patched while an app loads, and as it was afterwards', async () => {
  const before = currentRequire()
  await start()
  expect(currentRequire()).toBe(before)
  await expect(start({ code: 'throw new Error("no")' })).rejects.toThrow('no')
  expect(currentRequire()).toBe(before)
})

test('what an app prints while it loads becomes lines of its log', async () => {
  const host = await start({ code: `process.stdout.write('loaded\\n'); app.get('f', () => ({}))` })
  expect(host.logs).toEqual([{ level: 'verbose', category: 'app', message: 'loaded' }])
})

test('an app starts afresh each time', async () => {
  const main = await bundle(`let count = 0; app.get('count', () => ({ body: String(++count) }))`)
  const directory = await writeApp({ files: { 'main.cjs': main } })
  for (const _ of [1, 2]) {
    const host = await start({ appDirectory: directory })
    for (const count of ['1', '2']) expect(await (await host.request('/api/count')).text()).toBe(count)
    await host.close()
  }
})

test('an unhandled rejection ends the process, as it ends a worker', async () => {
  const code = `app.get('stray', () => { Promise.reject(new Error('stray rejection')); return {} })`
  const appDirectory = await writeApp({ code })
  const script = `
    const { startEmulator } = await import(${JSON.stringify(new URL('../../src/emulator/emulator.ts', import.meta.url))})
    const host = await startEmulator(${JSON.stringify({ appDirectory, port: 0 })})
    await fetch('http://127.0.0.1:' + host.port + '/api/stray')`
  const args = ['--input-type=module', '--no-warnings', '-e', script]
  const ended = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 280_000 })
  expect(ended).toMatchObject({ status: 1, stderr: /stray rejection/ })
})

// azure-functions/platforms.test.ts compares requests and responses of the service with the server's and the library's.
test.each([
  ['a status', '{ status: 418 }', 418, ''],
  ['text', '{ body: "text" }', 200, 'text'],
  ['bytes', '{ body: Buffer.from([195, 188]) }', 200, 'ü'],
  ['an invalid status', '{ status: 99 }', 500, ''],
])('the response of a function with %s is the response of the real host', async (_, result, status, body) => {
  const host = await start({ code: `app.get('f', () => (${result}))` })
  const response = await host.request('/api/f')
  expect([response.status, await response.text()]).toEqual([status, body])
})

test('a log line of a function has its name, its invocation and its level', async () => {
  const levels = { trace: 'verbose', debug: 'verbose', info: 'info', log: 'info', warn: 'warning', error: 'error' }
  const host = await start({
    code: `app.get('f', (request, context) => {
      for (const level of ${JSON.stringify(Object.keys(levels))}) context[level](level, { a: 1 })
      return { body: context.invocationId }
    })`,
  })
  const invocationId = await (await host.request('/api/f')).text()
  const lines = Object.entries(levels).map(([name, level]) => ({ level, message: `${name} { a: 1 }` }))
  expect(host.logs).toEqual(lines.map((line) => ({ ...line, category: 'app', name: 'f', invocationId })))
})
