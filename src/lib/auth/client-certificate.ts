import type { KeyObject, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { beginOf, builtinModule, conversionHint, endOf } from '../base/certificates.ts'
import { errorCode, readRegularFile } from '../base/files.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import {
  describeFile,
  readCredentialFile,
  readSecret,
  type SecretSource,
  type SettingFile,
  unusableFile,
} from './credential-file.ts'

/** A server that plans a credential needs no cryptography. */
const crypto = () => builtinModule('node:crypto')

/** A certificate with its private key. */
export interface ClientCertificate {
  readonly certificate: X509Certificate
  readonly key: KeyObject
}

/** @throws {ServiceError} `CREDENTIAL_FILE_UNREADABLE`, `CERTIFICATE_PASSWORD_WRONG` or `CREDENTIAL_KEY_UNUSABLE`. */
async function readCertificate(file: SettingFile, password: string | undefined): Promise<ClientCertificate> {
  const pem = await readCredentialFile(file)
  let certificate: X509Certificate
  try {
    certificate = new (crypto().X509Certificate)(pem)
  } catch (error) {
    const conversion = conversionHint(readRegularFile(file.path, 1024 * 1024), `"$${file.setting}"`, 'both')
    throw unusableFile(file, 'contains no PEM certificate', { cause: error, conversion })
  }
  const key = readKey(pem, password, file)
  // This check comes first: in FIPS mode OpenSSL mistakes a key of an unknown type for another key.
  if (key.asymmetricKeyType !== 'rsa') {
    const problem = `is of type ${key.asymmetricKeyType ?? 'unknown'}, and a login authority takes RSA keys only`
    throw keyError(file, 'CREDENTIAL_KEY_UNUSABLE', problem)
  }
  if (!certificate.checkPrivateKey(key))
    throw unusableFile(file, 'contains a private key that belongs to another certificate')
  return { certificate, key }
}

/** An application proves its identity with a certificate. */
export interface CertificateProof {
  /** PEM file with the certificate and its private key. */
  readonly certificateFile: SettingFile
  readonly certificatePassword?: SecretSource
}

/** The last certificate that was valid, for each source. */
const inForce = new WeakMap<CertificateProof, ClientCertificate>()

/** Uses a renewed certificate as soon as it is valid, and the previous certificate until then. @throws As {@link readCertificate}. */
export async function readValidCertificate(source: CertificateProof): Promise<ClientCertificate> {
  const { certificateFile, certificatePassword: password } = source
  const read = await readCertificate(certificateFile, password && (await readSecret(password)))
  const before = inForce.get(source)
  const isTooEarly = beginOf(read.certificate) > Date.now()
  if (isTooEarly && before !== undefined && endOf(before.certificate) > Date.now()) return before
  if (!isTooEarly) inForce.set(source, read)
  return read
}

const passwordVariable = 'PLATFORM_CLIENT_CERTIFICATE_PASSWORD'

function readKey(pem: string, password: string | undefined, file: SettingFile): KeyObject {
  const encrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(pem)
  if (encrypted && password === undefined) {
    throw keyError(file, 'CERTIFICATE_PASSWORD_WRONG', `is protected by a password, and ${passwordVariable} is not set`)
  }
  try {
    return crypto().createPrivateKey({ key: pem, ...(password === undefined ? {} : { passphrase: password }) })
  } catch (error) {
    if (errorCode(error) === 'ERR_OSSL_EVP_UNSUPPORTED') {
      // 3DES, an MD5 derivation or scrypt in FIPS mode; PBE-MD5-DES in any mode.
      const openssl = `OpenSSL ${process.versions.openssl ?? ''}${crypto().getFips() === 1 ? ' in FIPS mode' : ''}`
      throw keyError(file, 'CREDENTIAL_KEY_UNUSABLE', `is in a format that ${openssl} does not support`, error)
    }
    // A wrong password gives an invalid padding, or by chance (1 of 300) a valid one and an invalid structure: ERR_OSSL_UNSUPPORTED.
    if (encrypted && decryptErrors.test(errorCode(error) ?? '')) {
      throw keyError(file, 'CERTIFICATE_PASSWORD_WRONG', `is not opened by ${passwordVariable}`, error)
    }
    throw unusableFile(file, 'contains no usable private key in PEM form', { cause: error })
  }
}

