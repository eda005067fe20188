import { execFileSync } from 'node:child_process'
import { createPrivateKey, getFips, webcrypto } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCertificateAuthority } from 'cloud-profile-enclave/enclave'
import { isServiceError, ServiceError } from '../../../src/lib/errors.ts'
import { Secret } from '../../../src/lib/base/secret.ts'
import { readValidCertificate } from '../../../src/lib/auth/read-certificate.ts'
import { readCredentialFile, explainRejectedAssertion } from '../../../src/lib/auth/credential-file.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const write = (name: string, content: string | Buffer) => directory.write(name, content)
const outcomeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'read',
    (error: unknown) => (isServiceError(error) ? `${error.code}: ${error.message}` : String(error)),
  )
const read = (path: string) => outcomeOf(readCredentialFile(path, 'PLATFORM_FEDERATED_TOKEN_FILE'))

describe('a credential file', () => {
  test('may begin with a byte order mark, as PowerShell 5 writes UTF-8', async () => {
    expect(await readCredentialFile(write('marked', '\uFEFFsecret'), 'PLATFORM_CLIENT_SECRET_PATH')).toBe('secret')
  })

  test('is read up to 1 MiB, and no further', async () => {
    expect(await read(write('full', 'x'.repeat(1024 * 1024)))).toBe('read')
    expect(await read(write('over', 'x'.repeat(1024 * 1024 + 1)))).toMatch(/is larger than 1 MiB/)
  })

  test.each([
    ['missing', () => join(directory.path, 'missing'), /does not exist/],
    ['empty', () => write('empty', ' \n'), /is empty/],
    ['a folder', () => directory.path, /is no regular file/],
    ['a device without an end', () => '/dev/zero', /is no regular file/],
    ['in UTF-16', () => write('wide', Buffer.from('\uFEFFsecret\r\n', 'utf16le')), /is not UTF-8 .*UTF-16/],
  ])('that is %s is named by its variable', async (_what, path, problem) => {
    const outcome = await read(path())
    expect(outcome).toMatch(/^CREDENTIAL_FILE_UNREADABLE: The file that PLATFORM_FEDERATED_TOKEN_FILE names /)
    expect(outcome).toMatch(problem)
  })

  test.runIf(process.platform === 'linux')('that is a pipe nobody writes to blocks nothing', async () => {
    const path = join(directory.path, 'pipe')
    execFileSync('mkfifo', [path])
    expect(await read(path)).toMatch(/is no regular file/)
  })

  test.runIf(process.platform === 'linux')('that says it is empty and never ends costs no memory', async () => {
    const before = process.memoryUsage().rss
    expect(await read('/proc/self/pagemap')).toMatch(/^CREDENTIAL_FILE_UNREADABLE/)
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  })
})

