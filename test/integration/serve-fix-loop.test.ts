import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offline } from '../support/environment.ts'
import { occupyPort } from '../support/free-port.ts'
import { issueCertificate } from '../support/issue-certificate.ts'
import { useProcesses } from '../support/processes.ts'
import { commandLine, inBuiltProject } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

// What `serve` prints when its key, its certificate, its port or its address is wrong, followed to the letter until it serves.

const { start } = useProcesses()
const temp = useTemporaryDirectory()
const at = (name: string) => join(temp.path, name)
/** Root reads every file. */
const isRoot = process.getuid?.() === 0

type Variables = Record<string, string | undefined>

interface Mistake {
  readonly what: string
  readonly env: () => Variables | Promise<Variables>
  /** What the message says. */
  readonly says: RegExp
}

const closers: (() => unknown)[] = []
afterAll(() => closers.forEach((close) => close()))

beforeAll(async () => {
  const good = await issueCertificate('good', { type: 'RSA' })
  const other = await issueCertificate('other', { type: 'RSA' })
  const old = await issueCertificate('old', { type: 'RSA', validTo: new Date(Date.now() - 86_400_000) })
  const files: Readonly<Record<string, string | Buffer>> = {
    'good.pem': good.certificate,
    'good.key': good.key,
    'other.key': other.key,
    'old.pem': old.certificate,
    'old.key': old.key,
    'wide.pem': Buffer.from(`\uFEFF${good.certificate}`, 'utf16le'),
    'wide-key': Buffer.from('\uFEFFkey\r\n', 'utf16le'),
    'no-text-key': Buffer.from([0x41, 0xc3, 0x28, 0xff, 0xfe]),
    'two-keys': 'one\ntwo\n',
    'long-key': 'a'.repeat(5000),
    reference: '@Microsoft.KeyVault(SecretUri=https://v.example/secrets/k)\n',
    empty: '',
    'empty-key': '',
    unreadable: 'key',
    host: 'a-good-key-of-a-server\n',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(at(name), content)
  chmodSync(at('unreadable'), 0)
  // Without OPENSSL_CONF, as on the machine that makes the files: in FIPS mode openssl makes none in PKCS #12.
  const options = { cwd: temp.path, stdio: 'pipe', env: { PATH: process.env['PATH'] } } as const
  const openssl = (...args: string[]) => execFileSync('openssl', args, options)
  openssl('x509', '-in', 'good.pem', '-outform', 'der', '-out', 'good.der')
  openssl('pkcs8', '-topk8', '-nocrypt', '-in', 'good.key', '-outform', 'der', '-out', 'key.der')
  openssl('pkcs12', '-export', '-in', 'good.pem', '-inkey', 'good.key', '-out', 'good.p12', '-passout', 'pass:right')
  openssl('crl2pkcs7', '-nocrl', '-certfile', 'good.pem', '-out', 'good.p7b')
  openssl('pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-in', 'good.key', '-out', 'locked.key', '-passout', 'pass:right')
})

const key = (name: string) => () => ({ PLATFORM_HOST_KEY_PATH: at(name) })
const pair = (certificate: string, privateKey: string) => () => ({
  PLATFORM_TLS_CERTIFICATE_PATH: at(certificate),
  PLATFORM_TLS_KEY_PATH: at(privateKey),
})

const mistakes: readonly Mistake[] = [
  { what: 'a key file that is missing', env: key('nowhere'), says: /PLATFORM_HOST_KEY_PATH names \S+nowhere, which cannot be read/ }, // prettier-ignore
  { what: 'an empty key file', env: key('empty-key'), says: /must hold one key as text/ },
  { what: 'two keys', env: key('two-keys'), says: /must hold one key as text/ },
  { what: 'a key that is no text', env: key('no-text-key'), says: /must hold one key as text/ },
  { what: 'a key file that is too long', env: key('long-key'), says: /longer than 4096 bytes/ },
  { what: 'a key file in UTF-16', env: key('wide-key'), says: /looks like UTF-16/ },
  { what: 'a reference as key', env: key('reference'), says: /PLATFORM_HOST_KEY_PATH is a reference/ },
  ...(isRoot ? [] : [{ what: 'a key file that is unreadable', env: key('unreadable'), says: /EACCES/ }]),
  {
    what: 'two sources of the key',
    env: () => ({ ...key('host')(), PLATFORM_HOST_KEY: 'a-key-of-the-host' }),
    says: /both set/,
  },
  { what: 'no key on all addresses', env: () => ({ PLATFORM_LISTEN_ADDRESS: '0.0.0.0' }), says: /needs a key/ },
  { what: 'a certificate that is missing', env: pair('nowhere', 'good.key'), says: /nowhere cannot be read/ },
  { what: 'a private key that is missing', env: pair('good.pem', 'nowhere'), says: /nowhere cannot be read/ },
  { what: 'an empty certificate', env: pair('empty', 'good.key'), says: /empty is empty/ },
  { what: 'an empty private key', env: pair('good.pem', 'empty'), says: /empty is empty/ },
  { what: 'exchanged paths', env: pair('good.key', 'good.pem'), says: /Exchange the two paths/ },
  { what: 'the private key of another pair', env: pair('good.pem', 'other.key'), says: /does not match/ },
  { what: 'an expired certificate', env: pair('old.pem', 'old.key'), says: /expired on .* Renew it/ },
  { what: 'a private key with a password', env: pair('good.pem', 'locked.key'), says: /has a password/ },
  { what: 'a certificate in DER', env: pair('good.der', 'good.key'), says: /holds no PEM certificate\. It is in DER/ },
  { what: 'a private key in DER', env: pair('good.pem', 'key.der'), says: /holds no PEM private key\. It is in DER/ },
  { what: 'a certificate in PKCS #12', env: pair('good.p12', 'good.key'), says: /It is in PKCS #12/ },
  { what: 'a private key in PKCS #12', env: pair('good.pem', 'good.p12'), says: /It is in PKCS #12/ },
  { what: 'a certificate in PKCS #7', env: pair('good.p7b', 'good.key'), says: /It is in PKCS #7/ },
  { what: 'a certificate in UTF-16', env: pair('wide.pem', 'good.key'), says: /looks like UTF-16/ },
  { what: 'a certificate without a key', env: () => ({ PLATFORM_TLS_CERTIFICATE_PATH: at('good.pem') }), says: /set without PLATFORM_TLS_KEY_PATH/ }, // prettier-ignore
  { what: 'a key without a certificate', env: () => ({ PLATFORM_TLS_KEY_PATH: at('good.key') }), says: /set without PLATFORM_TLS_CERTIFICATE_PATH/ }, // prettier-ignore
  {
    what: 'a port in use',
    env: async () => {
      const other = await occupyPort()
      closers.push(() => other.close())
      return { PORT: String(other.port) }
    },
    says: /is in use by another process\..* PORT sets it/,
  },
  { what: 'a port that is too large', env: () => ({ PORT: '99999' }), says: /^PORT must be/ },
  { what: 'a port that is no number', env: () => ({ PORT: '3000x' }), says: /^PORT must be/ },
  {
    what: 'a socket in a missing folder',
    env: () => ({ PORT: at('no/socket'), PLATFORM_HOST_KEY: 'a-key-of-the-host' }),
    says: /is not a folder\. Create it\. PORT sets it/,
  },
  {
    what: 'a socket that is a file',
    env: () => ({ PORT: at('host'), PLATFORM_HOST_KEY: 'a-key-of-the-host' }),
    says: /is not a socket\. Choose another path\. PORT sets it/,
  },
  {
    what: 'a socket in use',
    env: async () => {
      const server = createServer().listen(at('used'))
      await once(server, 'listening')
      closers.push(() => server.close())
      return { PORT: at('used'), PLATFORM_HOST_KEY: 'a-key-of-the-host' }
    },
    says: /Another process listens on .* PORT sets it/,
  },
  ...['http://localhost', 'localhost:3000', '256.1.1.1', '[::1', 'fe80::1', '127.0.0.1:3000'].map((address) => ({
    what: `the address ${address}`,
    env: () => ({ PLATFORM_LISTEN_ADDRESS: address }),
    says: /^PLATFORM_LISTEN_ADDRESS must be an address or a host name, without a port/,
  })),
  {
    what: 'an address of another machine',
    env: () => ({ PLATFORM_LISTEN_ADDRESS: '192.0.2.1', PLATFORM_HOST_KEY: 'a-key-of-the-host' }),
    says: /Use an address of this machine\. PLATFORM_LISTEN_ADDRESS sets it/,
  },
  {
    what: 'an unknown host name',
    env: () => ({ PLATFORM_LISTEN_ADDRESS: 'nowhere.invalid', PLATFORM_HOST_KEY: 'a-key-of-the-host' }),
    says: /PLATFORM_LISTEN_ADDRESS sets it/,
  },
]

/** What the operator of the machine gives. */
const right = (): Variables => ({
  PORT: '0',
  PLATFORM_LISTEN_ADDRESS: undefined,
  PLATFORM_HOST_KEY: undefined,
  PLATFORM_HOST_KEY_PATH: at('host'),
  PLATFORM_TLS_CERTIFICATE_PATH: at('good.pem'),
  PLATFORM_TLS_KEY_PATH: at('good.key'),
})

/** Runs the command that the text gives, else corrects each path or variable that it names. @returns What was changed. */
function follow(text: string, env: Variables): string[] {
  const files = ['PLATFORM_TLS_CERTIFICATE_PATH', 'PLATFORM_TLS_KEY_PATH']
  const command = /"(openssl [^"]*-in (\S+)[^"]* -out (\S+))"/.exec(text)
  if (command !== null) {
    const [, line = '', file = '', out = ''] = command
    const name = files.find((each) => env[each] === file) ?? ''
    const words = [...line.split(' ').slice(1), ...(/pkcs8|pkcs12/.test(line) ? ['-passin', 'pass:right'] : [])]
    execFileSync('openssl', words, { cwd: temp.path, stdio: 'pipe' })
    env[name] = at(out)
    return [line]
  }
  const written = /Write it with: (openssl rand -hex 32) > (\S+)/.exec(text)
  if (written !== null) {
    writeFileSync(written[2] ?? '', execFileSync('openssl', ['rand', '-hex', '32']))
    return ['the file']
  }
  if (text.includes('Exchange the two paths')) {
    const [one = '', two = ''] = files
    ;[env[one], env[two]] = [env[two], env[one]]
    return files
  }
  const named = Object.keys(right()).filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  // A text about one file of the pair names that file.
  const about = named.filter((name) => !files.includes(name) || env[name] === undefined || text.includes(env[name]))
  // A key that expired with its certificate is replaced with it.
  const all = /Renew it/.test(text) ? named : about
  const changed = all.filter((name) => env[name] !== right()[name])
  for (const name of changed) env[name] = right()[name]
  return changed
}

/** What `serve` prints: that it runs, or why not. */
async function serve(env: Variables): Promise<{ readonly runs: boolean; readonly text: string }> {
  const { cwd } = inBuiltProject()
  const service = start([commandLine, 'serve'], { ...(cwd === undefined ? {} : { cwd }), env: { ...offline, ...env } })
  const running = service.printed(/^Server running on \S+\n/).then(
    () => true,
    () => false,
  )
  const runs = await running
  service.signal('SIGTERM')
  const { stdout, stderr } = await service.ended
  return { runs, text: runs ? stdout : stderr.trim() }
}

describe('What serve prints when it cannot start, followed to the letter,', () => {
  test.each(mistakes)('repairs $what', async ({ env: wrong, says }) => {
    const env: Variables = { PORT: '0', ...(await wrong()) }
    const first = await serve(env)
    expect(first).toMatchObject({ runs: false, text: expect.stringMatching(says) as string })
    expect(first.text).not.toMatch(/^\s+at |BEGIN|\bENOENT\b.*\bENOENT\b/m)
    const content = readFileSync(at('good.key'), 'latin1')
    expect(first.text).not.toContain(content.split('\n')[1])
    const changed = follow(first.text, env)
    const second = await serve(env)
    expect({ ...first, changed, afterwards: second }).toMatchObject({ afterwards: { runs: true } })
  })
})
