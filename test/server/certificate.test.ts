import { execFileSync } from 'node:child_process'
import { getFips } from 'node:crypto'
import { renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { beforeAll, expect, test } from 'vitest'
import type { ServerOptions } from '../../src/server/server.ts'
import { takesShortKeys } from '../support/faulty-chain.ts'
import { issueCertificate } from '../support/issue-certificate.ts'
import { sendRequest } from '../support/send-request.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { httpFunction, textResponse, useServers } from '../support/use-servers.ts'

const startServer = useServers()
const functions = [httpFunction('f', async ({ url }) => textResponse(url))]
const start = (options: Partial<ServerOptions>) => startServer({ functions }, options)
const temp = useTemporaryDirectory()
const at = (name: string) => join(temp.path, name)

const first = await issueCertificate('first')
const second = await issueCertificate('second')

/** @returns The paths of the pair, as options of a server. */
function write(pair: { certificate: string; key: string }, folder = '.') {
  const certificatePath = temp.write(`${folder}/tls.crt`, pair.certificate)
  return { certificatePath, keyPath: temp.write(`${folder}/tls.key`, pair.key) }
}
const files = write(first, 'first')

/** Outside of FIPS mode, which makes no such keys. */
const openssl = (...args: readonly string[]) =>
  execFileSync('openssl', args, { env: { PATH: process.env['PATH'] }, stdio: 'ignore' })

beforeAll(async () => {
  const convert = (file: string, name: string) => ['-in', file, '-out', at(name)]
  openssl('x509', '-outform', 'der', ...convert(files.certificatePath, 'der'))
  openssl('pkcs12', '-export', '-inkey', files.keyPath, '-passout', 'pass:x', ...convert(files.certificatePath, 'p12'))
  openssl('crl2pkcs7', '-nocrl', '-certfile', files.certificatePath, '-out', at('p7b'))
  temp.write('cut', first.certificate + second.certificate.slice(0, 300))
  temp.write('other', (await issueCertificate('rsa', { type: 'RSA' })).key)
  temp.write('expired', (await issueCertificate('expired', { validTo: new Date(Date.now() - 86_400_000) })).certificate)
  write(await issueCertificate('early', { validFrom: new Date(Date.now() + 60_000) }), 'early')
  execFileSync('mkfifo', [at('pipe')])
})

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

test('functions respond over https, and see the address that was called', async () => {
  const host = await start({ tls: write(first) })
  expect(host.url).toBe(`https://localhost:${host.port}`)
  const options = { ca: first.certificate, headers: { host: 'localhost' } }
  expect((await sendRequest(`https://127.0.0.1:${host.port}/f`, options)).body).toBe('https://localhost/f')
})

test('a renewed certificate is served without a restart, also behind the links by which a cluster renews it', async () => {
  // As a kubelet mounts a secret: tls.crt -> ..data/tls.crt, and ..data -> a folder that is replaced in one step.
  const put = (folder: string, pair: typeof first) => {
    write(pair, `secret/${folder}`)
    symlinkSync(folder, at('secret/..new'))
    renameSync(at('secret/..new'), at('secret/..data'))
  }
  put('..1', first)
  for (const name of ['tls.crt', 'tls.key']) symlinkSync(`..data/${name}`, at(`secret/${name}`))
  const host = await start({ tls: { certificatePath: at('secret/tls.crt'), keyPath: at('secret/tls.key') } })
  expect((await handshake(host.port)).name).toBe('first')
  put('..2', second)
  await presents(host.port, 'second')
  expect(host.logs.filter(({ level }) => level !== 'info')).toEqual([])
})

test.each([
  ['no certificate', { certificate: 'nonsense', key: second.key }],
  ['the key of another', { certificate: second.certificate, key: first.key }],
])('%s in its place leaves the certificate in force, is reported once, and fixed by the next', async (_, bad) => {
  const host = await start({ tls: write(first) })
  write(bad)
  const line = await host.logged(({ level }) => level === 'error')
  expect(line.message).toMatch(/^The server keeps the previous certificate, because the new one is not usable\. /)
  expect(line.message).not.toContain('PRIVATE')
  expect((await handshake(host.port)).name).toBe('first')
  write(second)
  await presents(host.port, 'second')
  expect(host.logs.filter(({ level }) => level === 'error').length).toBeLessThanOrEqual(3)
})

test.each<[string, { readonly certificatePath?: string; readonly keyPath?: string }, string]>([
  ['a certificate that is not there', { certificatePath: '/nowhere/tls.crt' }, '/nowhere/tls.crt cannot be read'],
  ['a pipe', { keyPath: at('pipe') }, 'is not a regular file'],
  ['a key in place of the certificate', { certificatePath: files.keyPath }, 'has no PEM certificate'],
  ['a certificate in DER', { certificatePath: at('der') }, 'It is in DER: convert it with "openssl'],
  ['a private key in PKCS #12', { keyPath: at('p12') }, 'It is in PKCS #12: convert'],
  ['a certificate in PKCS #7', { certificatePath: at('p7b') }, 'It is in PKCS #7: convert'],
  ['a chain that is cut off', { certificatePath: at('cut') }, 'Certificate 2 in '],
  ['a certificate in place of the key', { keyPath: files.certificatePath }, 'has no PEM private key'],
  ['the key of another pair and type', { keyPath: at('other') }, 'does not match the certificate in'],
  ['an expired certificate', { certificatePath: at('expired') }, 'expired on'],
  ['an early pair', { certificatePath: at('early/tls.crt'), keyPath: at('early/tls.key') }, 'is not valid before 20'],
])('%s fails the start by name', async (_, changed, message) => {
  const refusal: unknown = await start({ tls: { ...files, ...changed } }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'TLS_INVALID', message: expect.stringContaining(message) as string })
  expect(String(refusal)).not.toContain(first.key.split('\n')[1])
})

