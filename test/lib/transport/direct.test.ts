import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanEnvironment } from '../../support/environment.ts'
import { useEnclave } from '../../support/use-enclave.ts'
import { useProcesses } from '../../support/processes.ts'

const processes = useProcesses()
const running = useEnclave()
const script = ['--input-type=module', '--eval']

/** One GET with a token, by a process whose Node follows what these variables say. */
async function ask(url: string, env: NodeJS.ProcessEnv) {
  const program = `
    import { getDocument } from './src/lib/transport/get-document.ts'
    const headers = { authorization: 'Bearer hunter2' }
    const said = (text) => process.stdout.write(text)
    // As somebody else in the process might do it, long after the start.
    if (process.env.SWITCHED_OFF) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    await getDocument(${JSON.stringify(url)}, { role: 'RESOURCE_MANAGER', headers, proxies: process.env, timeoutMs: 120_000 }).then(
      ({ text }) => said(text), ({ code }) => said(code))`
  const { stdout } = await processes.run([...script, program], { env: cleanEnvironment(env) })
  return stdout
}

describe('What stays on this machine', () => {
  const servers: Server[] = []
  const proxied: string[] = []
  const start = async (answer: string, seen: string[] = []) => {
    const server = createServer(({ url = '', headers }, response) => {
      seen.push(`${url} ${headers.authorization}`)
      response.end(answer)
    })
    server.listen(0)
    await once(server, 'listening')
    servers.push(server)
    return (server.address() as AddressInfo).port
  }
  let manager = 0
  let proxy = ''
  beforeAll(async () => {
    manager = await start('manager')
    proxy = `http://127.0.0.1:${await start('proxy', proxied)}`
  })
  afterAll(() => servers.forEach((server) => server.close()))

  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']
  const hosts = ['127.0.0.1', '127.1', '0x7f.1', '2130706433', 'localhost', 'LOCALHOST', '[::1]']
  test.each([
    ['the variables of proxies', {}],
    ["Node's own proxy agent", { NODE_USE_ENV_PROXY: '1', NO_PROXY: 'nothing.test' }],
    ['its option', { NODE_OPTIONS: '--use-env-proxy', no_proxy: 'nothing.test' }],
  ])('goes to no proxy by %s', async (_what, env) => {
    const variables = { ...Object.fromEntries(names.map((name) => [name, proxy])), ...env }
    const asked = hosts.map(async (host) => ask(`http://${host}:${manager}/subscriptions`, variables))
    expect(await Promise.all(asked)).toEqual(hosts.map(() => 'manager'))
    expect(proxied).toEqual([])
  })

  test.each(['localhost.', 'me.localhost', '0.0.0.0', '[::ffff:127.0.0.1]', '127.0.0.1.nip.test'])(
    'is not what %s names for sure, so that no token goes there over plain http',
    async (host) => {
      expect(await ask(`http://${host}:${manager}/`, { HTTP_PROXY: proxy, NODE_USE_ENV_PROXY: '1' })).toBe('PLAIN_HTTP')
      expect(proxied).toEqual([])
    },
  )
})

test('a certificate is checked, whoever switched that off for the process', async () => {
  const url = running.cloud.resourceManagerEndpoint
  expect(await ask(url, { SWITCHED_OFF: '1' })).toBe('RESOURCE_MANAGER_UNTRUSTED')
})
