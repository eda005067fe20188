import { createServer as createHttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type CertificateAuthority, createCertificateAuthority } from 'cloud-profile-enclave/enclave'
import { probeHost } from '../../../../src/lib/diagnostics/probes/probe-endpoint.ts'
import type { Env } from '../../../../src/lib/base/env.ts'
import { resolveCloudProfile } from '../../../../src/lib/cloud.ts'
import { getDocument } from '../../../../src/lib/transport/guarded-client.ts'
import { listen } from '../../../support/free-port.ts'
import { trust } from '../../../support/trust.ts'
import {
  type ChainFault,
  issueFaultyChain,
  refusalOfWeakChains,
  takesShortKeys,
} from '../../../support/faulty-chain.ts'
import { checkOf, contextOf, troublesOf } from './enclave-context.ts'

const profile = resolveCloudProfile({ name: 'platform-us-government', env: {} })

function probe(url: string, env: Env = {}) {
  return probeHost({ id: 'host', role: 'SERVICE', url: new URL(url) }, contextOf(profile, { env }))
}

/** Listens until the test ends. */
async function start(server: Server, host?: string) {
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  return listen(server, host)
}

test('a host that is an address needs no DNS', async () => {
  const port = await start(createHttpServer())
  const { checks, stopped } = await probe(`http://127.0.0.1:${port}/`)
  const expected = ['host.proxy pass', 'host.dns skip', 'host.tcp pass', 'host.tls skip']
  expect(checks.map(({ id, status }) => `${id} ${status}`)).toEqual(expected)
  expect(stopped).toBeUndefined()
})

// Elsewhere than on Windows, the unspecified address leads to this machine and does not say so.
test.runIf(process.platform !== 'win32')('a host without TLS beyond this machine is a warning', async () => {
  const port = await start(createHttpServer())
  const { checks, stopped } = await probe(`http://0.0.0.0:${port}/`)
  expect(troublesOf(checks)).toEqual(['host.tls PLAIN_HTTP'])
  expect(stopped).toBeUndefined()
})

describe('a certificate', () => {
  const dayMs = 24 * 60 * 60 * 1000

  async function serve(cert: string, key: string) {
    const server = createTlsServer({ cert, key, ciphers: 'DEFAULT:@SECLEVEL=0' })
    server.on('tlsClientError', () => {})
    return { server, url: `https://127.0.0.1:${await start(server)}/` }
  }
  async function listenWith(ca: CertificateAuthority, notAfter?: Date) {
    const names = { commonName: 'host', names: ['127.0.0.1'] }
    const { chainPem, privateKeyPem } = await ca.issue({ ...names, usage: 'server', ...(notAfter && { notAfter }) })
    return serve(chainPem, privateKeyPem)
  }

  test.each([
    [30.2, 'pass', 'expires in 30 days'],
    [29.2, 'warn', 'expires in 29 days, on '],
    [0.5, 'warn', 'expires in 12 h, on '],
  ])('with %d days left is a %s', async (days, status, words) => {
    const ca = await createCertificateAuthority()
    onTestFinished(trust(ca.certificatePem))
    const { url } = await listenWith(ca, new Date(Date.now() + days * dayMs))
    const check = checkOf((await probe(url)).checks, 'host.tls')
    expect(check).toMatchObject({ status, message: expect.stringContaining(words) as string })
    expect(check.code).toBe(status === 'warn' ? 'CERTIFICATE_EXPIRES_SOON' : undefined)
  })

  const isPossible = (fault: ChainFault) =>
    (fault !== 'SHA-1' && fault !== '1024 bits') ||
    (refusalOfWeakChains === undefined && (fault === 'SHA-1' || !takesShortKeys))
  const rows: readonly (readonly [fault: ChainFault, code: string, words: string, fix: string])[] = [
    ['SHA-1', 'CERTIFICATE_WEAK', 'CA signature digest algorithm too weak', 'renew the chain with SHA-256 signatures'],
    ['1024 bits', 'CERTIFICATE_WEAK', 'CA certificate key too weak', 'renew the chain with SHA-256 signatures'],
    ['name constraint', 'CERTIFICATE_INVALID', '(UNSPECIFIED): permitted subtree', 'Another trusted CA does not help'],
    ['expired issuer', 'CERTIFICATE_EXPIRED', '"Middle", an issuer of', 'without the CA "Middle", which expired on'],
    ['no alternative name', 'CERTIFICATE_NAME_MISMATCH', '(subjectAltName)', 'ask the operator to issue'],
  ]
  test.each(rows.filter(([fault]) => isPossible(fault)))(
    'whose chain has a fault of the kind %s is told so, by its authority where that has the fault',
    async (fault, code, words, fix) => {
      const { rootPem, chainPem, privateKeyPem } = await issueFaultyChain(fault)
      onTestFinished(trust(rootPem))
      const { url } = await serve(chainPem, privateKeyPem)
      const check = checkOf((await probe(url)).checks, 'host.tls')
      expect(check.code).toBe(`SERVICE_${code}`)
      expect(check.message).toContain(words)
      expect(check.fix).toContain(fix)
      expect(check.observed?.chain).toContain('"Middle"')
      await expect(getDocument(url, { role: 'METADATA' })).rejects.toMatchObject({ code: `METADATA_${code}` })
    },
  )

  test('that is not trusted is read without anything being sent', async () => {
    const { server, url } = await listenWith(await createCertificateAuthority())
    const received: Buffer[] = []
    server.on('secureConnection', (socket) => socket.on('data', (chunk: Buffer) => received.push(chunk)))
    const closed = new Promise((resolve) => {
      server.once('connection', (socket: Socket) => socket.once('close', resolve))
    })
    const { checks } = await probe(url)
    await closed
    expect(troublesOf(checks)).toEqual(['host.tls SERVICE_UNTRUSTED'])
    expect(received).toEqual([])
  })
})
