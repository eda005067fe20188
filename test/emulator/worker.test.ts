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
    expect(await (await host.request('/api/count')).text()).toBe('1')
    expect(await (await host.request('/api/count')).text()).toBe('2')
    await host.close()
  }
})

test('an unhandled rejection ends the process, as it ends a worker', async () => {
  const appDirectory = await writeApp({
    code: `app.get('stray', () => { Promise.reject(new Error('stray rejection')); return {} })`,
  })
  const script = `
    const { startEmulator } = await import(${JSON.stringify(new URL('../../src/emulator/emulator.ts', import.meta.url))})
    const host = await startEmulator(${JSON.stringify({ appDirectory, port: 0, env: {} })})
    await fetch('http://127.0.0.1:' + host.port + '/api/stray')`
  const args = ['--input-type=module', '--no-warnings', '-e', script]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 280_000 })
  expect([status, stderr]).toEqual([1, expect.stringContaining('stray rejection')])
})
