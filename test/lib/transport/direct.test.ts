import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../support/free-port.ts'
import { cleanEnvironment } from '../../support/environment.ts'
import { useEnclave } from '../../support/use-enclave.ts'
import { useProcesses } from '../../support/processes.ts'

const processes = useProcesses()
const running = useEnclave()
const script = ['--input-type=module', '--eval']

/** A GET with a token for each address, by one process whose Node follows what these variables say. */
async function ask(urls: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const program = `
    import { getDocument } from './src/lib/transport/guarded-client.ts'
    const headers = { authorization: 'Bearer hunter2' }
    // As somebody else in the process might do it, long after the start.
    if (process.env.SWITCHED_OFF) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    const options = { role: 'RESOURCE_MANAGER', headers, proxies: process.env, requestTimeoutMs: 120_000 }
    const answers = ${JSON.stringify(urls)}.map((url) => getDocument(url, options).then(({ text }) => text, ({ code }) => code))
    process.stdout.write(JSON.stringify(await Promise.all(answers)))`
  const { stdout } = await processes.run([...script, program], { env: cleanEnvironment(env) })
  return JSON.parse(stdout) as string[]
}

describe('What stays on this machine', () => {
  const server = createServer((_request, response) => response.end('manager'))
  const proxied: string[] = []
  const proxyServer = createServer(({ url = '' }, response) => {
    proxied.push(url)
    response.end('proxy')
  })
  let manager = 0
  let proxy = ''
  beforeAll(async () => {
    manager = await listen(server, '::')
    proxy = `http://127.0.0.1:${await listen(proxyServer)}`
  })
  afterAll(() => [server, proxyServer].forEach((each) => each.close()))

  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']
  const hosts = ['127.0.0.1', '127.1', '0x7f.1', '2130706433', 'localhost', 'LOCALHOST', '[::1]']
  test.each([
    ["Node's own proxy agent", { NODE_USE_ENV_PROXY: '1', NO_PROXY: 'nothing.test' }],
    ['its option', { NODE_OPTIONS: '--use-env-proxy', no_proxy: 'nothing.test' }],
  ])('goes to no proxy by %s', async (_what, env) => {
    const variables = { ...Object.fromEntries(names.map((name) => [name, proxy])), ...env }
    const urls = hosts.map((host) => `http://${host}:${manager}/subscriptions`)
    expect(await ask(urls, variables)).toEqual(hosts.map(() => 'manager'))
    expect(proxied).toEqual([])
  })
})

test('a certificate is checked, whoever switched that off for the process', async () => {
  const url = running.cloud.resourceManagerEndpoint
  expect(await ask([url], { SWITCHED_OFF: '1' })).toEqual(['RESOURCE_MANAGER_UNTRUSTED'])
})
