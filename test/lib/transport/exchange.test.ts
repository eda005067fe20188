import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { createPipelineRequest } from '@azure/core-rest-pipeline'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { createCertificateAuthority } from 'cloud-profile-enclave/enclave'
import { exchange } from '../../../src/lib/transport/exchange.ts'
import { listen } from '../../support/free-port.ts'
import { trust } from '../../support/trust.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function start(server: Server): Promise<string> {
  servers.push(server)
  return `127.0.0.1:${await listen(server)}`
}

const ask = (url: string, proxy: string, signal = AbortSignal.timeout(20_000)) =>
  exchange(createPipelineRequest({ url, allowInsecureConnection: true }), {
    role: 'AUTHORITY',
    proxy: new URL(proxy),
    signal,
  })

const habits: Readonly<Record<string, (socket: Socket) => unknown>> = {
  'hangs up': (socket) => socket.end(),
  'speaks another protocol': (socket) => socket.end('SSH-2.0-Other\r\n'),
  'answers without a status': (socket) => socket.end('HTTP/1.1 abc\r\n\r\n'),
  'hangs up after it was asked': (socket) => socket.once('data', () => socket.destroy()),
}

describe.each(['http', 'https'])('a proxy over %s that', (scheme) => {
  test.each(Object.keys(habits))('%s is at fault itself, and ends no process', async (habit) => {
    const proxy = createServer((socket) => habits[habit]?.(socket.on('error', () => {})))
    const address = `${scheme}://${await start(proxy)}`
    for (const url of ['https://login.enclave.test/', 'http://management.enclave.test/']) {
      await expect(ask(url, address)).rejects.toMatchObject({ code: 'AUTHORITY_PROXY_FAILED' })
    }
  })

  test('never answers keeps no connection after the attempt', async () => {
    const sockets = new Set<Socket>()
    const proxy = createServer((socket) => {
      sockets.add(socket)
      socket
        .on('close', () => sockets.delete(socket))
        .on('error', () => {})
        .resume()
    })
    const asked = ask('https://login.enclave.test/', `${scheme}://${await start(proxy)}`, AbortSignal.timeout(200))
    await expect(asked).rejects.toThrow(/./)
    await expect.poll(() => sockets.size).toBe(0)
  })
})

test.each<[string, string, string?]>([
  ['301 No\r\nlocation: http://elsewhere.test/', 'refused the connection (301)'],
  ['100 Continue\r\n\r\nHTTP/1.1 403 No', 'refused the connection (403)'],
  ['503 No\r\nx-squid-error: ERR_DNS_FAIL 0', 'could not resolve the name of the host (503, ERR_DNS_FAIL)'],
  ['403 No\r\nx-squid-error: ERR_ACCESS_DENIED 0', 'refused the connection (403)'],
  ['403 No\r\ncontent-type: text/html\r\n\r\n<p>Kind: cloud\u202e x</p>', 'refused the connection (403: "Kind: cloud'],
  ['503 No\r\nx-squid-error: <script>', 'made no connection to the host (503)'],
  // With a part of the password, so that nothing is quoted.
  [
    '403 No\r\ncontent-type: text/plain\r\n\r\nDenied for hunterhunter',
    'refused the connection (403)',
    'u:hunterhunter@',
  ],
])('a proxy that responds %j makes no connection: %s', async (response, message, account = '') => {
  const proxy = createHttpServer().on('connect', (_request, socket) => {
    socket.end(`HTTP/1.1 ${response}\r\n\r\n`)
  })
  const asked = ask('https://login.enclave.test/', `http://${account}${await start(proxy)}`)
  await expect(asked).rejects.toThrow(message)
})

test('a proxy that sends informational responses without end is an invalid proxy, and its connection is closed', async () => {
  const closed = Promise.withResolvers<void>()
  const proxy = createHttpServer().on('connect', (_request, socket) => {
    socket.on('error', () => {}).on('close', () => closed.resolve())
    const send = (): unknown =>
      socket.writable && socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(50), () => setImmediate(send))
    send()
  })
  const asked = ask('https://login.enclave.test/', `http://${await start(proxy)}`)
  await expect(asked).rejects.toThrow('sent an invalid response to CONNECT')
  await closed.promise
})

