import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createPipelineRequest } from '@azure/core-rest-pipeline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCertificateAuthority } from 'cloud-profile-enclave/enclave'
import { exchange } from '../../../src/lib/transport/exchange.ts'
import { trust } from '../../support/trust.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server): Promise<string> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
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
    const address = `${scheme}://${await listen(proxy)}`
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
    const asked = ask('https://login.enclave.test/', `${scheme}://${await listen(proxy)}`, AbortSignal.timeout(200))
    await expect(asked).rejects.toThrow(/./)
    await expect.poll(() => sockets.size).toBe(0)
  })
})

test.each([301, 403, 502])('a proxy that answers %i makes no connection', async (status) => {
  const proxy = createHttpServer().on('connect', (_request, socket) => {
    socket.end(`HTTP/1.1 ${status} No\r\nlocation: http://elsewhere.test/\r\n\r\n`)
  })
  const asked = ask('https://login.enclave.test/', `http://${await listen(proxy)}`)
  await expect(asked).rejects.toThrow(`refused the connection (${status})`)
})

test.each([
  ['ERR_DNS_FAIL 0', 'could not resolve the name of the host (503, ERR_DNS_FAIL)'],
  ['ERR_ACCESS_DENIED 0', 'refused the connection (503, ERR_ACCESS_DENIED)'],
  ['<script>', 'refused the connection (503)'],
])('the error that Squid names, %s, is evidence', async (name, message) => {
  const proxy = createHttpServer().on('connect', (_request, socket) => {
    socket.end(`HTTP/1.1 503 No\r\nx-squid-error: ${name}\r\n\r\n`)
  })
  const asked = ask('https://login.enclave.test/', `http://${await listen(proxy)}`)
  await expect(asked).rejects.toThrow(message)
})

test('plain http is asked of the proxy as a whole URL, with the user of the proxy', async () => {
  let seen: IncomingMessage | undefined
  const proxy = createHttpServer((request, response) => {
    seen = request
    response.end('from the proxy')
  })
  const { status } = await ask('http://management.enclave.test:81/a?b=c', `http://user:p%40ss@${await listen(proxy)}`)
  expect(status).toBe(200)
  expect(seen?.url).toBe('http://management.enclave.test:81/a?b=c')
  expect(seen?.headers).toMatchObject({
    host: 'management.enclave.test:81',
    'proxy-authorization': `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
  })
})

describe('a proxy with a certificate', () => {
  let address: string
  let proxy: SecureServer
  let distrust: () => void
  afterEach(() => distrust())
  beforeEach(async () => {
    const ca = await createCertificateAuthority()
    distrust = trust(ca.certificatePem)
    const { privateKeyPem: key, chainPem: cert } = await ca.issue({
      commonName: 'localhost',
      usage: 'server',
      names: ['localhost'],
    })
    proxy = createSecureServer({ key, cert }, (_request, response) => response.end())
    proxy.on('connect', (_request, socket) => {
      socket.on('error', () => {}).resume()
      socket.end('HTTP/1.1 403 No\r\n\r\n')
    })
    address = `https://localhost:${new URL(`http://${await listen(proxy)}`).port}`
  })

  test('is told by its own name, whatever host is asked for', async () => {
    expect((await ask('http://management.enclave.test/', address)).status).toBe(200)
    await expect(ask('https://login.enclave.test/', address)).rejects.toThrow('refused the connection (403)')
  })
})

describe('a response that', () => {
  const direct = async (answer: string | Buffer, end: (socket: Socket) => unknown, timeoutMs = 5000) => {
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.write(answer, () => end(socket)))
    })
    const url = `http://${await listen(server)}/t/token`
    const request = createPipelineRequest({ url, allowInsecureConnection: true })
    const signal = AbortSignal.timeout(timeoutMs)
    return exchange(request, { role: 'AUTHORITY', signal })
  }
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

  test.each<[string, string | Buffer]>([
    ['with a length', `${head}content-length: 99\r\n\r\n{"access_`],
    ['in chunks', `${head}transfer-encoding: chunked\r\n\r\n9\r\n{"access_\r\n`],
  ])('%s is cut says after how many bytes', async (_how, answer) => {
    for (const end of [(socket: Socket) => socket.end(), (socket: Socket) => socket.destroy()]) {
      await expect(direct(answer, end)).rejects.toMatchObject({
        code: 'AUTHORITY_RESET',
        message: expect.stringContaining('ended early, after 9 bytes') as string,
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
      message: expect.stringMatching(/did not respond in time to \/t\/token/) as string,
    })
  })
})

describe('a certificate that is refused', () => {
  const request = async (name: string, signal = AbortSignal.timeout(20_000)) => {
    const ca = await createCertificateAuthority()
    const { privateKeyPem: key, chainPem: cert } = await ca.issue({ commonName: name, usage: 'server', names: [name] })
    const url = `https://${await listen(createSecureServer({ key, cert }))}/`
    return exchange(createPipelineRequest({ url }), {
      role: 'METADATA',
      signal,
      env: { NODE_EXTRA_CA_CERTS: '/no/file' },
    })
  }

  test('by its issuer is named with issuer and SHA-256, and with the reason of a file that adds authorities', async () => {
    await expect(request('127.0.0.1')).rejects.toMatchObject({
      code: 'METADATA_UNTRUSTED',
      message: expect.stringMatching(/^The certificate of 127\.0\.0\.1 was issued .*which is not trusted/) as string,
      evidence: {
        issuer: expect.stringMatching(/^".+"$/) as string,
        sha256: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/) as string,
        unreadable: 'ENOENT',
      },
    })
  })

  test('by its name is named with its names', async () => {
    const ca = await createCertificateAuthority()
    const restore = trust(ca.certificatePem)
    const { privateKeyPem: key, chainPem: cert } = await ca.issue({
      commonName: 'another.test',
      usage: 'server',
      names: ['another.test'],
    })
    const url = `https://${await listen(createSecureServer({ key, cert }))}/`
    const asked = exchange(createPipelineRequest({ url }), { role: 'AUTHORITY', signal: AbortSignal.timeout(20_000) })
    await expect(asked).rejects.toMatchObject({
      code: 'AUTHORITY_CERTIFICATE_NAME_MISMATCH',
      evidence: { names: 'another.test' },
    })
    restore()
  })
})