const decryptErrors =
  /BAD_DECRYPT|PKCS12|INTERRUPTED_OR_CANCELLED|BAD_PASSWORD|ASN1|WRONG_TAG|DECODE|^ERR_OSSL_UNSUPPORTED$/i

function keyError(file: SettingFile, code: ErrorCode, problem: string, cause?: unknown): ServiceError {
  const evidence = code === 'CREDENTIAL_KEY_UNUSABLE' ? { problem, fips: crypto().getFips() === 1 ? 'on' : 'off' } : {}
  return new ServiceError(code, `The private key in ${describeFile(file)} ${problem}`, { cause, evidence })
}

/** Adds the date to the error of a rejected certificate that has expired or isn't valid yet. */
export async function explainCertificateDates(error: ServiceError, file: SettingFile): Promise<ServiceError> {
  try {
    const certificate = new (crypto().X509Certificate)(await readCredentialFile(file))
    const validTo = new Date(endOf(certificate)).toISOString()
    const validFrom = new Date(beginOf(certificate)).toISOString()
    const now = new Date().toISOString()
    if (validTo <= now) return error.again({ note: `the certificate expired at ${validTo}`, evidence: { validTo } })
    if (validFrom <= now) return error
    return error.again({ note: `the certificate is not valid before ${validFrom}`, evidence: { validFrom } })
  } catch {
    // Without its file, the error stays unchanged.
    return error
  }
}

/**
 * The callback of a `ClientAssertionCredential`. It signs with a certificate. Fault: `ClientCertificateCredential` signs with `createSign`, which
 * sets the padding before the digest. In FIPS mode, OpenSSL refuses that (ERR_OSSL_DIGEST_NOT_ALLOWED). Header and claims are the same.
 */
export function certificateAssertion(clientId: string, read: () => Promise<ClientCertificate>): () => Promise<string> {
  const assertion = async ({ tokenEndpoint }: { readonly tokenEndpoint?: string }) => {
    // msal-node calls without the endpoint first. Once it knows the endpoint, it calls the function that the first call returned.
    if (tokenEndpoint === undefined) return assertion as unknown as string
    return signAssertion(await read(), clientId, tokenEndpoint)
  }
  return assertion as () => Promise<string>
}

/** A client assertion (RFC 7523) in the format of https://learn.microsoft.com/entra/identity-platform/certificate-credentials. */
async function signAssertion({ certificate, key }: ClientCertificate, clientId: string, aud: string): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000)
  const { constants, createHash, randomUUID, sign } = crypto()
  const thumbprint = createHash('sha256').update(certificate.raw).digest('base64url')
  const header = { alg: 'PS256', typ: 'JWT', 'x5t#S256': thumbprint }
  // Valid for 10 minutes, as in msal-node.
  const times = { exp: issuedAt + 600, nbf: issuedAt, iat: issuedAt }
  const claims = { aud, iss: clientId, sub: clientId, ...times, jti: randomUUID() }
  const content = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  // On the thread pool: a signature takes milliseconds.
  const signature = await promisify(sign)('sha256', Buffer.from(content), { key, ...padding }).catch(refusedKey)
  return `${content}.${signature.toString('base64url')}`
}

/** OpenSSL refuses a key only when it signs, for example an RSA key of 1024 bits in FIPS mode. */
function refusedKey(error: unknown): never {
  const evidence = { errorCode: errorCode(error) ?? 'no code', fips: crypto().getFips() === 1 ? 'on' : 'off' }
  const message = `OpenSSL refused to sign with the private key of PLATFORM_CLIENT_CERTIFICATE_PATH (${evidence.errorCode}, FIPS mode ${evidence.fips})`
  throw new ServiceError('CREDENTIAL_KEY_UNUSABLE', message, { cause: error, evidence })
}
