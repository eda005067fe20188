import { constants, createHash, getFips, randomUUID, sign, type KeyObject, type X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { errorCode } from '../../base/files.ts'
import { ServiceError } from '../../errors.ts'

/** A certificate with its private key. */
export interface ClientCertificate {
  readonly certificate: X509Certificate
  readonly key: KeyObject
}

/** The input that msal-node passes to the callback of a client assertion. */
interface AssertionRequest {
  readonly clientId: string
  readonly tokenEndpoint?: string
}

/** Seconds that an assertion is valid, as in msal-node. */
const lifetime = 600
/** On the thread pool: a signature takes milliseconds. */
const signAsync = promisify(sign)

/**
 * The callback of a `ClientAssertionCredential`. It signs with a certificate. Fault: `ClientCertificateCredential` signs with `createSign`, which
 * sets the padding before the digest. In FIPS mode, OpenSSL refuses that (ERR_OSSL_DIGEST_NOT_ALLOWED). Header and claims are the same.
 *
 * @param read Called for each assertion, so that a renewed certificate is used at once.
 */
export function certificateAssertion(clientId: string, read: () => Promise<ClientCertificate>): () => Promise<string> {
  const assertion = async ({ tokenEndpoint }: AssertionRequest) => {
    // msal-node calls without the endpoint first. Once it knows the endpoint, it calls the function that the first call returned.
    if (tokenEndpoint === undefined) return assertion as unknown as string
    return signAssertion(await read(), clientId, tokenEndpoint)
  }
  return assertion as () => Promise<string>
}

/** A client assertion (RFC 7523) in the format of https://learn.microsoft.com/entra/identity-platform/certificate-credentials. */
async function signAssertion(
  { certificate, key }: ClientCertificate,
  clientId: string,
  audience: string,
): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000)
  const thumbprint = createHash('sha256').update(certificate.raw).digest('base64url')
  const header = { alg: 'PS256', typ: 'JWT', 'x5t#S256': thumbprint }
  const claims = {
    aud: audience,
    exp: issuedAt + lifetime,
    iss: clientId,
    sub: clientId,
    nbf: issuedAt,
    iat: issuedAt,
    jti: randomUUID(),
  }
  const content = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  const signature = await signAsync('sha256', Buffer.from(content), { key, ...padding }).catch(refusedKey)
  return `${content}.${signature.toString('base64url')}`
}

/** OpenSSL refuses a key only when it signs, for example an RSA key of 1024 bits in FIPS mode. */
function refusedKey(error: unknown): never {
  const opensslCode = errorCode(error) ?? 'no code'
  const fips = getFips() === 1 ? 'on' : 'off'
  const message = `OpenSSL refused to sign with the private key of PLATFORM_CLIENT_CERTIFICATE_PATH (${opensslCode}, FIPS mode ${fips})`
  throw new ServiceError('CREDENTIAL_KEY_UNUSABLE', message, {
    cause: error,
    evidence: { errorCode: opensslCode, fips },
  })
}
