import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { errorCode } from '../base/error-code.ts'
import { ServiceError } from '../errors.ts'
import { readCredentialFile, unusableFile } from './read-credential-file.ts'

const variable = 'PLATFORM_CLIENT_CERTIFICATE_PATH'
const passwordVariable = 'PLATFORM_CLIENT_CERTIFICATE_PASSWORD'

/** A certificate with its private key, as the credential library takes it. */
export interface CertificateSource {
  readonly certificate: string
  readonly certificatePassword?: string
}

/**
 * Reads the PEM file of a client certificate, and tells apart what can be wrong with it: the library has one text for all.
 *
 * @throws {ServiceError} `CREDENTIAL_FILE_UNREADABLE` for a file that is missing or not what it should be, `CERTIFICATE_PASSWORD_WRONG`
 * for a key that the password does not open.
 */
export async function readCertificate(path: string, password: string | undefined): Promise<CertificateSource> {
  const certificate = await readCredentialFile(path, variable)
  const leaf = parse(() => new X509Certificate(certificate), 'holds no PEM certificate')
  const key = readKey(certificate, password)
  if (!leaf.checkPrivateKey(key)) throw unusable('holds a private key that belongs to another certificate')
  return { certificate, ...(password === undefined ? {} : { certificatePassword: password }) }
}

function readKey(pem: string, password: string | undefined): KeyObject {
  const encrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(pem)
  if (encrypted && password === undefined) {
    throw wrongPassword(`is protected by a password, and ${passwordVariable} is not set`)
  }
  try {
    return createPrivateKey({ key: pem, ...(password === undefined ? {} : { passphrase: password }) })
  } catch (error) {
    if (encrypted && isDecryptError(error)) throw wrongPassword(`is not opened by ${passwordVariable}`, error)
    throw unusable('holds no usable private key in PEM form', error)
  }
}

/** A wrong password makes the padding wrong, or by chance a structure that is none. */
function isDecryptError(error: unknown): boolean {
  const code = errorCode(error) ?? ''
  return /BAD_DECRYPT|PKCS12|INTERRUPTED_OR_CANCELLED|BAD_PASSWORD|ASN1|WRONG_TAG|DECODE/i.test(code)
}

function parse<T>(read: () => T, problem: string): T {
  try {
    return read()
  } catch (error) {
    throw unusable(problem, error)
  }
}

const unusable = (problem: string, cause?: unknown): ServiceError => unusableFile(variable, problem, cause)

function wrongPassword(problem: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'CERTIFICATE_PASSWORD_WRONG',
    `The private key in the file that ${variable} names ${problem}`,
    {
      cause,
    },
  )
}
