import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Enclave } from '../../../../src/enclave/enclave.ts'
import { probeAuthority } from '../../../../src/lib/diagnostics/probes/probe-authority.ts'
import { contextOf, startTrustedEnclave, troublesOf } from './enclave-context.ts'

let enclave: Enclave
let proxy: Server
let proxyUrl: string
let tunnels: { readonly host: string; readonly authorization: string | undefined }[] = []
let refusal: string | undefined
const sockets = new Set<Socket>()

function tunnel({ url = '', headers }: IncomingMessage, client: Socket): void {
  tunnels.push({ host: url, authorization: headers['proxy-authorization'] })
  client.on('error', () => {})
  if (refusal !== undefined) {
    client.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
    return
  }
  const [host = '', port = ''] = url.split(':')
  const upstream = connect(Number(port), host, () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'))
  sockets.add(upstream)
  upstream.on('error', () => client.destroy())
  client.on('close', () => upstream.destroy())
  upstream.pipe(client)
  client.pipe(upstream)
}

beforeAll(async () => {
  enclave = await startTrustedEnclave()
  proxy = createServer().on('connect', tunnel)
  proxy.on('connection', (socket) => sockets.add(socket))
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
})
afterEach(() => {
  tunnels = []
  refusal = undefined
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  proxy.close()
  await enclave.close()
})

describe('the login document behind a proxy', () => {
  const probe = (url: string) => probeAuthority(contextOf(enclave.profile, { env: { HTTPS_PROXY: url } }))

  test('is asked through it, with its user name and password', async () => {
    const checks = await probe(proxyUrl.replace('//', '//user:p%40ss@'))
    expect(troublesOf(checks)).toEqual([])
    const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`
    expect(tunnels).toEqual([{ host: new URL(enclave.authorityHost).host, authorization }])
    expect(JSON.stringify(checks)).not.toContain('p%40ss')
  })

  test('fails as a failure of the proxy when that is not there', async () => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const { port } = gone.address() as AddressInfo
    gone.close()
    await once(gone, 'close')
    expect(troublesOf(await probe(`http://127.0.0.1:${port}`))).toEqual(['authority.document AUTHORITY_PROXY_FAILED'])
  })

  test('fails as one when the proxy wants to know who asks', async () => {
    refusal = '407 Proxy Authentication Required'
    expect(troublesOf(await probe(proxyUrl))).toEqual(['authority.document AUTHORITY_PROXY_FAILED'])
  })

  test('keeps the certificate check of the host itself', async () => {
    await enclave.setFault({ kind: 'untrusted-ca' })
    try {
      expect(troublesOf(await probe(proxyUrl))).toEqual(['authority.document AUTHORITY_UNTRUSTED'])
    } finally {
      await enclave.setFault(undefined)
    }
  })
})
