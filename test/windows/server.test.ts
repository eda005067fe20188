import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isFree } from '../support/free-port.ts'
import { offline } from '../support/environment.ts'
import { command, useWindows, windowsPath } from './windows.ts'

const { temp, start, run } = useWindows()
const serving = /^Server running on (\S+)\r?$/m

/** The variables that `enclave --shell env` prints. */
const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]))

/** Starts an enclave on Windows. @returns Its variables. */
async function startEnclave(mode: string) {
  const enclave = start([command, 'enclave', '--shell', 'env', '--mode', mode, '--federation-service'])
  await enclave.printed(/^AUTH_MODE=/m)
  await enclave.printed(/^PLATFORM_SUBSCRIPTION_ID=.*\n[^]*^PLATFORM_CLIENT_ID=/m)
  await enclave.printed(/^NODE_EXTRA_CA_CERTS=/m)
  return variablesIn((await enclave.printed(/^[^]*$/))[0])
}

test.each([
  [[], /^\$env:AUTH_MODE = 'clientSecret'$/m],
  [['--shell', 'cmd'], /^set "AUTH_MODE=clientSecret"\r$/m],
  [['--shell', 'posix'], /^export AUTH_MODE=/m],
])('enclave %j prints its settings', async (options, expected) => {
  const enclave = start([command, 'enclave', ...options, '--mode', 'clientSecret'])
  expect(await enclave.printed(expected)).not.toBeNull()
})

test('serve shows the page, and gets a token from a federation service', async () => {
  const variables = await startEnclave('clientSecret')
  const service = start([command, 'serve'], { env: { ...variables, PORT: '0' } })
  const [, url] = await service.printed(serving)
  const report = (await (await fetch(`${url}/api/diagnostics`)).json()) as { token: object }
  expect(report.token).toMatchObject({ status: 'acquired' })
  const page = await fetch(`${url}/`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<!doctype html>')])
  const health = await run(['health'], { env: { ...variables, PORT: new URL(url ?? '').port } })
  expect(health.code).toBe(0)
})

describe('A named pipe as PORT', () => {
  const pipe = String.raw`\\.\pipe\b1946ac9-2b3b-4a0d-8f2f-cloud-profile`
  const key = 'k'.repeat(32)

  /** Asks through the pipe, which only a program of Windows can open. */
  async function ask(path: string, headers: object = { 'x-functions-key': key }) {
    const script = temp.write(
      'ask.cjs',
      `require('node:http').get(${JSON.stringify({ socketPath: pipe, path, headers: { host: 'app.region.fqdn', ...headers } })}, (response) => {
        process.stdout.write(response.statusCode + ' ')
        response.pipe(process.stdout)
      }).once('error', (error) => process.stdout.write(error.code))`,
    )
    return (await start([windowsPath(script)]).ended).stdout
  }

  test('needs a key', async () => {
    const { code, stderr } = await run(['serve'], { env: { ...offline, PORT: pipe } })
    expect([code, stderr]).toEqual([2, expect.stringContaining('PLATFORM_HOST_KEY')])
  })

  test('serves the routes, asks for the key, and health finds it', async () => {
    const env = { ...offline, PORT: pipe, PLATFORM_HOST_KEY: key }
    const service = start([command, 'serve'], { env })
    await service.printed(/^Auth Mode: /m)
    expect(await ask('/api/health', {})).toMatch(/^200 /)
    expect(await ask('/', {})).toMatch(/^401 /)
    expect(await ask('/')).toMatch(/^200 .*<!doctype html>/s)
    expect((await run(['health'], { env })).code).toBe(0)
  })
})

describe('serve stops', () => {
  const env = { ...offline, PORT: '0' }
  const portIn = (match: RegExpExecArray) => Number(new URL(match[1] ?? '').port)

  test('at Ctrl+C in its terminal', async () => {
    const service = start([command, 'serve'], { env, keys: [{ after: /Auth Mode: /, type: '\u0003' }] })
    expect(await service.ended).toMatchObject({ code: 0 })
  })

  test('at Ctrl+Break, which Wine cannot send: the listener of the event is called', async () => {
    const script = temp.write('break.cjs', `setTimeout(() => process.emit('SIGBREAK', 'SIGBREAK'), 3000)`)
    const service = start(['--require', windowsPath(script), command, 'serve'], { env })
    const port = portIn(await service.printed(/^Server running on (\S+)\r?$/m))
    expect(await service.ended).toMatchObject({ code: 0 })
    expect(await isFree(port)).toBe(true)
  })

  /** Starts the server from another process, which then ends. */
  const startFrom = (options: string, end: string) => {
    const output = windowsPath(join(temp.path, 'served'))
    const script = temp.write(
      'starter.cjs',
      `const fs = require('node:fs')
      const file = fs.openSync(${JSON.stringify(output)}, 'w')
      const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(command)}, 'serve'], ${options})
      const wait = setInterval(() => {
        if (!fs.readFileSync(${JSON.stringify(output)}, 'utf8').includes('Auth Mode')) return
        clearInterval(wait)
        ${end}
      }, 100)`,
    )
    writeFileSync(join(temp.path, 'served'), '')
    return start([windowsPath(script)], { env: { ...env, npm_lifecycle_event: 'start' } })
  }
  const served = async () => {
    await expect.poll(() => readFileSync(join(temp.path, 'served'), 'utf8')).toMatch(serving)
    return portIn(
      serving.exec(readFileSync(join(temp.path, 'served'), 'utf8')) ?? (['', ''] as unknown as RegExpExecArray),
    )
  }

  test('when the npm that started it ends', async () => {
    const starter = startFrom(
      `{ detached: true, stdio: ['ignore', file, file] }`,
      `setTimeout(() => process.exit(), 2000)`,
    )
    const port = await served()
    expect(await isFree(port)).toBe(false)
    await starter.ended
    await expect.poll(() => isFree(port)).toBe(true)
  })

  test('when the command that it is a part of lets go of it', async () => {
    const starter = startFrom(
      `{ stdio: ['ignore', file, file, 'ipc'] }`,
      `child.once('exit', (code) => process.exit(code)); child.disconnect()`,
    )
    const port = await served()
    expect(await starter.ended).toMatchObject({ code: 0 })
    expect(await isFree(port)).toBe(true)
  })
})
