import { execFileSync } from 'node:child_process'
import { getFips } from 'node:crypto'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import type { ConnectionOptions, TLSSocket } from 'node:tls'

import { afterAll, expect, test } from 'vitest'

import type { ServerOptions } from '../../src/server/server.ts'

import { takesShortKeys } from '../support/faulty-chain.ts'
import { issueCertificate } from '../support/issue-certificate.ts'
import { httpFunction, textResponse, useServers } from '../support/use-servers.ts'

const startServer = useServers()
const functions = [httpFunction('f', async ({ url }) => textResponse(url))]
const start = (options: Partial<ServerOptions>) => startServer({ functions }, options)
const directory = mkdtempSync(join(tmpdir(), 'host-tls-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const files = { certificatePath: join(directory, 'tls.crt'), keyPath: join(directory, 'tls.key') }
const first = await issueCertificate('first')
const second = await issueCertificate('second')
const expired = await issueCertificate('expired', { validTo: new Date(Date.now() - 86_400_000) })

function write(pair: { certificate: string; key: string }, at = files): void {
  writeFileSync(at.certificatePath, pair.certificate)
  writeFileSync(at.keyPath, pair.key)
}

/** What the host presents. */
function handshake(port: number, options: ConnectionOptions = {}): Promise<{ name: string; protocol: string | null }> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve({ name: String(socket.getPeerCertificate().subject.CN), protocol: socket.getProtocol() })
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

async function presents(port: number, name: string): Promise<void> {
  await expect.poll(async () => (await handshake(port)).name, { interval: 100 }).toBe(name)
}

test('functions are answered over https, and see the address that was called', async () => {
  write(first)
  const host = await start({ tls: files })
  expect(host.url).toBe(`https://localhost:${host.port}`)
  const body = await new Promise((resolve, reject) => {
    const options = { port: host.port, path: '/f', ca: first.certificate, headers: { host: 'localhost' } }
    request(options, (response) => {
      response.on('data', (chunk) => resolve(String(chunk)))
    })
      .once('error', reject)
      .end()
  })
  expect(body).toBe('https://localhost/f')
  await host.close()
})

test('a renewed certificate is served without a restart, also behind the links by which a cluster renews it', async () => {
  // As a kubelet mounts a secret: tls.crt -> ..data/tls.crt, ..data -> a folder that is replaced at one stroke.
  const mount = join(directory, 'secret')
  const put = (folder: string, pair: typeof first) => {
    mkdirSync(join(mount, folder), { recursive: true })
    write(pair, { certificatePath: join(mount, folder, 'tls.crt'), keyPath: join(mount, folder, 'tls.key') })
    symlinkSync(folder, join(mount, '..new'))
    renameSync(join(mount, '..new'), join(mount, '..data'))
  }
  put('..1', first)
  for (const name of ['tls.crt', 'tls.key']) symlinkSync(`..data/${name}`, join(mount, name))
  const host = await start({ tls: { certificatePath: join(mount, 'tls.crt'), keyPath: join(mount, 'tls.key') } })
  expect((await handshake(host.port)).name).toBe('first')
  put('..2', second)
  await presents(host.port, 'second')
  expect(host.logs.filter(({ level }) => level !== 'info')).toEqual([])
  await host.close()
})

test.each([
  ['no certificate', { certificate: 'nonsense', key: second.key }],
  ['the key of another', { certificate: second.certificate, key: first.key }],
])(
  '%s in place of the certificate leaves the one in force, is reported once, and fixed by the next',
  async (_, bad) => {
    write(first)
    const host = await start({ tls: files })
    write(bad)
    const line = await host.logged(({ level }) => level === 'error')
    expect(line.message).toMatch(/^The server keeps the previous certificate, because the new one is not usable\. /)
    expect(line.message).not.toContain('PRIVATE')
    expect((await handshake(host.port)).name).toBe('first')
    write(second)
    await presents(host.port, 'second')
    expect(host.logs.filter(({ level }) => level === 'error').length).toBeLessThanOrEqual(3)
    await host.close()
  },
)

test.each([
  [
    'a certificate that is not there',
    { ...files, certificatePath: '/nowhere/tls.crt' },
    '/nowhere/tls.crt cannot be read',
  ],
  ['a folder', { ...files, keyPath: tmpdir() }, 'is not a regular file'],
  ['a pipe', { ...files, keyPath: join(directory, 'pipe') }, 'is not a regular file'],
  ['a key in place of the certificate', { ...files, certificatePath: files.keyPath }, 'has no PEM certificate'],
  ['a certificate in UTF-16', { ...files, certificatePath: join(directory, 'wide') }, 'it looks like UTF-16'],
  ['exchanged paths', { certificatePath: files.keyPath, keyPath: files.certificatePath }, 'Exchange the two paths'],
  [
    'a certificate in DER',
    { ...files, certificatePath: join(directory, 'der') },
    'It is in DER: convert it with "openssl',
  ],
  ['a private key in DER', { ...files, keyPath: join(directory, 'key.der') }, 'It is in DER: convert it with "openssl'],
  ['a certificate in PKCS #12', { ...files, certificatePath: join(directory, 'p12') }, 'It is in PKCS #12: convert'],
  ['a private key in PKCS #12', { ...files, keyPath: join(directory, 'p12') }, 'It is in PKCS #12: convert'],
  ['a certificate in PKCS #7', { ...files, certificatePath: join(directory, 'p7b') }, 'It is in PKCS #7: convert'],
  ['a chain that is cut off', { ...files, certificatePath: join(directory, 'cut') }, 'Certificate 2 in '],
  ['a certificate in place of the key', { ...files, keyPath: files.certificatePath }, 'has no PEM private key'],
  ['the key of another pair', { ...files, keyPath: join(directory, 'other') }, 'does not match the certificate in'],
  ['a key of another type', { ...files, keyPath: join(directory, 'rsa') }, 'does not match the certificate in'],
])('%s fails the start by name', async (_, tls, message) => {
  write(first)
  writeFileSync(join(directory, 'wide'), `\uFEFF${first.certificate}`, 'utf16le')
  const convert = (file: string, name: string) => ['-in', file, '-out', join(directory, name)]
  openssl('x509', '-outform', 'der', ...convert(files.certificatePath, 'der'))
  openssl('pkcs8', '-topk8', '-nocrypt', '-outform', 'der', ...convert(files.keyPath, 'key.der'))
  openssl('pkcs12', '-export', '-inkey', files.keyPath, '-passout', 'pass:x', ...convert(files.certificatePath, 'p12'))
  openssl('crl2pkcs7', '-nocrl', '-certfile', files.certificatePath, '-out', join(directory, 'p7b'))
  writeFileSync(join(directory, 'cut'), first.certificate + second.certificate.slice(0, 300))
  writeFileSync(join(directory, 'other'), second.key)
  writeFileSync(join(directory, 'rsa'), (await issueCertificate('rsa', { type: 'RSA' })).key)
  rmSync(join(directory, 'pipe'), { force: true })
  execFileSync('mkfifo', [join(directory, 'pipe')])
  const refusal: unknown = await start({ tls }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'TLS_INVALID', message: expect.stringContaining(message) })
  expect(String(refusal)).not.toContain(first.key.split('\n')[1])
})

/** Outside of FIPS mode, which makes no such keys. */
function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { env: { PATH: process.env['PATH'] }, stdio: 'ignore' })
}

