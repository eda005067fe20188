import { execFileSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { errorCode } from '../../../src/lib/base/files.ts'
import { isServiceError, ServiceError } from '../../../src/lib/errors.ts'
import { Secret } from '../../../src/lib/base/secret.ts'
import { readValidCertificate } from '../../../src/lib/auth/client-certificate.ts'
import { readCredentialFile, explainRejectedAssertion } from '../../../src/lib/auth/credential-file.ts'
import { errorOf } from '../../support/error-of.ts'
import { daysFromNow, issueCertificate } from '../../support/issue-certificate.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const write = (name: string, content: string | Buffer) => directory.write(name, content)
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'read',
    (error: unknown) => (isServiceError(error) ? `${error.code}: ${error.message}` : String(error)),
  )
const fileOf = (path: string, setting = 'PLATFORM_FEDERATED_TOKEN_FILE') => ({ path, setting, isOption: false })
const read = (path: string) => outcomeOf(readCredentialFile(fileOf(path)))

describe('a credential file', () => {
  test('may begin with a byte order mark, as PowerShell 5 writes UTF-8', async () => {
    expect(await readCredentialFile(fileOf(write('marked', '\uFEFFsecret')))).toBe('secret')
  })

  test('is read up to 1 MiB, and no further', async () => {
    expect(await read(write('full', 'x'.repeat(1024 * 1024)))).toBe('read')
    expect(await read(write('over', 'x'.repeat(1024 * 1024 + 1)))).toMatch(/is larger than 1 MiB/)
  })

  test.each([
    ['missing', () => join(directory.path, 'missing'), /does not exist/],
    ['empty', () => write('empty', ' \n'), /is empty/],
    ['a device without an end', () => '/dev/zero', /isn't a regular file/],
    ['in UTF-16', () => write('wide', Buffer.from('\uFEFFsecret\r\n', 'utf16le')), /is not UTF-8 .*UTF-16/],
  ])('that is %s is named by its variable', async (_what, path, problem) => {
    const outcome = await read(path())
    expect(outcome).toMatch(/^CREDENTIAL_FILE_UNREADABLE: The file that PLATFORM_FEDERATED_TOKEN_FILE names /)
    expect(outcome).toMatch(problem)
  })
})

const certificateVariable = 'PLATFORM_CLIENT_CERTIFICATE_PATH'

describe('a client certificate', () => {
  let certificate = ''
  let key = ''
  let otherKey = ''
  let ecdsa = ''
  beforeAll(async () => {
    ;({ certificate, key } = await issueCertificate('client', { type: 'RSA' }))
    otherKey = (await issueCertificate('client', { type: 'RSA' })).key
    ecdsa = Object.values(await issueCertificate('client')).join('')
  })
  const encrypted = (passphrase = 'hunter2') =>
    String(createPrivateKey(key).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }))
  const check = (content: string, password?: string) =>
    outcomeOf(
      readValidCertificate({
        certificateFile: fileOf(write('c.pem', content), certificateVariable),
        ...(password === undefined ? {} : { certificatePassword: new Secret(password) }),
      }),
    )

  test('with its key is read, protected or not', async () => {
    expect(await check(`${certificate}${key}`)).toBe('read')
    expect(await check(`${key}${certificate}`)).toBe('read')
    expect(await check(`${certificate}${encrypted()}`, 'hunter2')).toBe('read')
  })

  test.each([
    ['x', /is not opened by PLATFORM_CLIENT_CERTIFICATE_PASSWORD/],
    [undefined, /PLATFORM_CLIENT_CERTIFICATE_PASSWORD is not set/],
  ])('whose key the password %s does not open is CERTIFICATE_PASSWORD_WRONG', async (password, problem) => {
    const outcome = await check(`${certificate}${encrypted()}`, password)
    expect(outcome).toMatch(/^CERTIFICATE_PASSWORD_WRONG: .*PLATFORM_CLIENT_CERTIFICATE_PATH/)
    expect(outcome).toMatch(problem)
  })

  test('whose key a wrong password decrypts to a valid padding by chance is CERTIFICATE_PASSWORD_WRONG all the same', async () => {
    const content = encrypted()
    const codeFor = (passphrase: string) => errorCode(errorOf(() => createPrivateKey({ key: content, passphrase })))
    const byChance = Array.from({ length: 10_000 }, (_, at) => `wrong-${at}`).find(
      (password) => codeFor(password) === 'ERR_OSSL_UNSUPPORTED',
    )
    expect(byChance).toBeDefined()
    expect(await check(`${certificate}${content}`, byChance)).toMatch(/^CERTIFICATE_PASSWORD_WRONG/)
  })

  test.each([
    ['no certificate', () => key, /no PEM certificate/],
    ['no key', () => certificate, /no usable private key/],
    ['half a key', () => `${certificate}${key.slice(0, 90)}`, /no usable private key/],
    ['the key of another certificate', () => `${certificate}${otherKey}`, /belongs to another certificate/],
  ])('with %s is CREDENTIAL_FILE_UNREADABLE, and not quoted', async (_what, content, problem) => {
    const outcome = await check(content())
    expect(outcome).toMatch(/^CREDENTIAL_FILE_UNREADABLE: /)
    expect(outcome).toMatch(problem)
    for (const part of content().match(/[\w+/]{20}/g) ?? []) expect(outcome).not.toContain(part)
  })

  /** Encrypted with MD5 and DES, which OpenSSL 3 doesn't support in any mode. */
  const outdated = `-----BEGIN ENCRYPTED PRIVATE KEY-----
${Buffer.from(`302f301b06092a864886f70d010503300e0408${'00'.repeat(8)}020208000410${'00'.repeat(16)}`, 'hex').toString('base64')}
-----END ENCRYPTED PRIVATE KEY-----`
  test.each([
    ['an ECDSA key', () => ecdsa, undefined, /is of type ec, and a login authority takes RSA keys only/],
    ['an outdated encryption', () => certificate + outdated, 'x', /is in a format that OpenSSL .* does not support/],
  ])('with %s is CREDENTIAL_KEY_UNUSABLE', async (_what, content, password, problem) => {
    const outcome = await check(content(), password)
    expect(outcome).toMatch(/^CREDENTIAL_KEY_UNUSABLE: The private key .* PLATFORM_CLIENT_CERTIFICATE_PATH names /)
    expect(outcome).toMatch(problem)
  })

  test('in PKCS #12 is CREDENTIAL_FILE_UNREADABLE, with the command that converts it', async () => {
    const [pem, pfx] = [write('both.pem', certificate + key), write('client.pfx', '')]
    // Outside of the FIPS mode that this process may be in.
    const env = { PATH: process.env['PATH'] }
    execFileSync('openssl', ['pkcs12', '-export', '-in', pem, '-out', pfx, '-passout', 'pass:example'], { env })
    const evidence = { conversion: /^It is in PKCS #12: convert it with "openssl pkcs12 / }
    const reading = readValidCertificate({ certificateFile: fileOf(pfx, certificateVariable) })
    await expect(reading).rejects.toMatchObject({ code: 'CREDENTIAL_FILE_UNREADABLE', evidence })
  })

  test('that is not valid yet leaves the one in force, until that has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const pemOf = async (from: number, to: number) => {
      const dates = { validFrom: daysFromNow(from), validTo: daysFromNow(to) }
      const issued = await issueCertificate('client', { type: 'RSA', ...dates })
      return `${issued.certificate}${issued.key}`
    }
    const source = { certificateFile: fileOf(write('expiring.pem', await pemOf(-1, 0.5))) }
    const before = await readValidCertificate(source)
    write('expiring.pem', await pemOf(1, 2))
    expect(await readValidCertificate(source)).toBe(before)
    vi.setSystemTime(daysFromNow(0.5).getTime() + 1)
    // Its error names the date from which it is valid.
    expect(await readValidCertificate(source)).not.toBe(before)
    vi.useRealTimers()
  })
})

test.each([
  ['an expired token has its time', 1_000_000_000, '2001-09-09T01:46:40.000Z'],
  ['a time that no calendar has is omitted', -1e300, undefined],
])('The error of a rejected federated token: %s', async (_what, exp, expiredAt) => {
  const token = `h.${Buffer.from(JSON.stringify({ iss: 'urn:issuer', exp })).toString('base64url')}.s`
  const error = new ServiceError('CLIENT_ASSERTION_REJECTED', 'Rejected')
  const { code, evidence } = await explainRejectedAssertion(error, async () => token)
  expect([code, evidence?.['issuer'], evidence?.['expiredAt']]).toEqual([error.code, 'urn:issuer', expiredAt])
})
