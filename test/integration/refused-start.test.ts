import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judgeEnd } from '../../src/cli/command.ts'
import { runInProcess } from '../cli/run-in-process.ts'
import { offline } from '../support/environment.ts'
import { issueCertificate } from '../support/issue-certificate.ts'
import { useProcesses } from '../support/processes.ts'
import { profileDocument } from '../support/profile-document.ts'
import { commandLine, inBuiltProject } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

// What a start that is refused prints: the reason, and every setting or field to correct, at once.

const { start } = useProcesses()
const temp = useTemporaryDirectory()
const at = (name: string) => join(temp.path, name)

type Variables = Readonly<Record<string, string>>

describe('The smoke test names every setting that is wrong', () => {
  const settings: readonly Variables[] = [
    { PORT: '99999' },
    { AUTH_MODE: 'secret' },
    { HTTP_AUTH_LEVEL: 'none' },
    { PLATFORM_TOKEN_TIMEOUT_MS: '5' },
    { SMOKE_TEST_SCHEDULE: '* * *' },
    { SMOKE_TEST_SCHEDULE: '0 0 0 30,31 2 *' },
    { SMOKE_TEST_CHECK_TOKEN: 'yes' },
    { PLATFORM_STORAGE_ACCOUNT: 'Bad_Name!' },
    { PLATFORM_KEY_VAULT: 'a.b' },
    { PLATFORM_ALLOWED_TOKEN_HOSTS: 'https://x/y' },
    { PLATFORM_LISTEN_ADDRESS: 'nowhere/' },
    { PLATFORM_TENANT_ID: 'a/b' },
    { PLATFORM_CLIENT_SECRET: '$(SECRET)' },
    { MSAL_FORCE_REGION: 'moon' },
    { AZURE_REGIONAL_AUTHORITY_NAME: 'moon' },
    { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    { PLATFORM_CLOUD: 'nope' },
    { CUSTOM_CLOUD_PROFILE_PATH: '/nowhere.json' },
    { CUSTOM_CLOUD_PROFILE_PATH: '/' },
    { PORT: '-1', PLATFORM_LOG_LEVEL: 'loud', PLATFORM_SERVE_METADATA: 'yes' },
  ]

  async function printed(env: Variables): Promise<string> {
    try {
      const { code, stdout, stderr } = await runInProcess(['smoke-test'], {
        env: { AUTH_MODE: 'clientSecret', ...env },
      })
      expect(code).not.toBe(0)
      return `${stdout}\n${stderr}`
    } catch (error) {
      return judgeEnd(error).message
    }
  }

  test.each(settings)('%o', async (env) => {
    const text = await printed(env)
    expect(Object.keys(env).filter((name) => !text.includes(name))).toEqual([])
    expect(text).not.toMatch(/^\s+at /m)
  })

  const profile = JSON.stringify(profileDocument(), null, 2)
  const edited = (changes: object) => JSON.stringify({ ...(JSON.parse(profile) as object), ...changes })
  test.each([
    ['an empty file', '', /is empty/],
    ['a list', '[]', /object/],
    ['half a file', profile.slice(0, 100), /JSON/],
    ['a comment', profile.replace('{', '{\n  // the enclave'), /comment/],
    ['a comma before the bracket', profile.replace(/\s*\}\s*$/, ',\n}\n'), /comma/],
    ['no audiences, no suffixes', edited({ serviceAudiences: undefined, serviceDnsSuffixes: undefined }), /serviceDnsSuffixes[^]*serviceAudiences/], // prettier-ignore
    ['plain http, a number', edited({ authorityHost: 'http://login.enclave.test/', name: 7 }), /authorityHost[^]*name|name[^]*authorityHost/], // prettier-ignore
    ['no final slash', edited({ authorityHost: 'https://login.enclave.test' }), /authorityHost/],
    ['an unknown environment', edited({ environment: 'moon' }), /environment/],
  ])('a profile with %s', async (_what, content, says) => {
    writeFileSync(at('profile.json'), content)
    const text = await printed({ CUSTOM_CLOUD_PROFILE_PATH: at('profile.json') })
    expect(text).toContain(at('profile.json'))
    expect(text).toMatch(says)
  })
})