const isFips = getFips() === 1
const unusable = /is not usable with this OpenSSL \(.*\)\. Use RSA with 2048 bits or more, or P-256 \(ERR_\w+\)\.$/

test.each([
  ['RSA with 1024 bits', ['-newkey', 'rsa:1024'], [], takesShortKeys ? undefined : unusable],
  ['Ed25519', ['-newkey', 'ed25519'], [], isFips ? unusable : undefined],
  ['P-256', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'], [], undefined],
  [
    'a password by scrypt',
    ['-newkey', 'rsa:2048'],
    ['-scrypt'],
    /"openssl pkcs8 -topk8 -nocrypt -in .*protected.key -out new.key"/,
  ],
])('a key with %s is served, or the message says why not', async (_, kind, protection, refusal) => {
  const [certificatePath, open, locked] = ['any.crt', 'any.key', 'protected.key'].map((name) =>
    join(directory, name),
  ) as [string, string, string]
  const request = ['req', '-x509', ...kind, '-nodes', '-days', '9', '-subj', '/CN=localhost']
  openssl(...request, '-keyout', open, '-out', certificatePath)
  if (protection.length > 0)
    openssl('pkcs8', '-topk8', ...protection, '-in', open, '-out', locked, '-passout', 'pass:x')
  const started = start({ tls: { certificatePath, keyPath: protection.length > 0 ? locked : open } })
  const outcome = await started.then(
    async (host) => {
      await host.close()
      return 'served'
    },
    (error: Error) => error.message,
  )
  expect(outcome).toMatch(refusal ?? /^served$/)
})

test('a renewed certificate that is not valid yet is served from the time at which it becomes valid', async () => {
  write(first)
  const host = await start({ tls: files })
  // Certificates count in whole seconds.
  const validFrom = new Date(Math.ceil(Date.now() / 1000) * 1000 + 4000)
  write(await issueCertificate('later', { validFrom }))
  const line = await host.logged(({ level }) => level === 'warning')
  expect(line.message).toContain(`becomes valid at ${validFrom.toISOString()}`)
  await presents(host.port, 'later')
  expect(Date.now()).toBeGreaterThanOrEqual(validFrom.getTime())
  await host.close()
})

test('a certificate that is not valid yet fails the start', async () => {
  write(await issueCertificate('later', { validFrom: new Date(Date.now() + 60_000) }))
  await expect(start({ tls: files })).rejects.toMatchObject({ code: 'TLS_INVALID', message: /is not valid before 20/ })
})

test('an expired certificate fails the start', async () => {
  write(expired)
  await expect(start({ tls: files })).rejects.toMatchObject({ code: 'TLS_INVALID', message: /expired on/ })
})

test('TLS 1.2 and 1.3 are spoken, older versions and weak ciphers are not', async () => {
  write(first)
  const host = await start({ tls: files })
  expect((await handshake(host.port)).protocol).toBe('TLSv1.3')
  expect((await handshake(host.port, { maxVersion: 'TLSv1.2' })).protocol).toBe('TLSv1.2')
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const
  await expect(handshake(host.port, old)).rejects.toThrow(/alert|handshake|no ciphers|protocol/i)
  for (const ciphers of ['AES128-SHA', 'ECDHE-RSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'AES256-GCM-SHA384']) {
    await expect(handshake(host.port, { maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` })).rejects.toThrow(
      /alert|handshake|no ciphers|protocol/i,
    )
  }
  await host.close()
})

test('a client that speaks http is told to speak https, and others are served', async () => {
  write(first)
  const host = await start({ tls: files })
  const refused = await fetch(`http://127.0.0.1:${host.port}/`)
  expect([refused.status, await refused.text()]).toEqual([
    400,
    'This port expects https: begin the address with https://.\n',
  ])
  expect((await handshake(host.port)).name).toBe('first')
  expect(host.logs).toEqual([])
  await host.close()
})