test('plain http is asked of the proxy as a whole URL, with the user of the proxy', async () => {
  let seen: IncomingMessage | undefined
  const proxy = createHttpServer((request, response) => {
    seen = request
    response.end('from the proxy')
  })
  const { status } = await ask('http://management.enclave.test:81/a?b=c', `http://user:p%40ss@${await start(proxy)}`)
  expect(status).toBe(200)
  expect(seen?.url).toBe('http://management.enclave.test:81/a?b=c')
  expect(seen?.headers).toMatchObject({
    host: 'management.enclave.test:81',
    'proxy-authorization': `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
  })
})

/** A server with a certificate for a name, which this process trusts until the test ends. */
async function listenSecurely(name: string, listener?: RequestListener, isTrusted = true) {
  const ca = await createCertificateAuthority()
  if (isTrusted) onTestFinished(trust(ca.certificatePem))
  const { privateKeyPem: key, chainPem: cert } = await ca.issue({ commonName: name, usage: 'server', names: [name] })
  const server = createSecureServer({ key, cert }, listener)
  return { server, port: new URL(`http://${await start(server)}`).port }
}

test('a proxy with a certificate is told by its own name, whatever host is asked for', async () => {
  const { server, port } = await listenSecurely('localhost', (_request, response) => response.end())
  server.on('connect', (_request, socket) => {
    socket.on('error', () => {}).resume()
    socket.end('HTTP/1.1 403 No\r\n\r\n')
  })
  const address = `https://localhost:${port}`
  expect((await ask('http://management.enclave.test/', address)).status).toBe(200)
  await expect(ask('https://login.enclave.test/', address)).rejects.toThrow('refused the connection (403)')
})

describe('a response that', () => {
  const direct = async (answer: string | Buffer, end: (socket: Socket) => unknown, timeoutMs = 5000) => {
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.write(answer, () => end(socket)))
    })
    const url = `http://${await start(server)}/t/token`
    const request = createPipelineRequest({ url, allowInsecureConnection: true })
    return exchange(request, { role: 'AUTHORITY', signal: AbortSignal.timeout(timeoutMs) })
  }
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

  test.each<[string, string | Buffer]>([
    ['with a length', `${head}content-length: 99\r\n\r\n{"access_`],
    ['in chunks', `${head}transfer-encoding: chunked\r\n\r\n9\r\n{"access_\r\n`],
  ])('%s is cut says after how many bytes', async (_how, answer) => {
    for (const end of [(socket: Socket) => socket.end(), (socket: Socket) => socket.destroy()]) {
      await expect(direct(answer, end)).rejects.toMatchObject({
        code: 'AUTHORITY_RESET',
        message: /ended early, after 9 bytes/,
        evidence: { path: '/t/token', receivedBytes: '9' },
      })
    }
  })

  test('is slow says how much arrived, and one that never comes names its path', async () => {
    await expect(direct(`${head}content-length: 99\r\n\r\n{"access_`, () => {}, 300)).rejects.toMatchObject({
      code: 'AUTHORITY_TIMEOUT',
      evidence: { path: '/t/token', receivedBytes: '9' },
    })
    await expect(direct('', () => {}, 300)).rejects.toMatchObject({
      code: 'AUTHORITY_TIMEOUT',
      message: /did not respond in time to \/t\/token/,
    })
  })
})

describe('a certificate that is refused', () => {
  const request = (port: string, env = {}) =>
    exchange(createPipelineRequest({ url: `https://127.0.0.1:${port}/` }), {
      role: 'METADATA',
      signal: AbortSignal.timeout(20_000),
      env,
    })

  test('by its issuer is named with issuer and SHA-256, and with the reason of a file that adds authorities', async () => {
    const { port } = await listenSecurely('127.0.0.1', undefined, false)
    await expect(request(port, { NODE_EXTRA_CA_CERTS: '/no/file' })).rejects.toMatchObject({
      code: 'METADATA_UNTRUSTED',
      message: /^The certificate of 127\.0\.0\.1 was issued .*which is not trusted/,
      evidence: {
        issuer: /^".+"$/,
        sha256: /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/,
        caProblem: 'unreadable',
        reason: 'ENOENT',
      },
    })
  })

  test('by its name is named with its names', async () => {
    const { port } = await listenSecurely('another.test')
    await expect(request(port)).rejects.toMatchObject({
      code: 'METADATA_CERTIFICATE_NAME_MISMATCH',
      evidence: { names: 'another.test' },
    })
  })
})