const isFips = getFips() === 1
const unusable = /is not usable with this OpenSSL \(.*\)\. Use RSA with 2048 bits or more, or P-256 \(ERR_\w+\)\.$/

test.each([
  ['RSA with 1024 bits', ['-newkey', 'rsa:1024'], takesShortKeys ? undefined : unusable],
  ['Ed25519', ['-newkey', 'ed25519'], isFips ? unusable : undefined],
  ['P-256', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'], undefined],
])('a key with %s is served, or the message says why not', async (_, kind, refusal) => {
  const [certificatePath, keyPath] = [at('any.crt'), at('any.key')]
  const request = '-nodes -days 9 -subj /CN=localhost'.split(' ')
  openssl('req', '-x509', ...kind, ...request, '-keyout', keyPath, '-out', certificatePath)
  const started = await start({ tls: { certificatePath, keyPath } }).catch(({ message }: Error) => ({ url: message }))
  expect(started.url).toMatch(refusal ?? /^https:/)
})

test('a key with a password by scrypt is refused with the command that converts it', async () => {
  openssl('pkcs8', '-topk8', '-scrypt', '-in', files.keyPath, '-out', at('protected.key'), '-passout', 'pass:x')
  const message = /"openssl pkcs8 -topk8 -nocrypt -in .*protected.key -out new.key"/
  await expect(start({ tls: { ...files, keyPath: at('protected.key') } })).rejects.toMatchObject({ message })
})

test('a renewed certificate that is not valid yet is served from the time at which it becomes valid', async () => {
  const host = await start({ tls: write(first) })
  // Certificates count in whole seconds.
  const validFrom = new Date(Math.ceil(Date.now() / 1000) * 1000 + 4000)
  write(await issueCertificate('later', { validFrom }))
  const line = await host.logged(({ level }) => level === 'error')
  expect(line.message).toContain(`is not valid before ${validFrom.toISOString()}`)
  await presents(host.port, 'later')
  expect(Date.now()).toBeGreaterThanOrEqual(validFrom.getTime())
})

test('TLS 1.2 and 1.3 are spoken, older versions and weak ciphers are not', async () => {
  const host = await start({ tls: write(first) })
  expect((await handshake(host.port)).protocol).toBe('TLSv1.3')
  expect((await handshake(host.port, { maxVersion: 'TLSv1.2' })).protocol).toBe('TLSv1.2')
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const
  const weak = ['AES128-SHA', 'ECDHE-RSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'AES256-GCM-SHA384']
  for (const options of [
    old,
    ...weak.map((cipher) => ({ maxVersion: 'TLSv1.2', ciphers: `${cipher}:@SECLEVEL=0` }) as const),
  ])
    await expect(handshake(host.port, options)).rejects.toThrow(/alert|handshake|no ciphers|protocol/i)
})

test('a client that speaks http is told to speak https, and others are served', async () => {
  const host = await start({ tls: write(first) })
  const refused = await fetch(`http://127.0.0.1:${host.port}/`)
  const text = 'This port expects https: begin the address with https://.\n'
  expect([refused.status, await refused.text()]).toEqual([400, text])
  expect((await handshake(host.port)).name).toBe('first')
  expect(host.logs).toEqual([])
})