describe('a client certificate', () => {
  let certificate = ''
  let key = ''
  let otherKey = ''
  let ecdsa = ''
  beforeAll(async () => {
    const ca = await createCertificateAuthority()
    const rsa = {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    }
    const issue = async (commonName: string) => {
      const keys = await webcrypto.subtle.generateKey(rsa, true, ['sign', 'verify'])
      return ca.issue({ commonName, usage: 'client', keys })
    }
    const issued = await Promise.all(['one', 'two'].map(issue))
    const issuedWithEcdsa = await ca.issue({ commonName: 'three', usage: 'client' })
    ecdsa = `${issuedWithEcdsa.certificatePem}${issuedWithEcdsa.privateKeyPem}`
    certificate = issued[0]?.certificatePem ?? ''
    key = issued[0]?.privateKeyPem ?? ''
    otherKey = issued[1]?.privateKeyPem ?? ''
  })
  const encrypted = () =>
    String(createPrivateKey(key).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'hunter2' }))
  const check = (content: string, password?: string) =>
    outcomeOf(
      readValidCertificate({
        certificatePath: write('c.pem', content),
        ...(password === undefined ? {} : { certificatePassword: new Secret(password) }),
      }),
    )

  test('with its key is read, protected or not', async () => {
    expect(await check(`${certificate}${key}`)).toBe('read')
    expect(await check(`${key}${certificate}`)).toBe('read')
    expect(await check(`${certificate}${encrypted()}`, 'hunter2')).toBe('read')
  })

  test.each(['x', 'hunter22'])('with the wrong password (%s) is CERTIFICATE_PASSWORD_WRONG', async (password) => {
    const outcome = await check(`${certificate}${encrypted()}`, password)
    expect(outcome).toMatch(
      /^CERTIFICATE_PASSWORD_WRONG: .*PLATFORM_CLIENT_CERTIFICATE_PATH.*is not opened by PLATFORM_CLIENT_CERTIFICATE_PASSWORD/,
    )
    expect(outcome).not.toContain('hunter2')
  })

  test('without the password it needs is CERTIFICATE_PASSWORD_WRONG too, and says so', async () => {
    expect(await check(`${certificate}${encrypted()}`)).toMatch(
      /^CERTIFICATE_PASSWORD_WRONG: .*PLATFORM_CLIENT_CERTIFICATE_PASSWORD is not set/,
    )
  })

  test.each([
    ['no certificate', () => key, /no PEM certificate/],
    ['no key', () => certificate, /no usable private key/],
    ['half a key', () => `${certificate}${key.slice(0, 90)}`, /no usable private key/],
    ['a wrong character in its key', () => certificate + key.replace(/(KEY-----\n.{30})./, '$1*'), /no usable private/],
    ['a key on one line', () => certificate + key.replaceAll('\n', ''), /no usable private key/],
    ['Base64 without marks', () => key.replaceAll(/-----[^-]+-----/g, ''), /no PEM certificate/],
    ['the key of another certificate', () => `${certificate}${otherKey}`, /belongs to another certificate/],
  ])('with %s is CREDENTIAL_FILE_UNREADABLE, and not quoted', async (_what, content, problem) => {
    const outcome = await check(content())
    expect(outcome).toMatch(/^CREDENTIAL_FILE_UNREADABLE: /)
    expect(outcome).toMatch(problem)
    for (const part of content().match(/[\w+/]{20}/g) ?? []) expect(outcome).not.toContain(part)
  })

  /** The program, outside of the FIPS mode that this process may be in. */
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } })
  test.each([
    ['an ECDSA key', () => ecdsa, /is of type ec, and a login authority takes RSA keys only/],
    ['an Ed25519 key', () => `${certificate}${openssl('genpkey', '-algorithm', 'ed25519')}`, /is of type ed25519/],
  ])('with %s is CREDENTIAL_KEY_UNUSABLE', async (_what, content, problem) => {
    const outcome = await check(content())
    expect(outcome).toMatch(
      /^CREDENTIAL_KEY_UNUSABLE: The private key in the file that PLATFORM_CLIENT_CERTIFICATE_PATH names /,
    )
    expect(outcome).toMatch(problem)
  })

  test('in PKCS #12 is CREDENTIAL_FILE_UNREADABLE, with the command that converts it', async () => {
    const [pem, pfx] = [write('both.pem', certificate + key), write('client.pfx', '')]
    openssl('pkcs12', '-export', '-in', pem, '-out', pfx, '-passout', 'pass:example')
    const read = readValidCertificate({ certificatePath: pfx })
    await expect(read).rejects.toMatchObject({
      code: 'CREDENTIAL_FILE_UNREADABLE',
      evidence: { conversion: expect.stringMatching(/^It is in PKCS #12: convert it with "openssl pkcs12 /) as string },
    })
  })

  test('whose key a wrong password decrypts to a valid padding by chance is CERTIFICATE_PASSWORD_WRONG all the same', async () => {
    const cipher = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'right' } as const
    const encryptedKey = String(createPrivateKey(key).export(cipher))
    const codeFor = (passphrase: string) => {
      try {
        createPrivateKey({ key: encryptedKey, passphrase })
      } catch (error) {
        return (error as { readonly code?: string }).code
      }
      return undefined
    }
    // One of 256 passwords; without one of 10,000 the test says so.
    let count = 0
    while (codeFor(`wrong-${count}`) === 'ERR_OSSL_BAD_DECRYPT' && count < 10_000) count++
    expect(codeFor(`wrong-${count}`)).toBe('ERR_OSSL_UNSUPPORTED')
    expect(await check(`${certificate}${encryptedKey}`, `wrong-${count}`)).toMatch(/^CERTIFICATE_PASSWORD_WRONG/)
  })

  // Provider 3.1.2 has no 3DES, and 3.5 still decrypts with it.
  test.runIf(getFips() === 1)(
    'whose key is encrypted with 3DES is CREDENTIAL_KEY_UNUSABLE in FIPS mode where the provider cannot decrypt it',
    async () => {
      const convert = ['pkcs8', '-topk8', '-v2', 'des3', '-passout', 'pass:hunter2']
      const encryptedKey = openssl(...convert, '-in', write('plain.pem', key))
      const canDecrypt = (() => {
        try {
          return createPrivateKey({ key: encryptedKey, passphrase: 'hunter2' }).type === 'private'
        } catch {
          return false
        }
      })()
      expect(await check(`${certificate}${encryptedKey}`, 'hunter2')).toMatch(
        canDecrypt ? /^read$/ : /^CREDENTIAL_KEY_UNUSABLE: .* in FIPS mode /,
      )
    },
  )
})

const encode = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
const explained = (claims: object) =>
  explainRejectedAssertion(new ServiceError('CLIENT_ASSERTION_REJECTED', 'Rejected'), () =>
    Promise.resolve(`h.${encode(claims)}.s`),
  )

describe('The error of a rejected federated token', () => {
  test.each([
    ['an expired token has its time', 1_000_000_000, '2001-09-09T01:46:40.000Z'],
    ['a time that no calendar has is omitted', -1e300, undefined],
  ])('%s', async (_what, exp, expiredAt) => {
    const { code, evidence } = await explained({ iss: 'https://issuer.test/', exp })
    expect([code, evidence?.['assertionIssuer'], evidence?.['assertionExpiredAt']]).toEqual([
      'CLIENT_ASSERTION_REJECTED',
      'https://issuer.test/',
      expiredAt,
    ])
  })
})
