import { createPrivateKey, getFips, X509Certificate, type KeyObject } from 'node:crypto'
import { beginOf, conversionHint, endOf } from '../base/certificates.ts'
import { errorCode, readRegularFile } from '../base/files.ts'
import { ServiceError } from '../errors.ts'
import { readCredentialFile, readSecret, type SecretSource, unusableFile } from './credential-file.ts'
import type { ClientCertificate } from './library/certificate-assertion.ts'

const variable = 'PLATFORM_CLIENT_CERTIFICATE_PATH'
const passwordVariable = 'PLATFORM_CLIENT_CERTIFICATE_PASSWORD'

/**
 * Reads the PEM file of a client certificate and its private key.
 *
 * @throws {ServiceError} `CREDENTIAL_FILE_UNREADABLE` for a file that is missing or invalid, `CERTIFICATE_PASSWORD_WRONG`
 * for a key that the password doesn't decrypt, `CREDENTIAL_KEY_UNUSABLE` for a key that this OpenSSL or the login authority doesn't accept.
 */
async function readCertificate(path: string, password: string | undefined): Promise<ClientCertificate> {
  const pem = await readCredentialFile(path, variable)
  const certificate = parseCertificate(pem, path)
  const key = readKey(pem, password)
  // This check comes first: in FIPS mode OpenSSL mistakes a key of an unknown type for another key.
  if (key.asymmetricKeyType !== 'rsa') {
    throw unusableKey(`is of type ${key.asymmetricKeyType ?? 'unknown'}, and a login authority takes RSA keys only`)
  }
  if (!certificate.checkPrivateKey(key)) throw unusable('holds a private key that belongs to another certificate')
  return { certificate, key }
}

/** Where a certificate and the password of its key come from. */
interface CertificateSource {
  readonly certificatePath: string
  readonly certificatePassword?: SecretSource
}

/** The last certificate that was valid, for each source. */
const inForce = new WeakMap<CertificateSource, ClientCertificate>()

/** Uses a renewed certificate as soon as it is valid, and the previous certificate until then. @throws As {@link readCertificate}. */
export async function readValidCertificate(source: CertificateSource): Promise<ClientCertificate> {
  const { certificatePath, certificatePassword: password } = source
  const read = await readCertificate(certificatePath, password && (await readSecret(password)))
  const before = inForce.get(source)
  const isTooEarly = beginOf(read.certificate) > Date.now()
  if (isTooEarly && before !== undefined && endOf(before.certificate) > Date.now()) return before
  if (!isTooEarly) inForce.set(source, read)
  return read
}

function readKey(pem: string, password: string | undefined): KeyObject {
  const encrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(pem)
  if (encrypted && password === undefined) {
    throw wrongPassword(`is protected by a password, and ${passwordVariable} is not set`)
  }
  try {
    return createPrivateKey({ key: pem, ...(password === undefined ? {} : { passphrase: password }) })
  } catch (error) {
    if (errorCode(error) === 'ERR_OSSL_EVP_UNSUPPORTED') {
      // 3DES, an MD5 derivation or scrypt in FIPS mode; PBE-MD5-DES in any mode.
      const openssl = `OpenSSL ${process.versions.openssl ?? ''}${getFips() === 1 ? ' in FIPS mode' : ''}`
      throw unusableKey(`is in a format that ${openssl} does not support`, error)
    }
    if (encrypted && isDecryptError(error)) throw wrongPassword(`is not opened by ${passwordVariable}`, error)
    throw unusable('holds no usable private key in PEM form', error)
  }
}

/** A wrong password gives an invalid padding, or by chance (1 of 300) a valid one and an invalid structure: ERR_OSSL_UNSUPPORTED. */
function isDecryptError(error: unknown): boolean {
  const code = errorCode(error) ?? ''
  return /BAD_DECRYPT|PKCS12|INTERRUPTED_OR_CANCELLED|BAD_PASSWORD|ASN1|WRONG_TAG|DECODE|^ERR_OSSL_UNSUPPORTED$/i.test(
    code,
  )
}

function parseCertificate(pem: string, path: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (error) {
    const conversion = conversionHint(readRegularFile(path, 1024 * 1024), `"$${variable}"`, 'both')
    throw unusableFile(variable, 'holds no PEM certificate', error, conversion)
  }
}

function unusableKey(problem: string, cause?: unknown): ServiceError {
  const evidence = { problem, fips: getFips() === 1 ? 'on' : 'off' }
  return new ServiceError('CREDENTIAL_KEY_UNUSABLE', `The private key in the file that ${variable} names ${problem}`, {
    cause,
    evidence,
  })
}

const unusable = (problem: string, cause?: unknown): ServiceError => unusableFile(variable, problem, cause)

function wrongPassword(problem: string, cause?: unknown): ServiceError {
  const message = `The private key in the file that ${variable} names ${problem}`
  return new ServiceError('CERTIFICATE_PASSWORD_WRONG', message, { cause })
}

/** Adds the date to the error of a rejected certificate that has expired or isn't valid yet. Without its file, the error stays unchanged. */
export async function explainCertificateDates(error: ServiceError, path: string): Promise<ServiceError> {
  if (error.code !== 'CLIENT_ASSERTION_REJECTED') return error
  try {
    const certificate = new X509Certificate(await readCredentialFile(path, variable))
    const [begin, end] = [beginOf(certificate), endOf(certificate)]
    if (end <= Date.now()) return withDate(error, 'certificateExpiredAt', end, 'the certificate expired at')
    if (begin > Date.now()) return withDate(error, 'certificateValidFrom', begin, 'the certificate is not valid before')
    return error
  } catch {
    return error
  }
}

function withDate(error: ServiceError, name: string, time: number, phrase: string): ServiceError {
  const date = new Date(time).toISOString()
  return new ServiceError(error.code, `${error.message}; ${phrase} ${date}`, {
    cause: error.cause,
    evidence: { ...error.evidence, [name]: date },
  })
}
