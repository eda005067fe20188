import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { offline } from '../support/environment.ts'
import { issueCertificate } from '../support/issue-certificate.ts'
import { useProcesses } from '../support/processes.ts'
import { commandLine, inBuiltProject } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { start } = useProcesses()
const temp = useTemporaryDirectory()
const at = (name: string) => join(temp.path, name)

// test/server and test/cli/serve-app.test.ts have the other files, keys and addresses that the server refuses.
describe('serve names the file, the variable and the correction', () => {
  let secretLine = ''

  beforeAll(async () => {
    const { certificate, key } = await issueCertificate('good', { type: 'RSA' })
    secretLine = key.split('\n')[1] ?? ''
    writeFileSync(at('good.pem'), certificate)
    writeFileSync(at('good.key'), key)
    // Without OPENSSL_CONF, as on the machine that makes the files: in FIPS mode openssl makes none in PKCS #12.
    const options = { cwd: temp.path, stdio: 'pipe', env: { PATH: process.env['PATH'] } } as const
    const openssl = (line: string) => execFileSync('openssl', line.split(' '), options)
    openssl('x509 -in good.pem -outform der -out good.der')
    openssl('pkcs8 -topk8 -nocrypt -in good.key -outform der -out key.der')
    openssl('pkcs12 -export -in good.pem -inkey good.key -out good.p12 -passout pass:right')
    openssl('crl2pkcs7 -nocrl -certfile good.pem -out good.p7b')
  })

  const convert = (kind: string, file: string) => new RegExp(`It is in ${kind}.*"openssl .*-in \\S+${file} -out `)

  test.each<[string, certificate: string, key: string, RegExp]>([
    ['exchanged paths', 'good.key', 'good.pem', /Exchange the two paths/],
    ['a certificate in DER', 'good.der', 'good.key', convert('DER', 'good.der')],
    ['a private key in DER', 'good.pem', 'key.der', convert('DER', 'key.der')],
    ['a certificate in PKCS #12', 'good.p12', 'good.key', convert('PKCS #12', 'good.p12')],
    ['a private key in PKCS #12', 'good.pem', 'good.p12', convert('PKCS #12', 'good.p12')],
    ['a certificate in PKCS #7', 'good.p7b', 'good.key', convert('PKCS #7', 'good.p7b')],
  ])('for %s', async (_what, certificate, privateKey, says) => {
    const files = { PLATFORM_TLS_CERTIFICATE_PATH: at(certificate), PLATFORM_TLS_KEY_PATH: at(privateKey) }
    const { code, stdout, stderr } = await start([commandLine, 'serve'], inBuiltProject({ ...offline, ...files })).ended
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trim()).toMatch(says)
    expect(stderr).not.toMatch(/^\s+at |BEGIN/m)
    expect(stderr).not.toContain(secretLine)
  })
})