describe('serve names the file, the variable and the correction', () => {
  const closers: (() => unknown)[] = []
  afterAll(() => closers.forEach((close) => close()))
  let secretLine = ''

  beforeAll(async () => {
    const good = await issueCertificate('good', { type: 'RSA' })
    const other = await issueCertificate('other', { type: 'RSA' })
    const old = await issueCertificate('old', { type: 'RSA', validTo: new Date(Date.now() - 86_400_000) })
    secretLine = good.key.split('\n')[1] ?? ''
    const files: Readonly<Record<string, string | Buffer>> = {
      'good.pem': good.certificate,
      'good.key': good.key,
      'other.key': other.key,
      'old.pem': old.certificate,
      'old.key': old.key,
      'no-text-key': Buffer.from([0x41, 0xc3, 0x28, 0xff, 0xfe]),
      'two-keys': 'one\ntwo\n',
      'long-key': 'a'.repeat(5000),
      'empty-key': '',
      file: '',
    }
    for (const [name, content] of Object.entries(files)) writeFileSync(at(name), content)
    // Without OPENSSL_CONF, as on the machine that makes the files: in FIPS mode openssl makes none in PKCS #12.
    const options = { cwd: temp.path, stdio: 'pipe', env: { PATH: process.env['PATH'] } } as const
    const openssl = (line: string) => execFileSync('openssl', line.split(' '), options)
    openssl('x509 -in good.pem -outform der -out good.der')
    openssl('pkcs8 -topk8 -nocrypt -in good.key -outform der -out key.der')
    openssl('pkcs12 -export -in good.pem -inkey good.key -out good.p12 -passout pass:right')
    openssl('crl2pkcs7 -nocrl -certfile good.pem -out good.p7b')
    openssl('pkcs8 -topk8 -v2 aes-256-cbc -in good.key -out locked.key -passout pass:right')
    const server = createServer().listen(at('used'))
    await once(server, 'listening')
    closers.push(() => server.close())
  })

  const key = { PLATFORM_HOST_KEY: 'a-key-of-the-host' }
  const keyFile = (name: string): Variables => ({ PLATFORM_HOST_KEY_PATH: at(name) })
  const pair = (certificate: string, privateKey: string): Variables => ({
    PLATFORM_TLS_CERTIFICATE_PATH: at(certificate),
    PLATFORM_TLS_KEY_PATH: at(privateKey),
  })
  const convert = (kind: string, file: string) => new RegExp(`It is in ${kind}.*"openssl .*-in \\S+${file} -out `)

  test.each<[string, () => Variables, RegExp]>([
    ['a key file that is missing', () => keyFile('nowhere'), /PLATFORM_HOST_KEY_PATH names \S+nowhere, which cannot be read/], // prettier-ignore
    ['an empty key file', () => keyFile('empty-key'), /must hold one key as text.*openssl rand/],
    ['two keys', () => keyFile('two-keys'), /must hold one key as text/],
    ['a key that is no text', () => keyFile('no-text-key'), /must hold one key as text/],
    ['a key file that is too long', () => keyFile('long-key'), /longer than 4096 bytes/],
    ['exchanged paths', () => pair('good.key', 'good.pem'), /Exchange the two paths/],
    ['the private key of another pair', () => pair('good.pem', 'other.key'), /does not match/],
    ['an expired certificate', () => pair('old.pem', 'old.key'), /expired on .* Renew it/],
    ['a private key with a password', () => pair('good.pem', 'locked.key'), /has a password/],
    ['a certificate in DER', () => pair('good.der', 'good.key'), convert('DER', 'good.der')],
    ['a private key in DER', () => pair('good.pem', 'key.der'), convert('DER', 'key.der')],
    ['a certificate in PKCS #12', () => pair('good.p12', 'good.key'), convert('PKCS #12', 'good.p12')],
    ['a private key in PKCS #12', () => pair('good.pem', 'good.p12'), convert('PKCS #12', 'good.p12')],
    ['a certificate in PKCS #7', () => pair('good.p7b', 'good.key'), convert('PKCS #7', 'good.p7b')],
    ['a certificate alone', () => ({ PLATFORM_TLS_CERTIFICATE_PATH: at('good.pem') }), /without PLATFORM_TLS_KEY_PATH/],
    ['a private key alone', () => ({ PLATFORM_TLS_KEY_PATH: at('good.key') }), /without PLATFORM_TLS_CERTIFICATE_PATH/],
    ['a socket that is a file', () => ({ ...key, PORT: at('file') }), /is not a socket\. .* PORT sets it/],
    ['a socket in use', () => ({ ...key, PORT: at('used') }), /Another process listens on .* PORT sets it/],
    ['an address with a port', () => ({ PLATFORM_LISTEN_ADDRESS: '127.0.0.1:3000' }), /^PLATFORM_LISTEN_ADDRESS must be .*without a port/], // prettier-ignore
    ['half an IPv6 address', () => ({ PLATFORM_LISTEN_ADDRESS: '[::1' }), /^PLATFORM_LISTEN_ADDRESS must be/],
    ['an address of another machine', () => ({ ...key, PLATFORM_LISTEN_ADDRESS: '192.0.2.1' }), /Use an address of this machine\. PLATFORM_LISTEN_ADDRESS sets it/], // prettier-ignore
  ])('for %s', async (_what, wrong, says) => {
    const { cwd } = inBuiltProject()
    const env = { ...offline, PORT: '0', ...wrong() }
    const { code, stdout, stderr } = await start([commandLine, 'serve'], { ...(cwd && { cwd }), env }).ended
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trim()).toMatch(says)
    expect(stderr).not.toMatch(/^\s+at |BEGIN/m)
    expect(stderr).not.toContain(secretLine)
  })
})
