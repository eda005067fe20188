import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

export interface IssuedCertificate {
  readonly certificatePem: string
  /** The certificate, and the intermediate that signed it. A server sends both. */
  readonly chainPem: string
  /** PKCS #8. */
  readonly privateKeyPem: string
}

export interface CertificateRequest {
  readonly commonName: string
  readonly usage: 'server' | 'client'
  /** DNS names and IP addresses of a server. */
  readonly names?: readonly string[]
  /** Default is an hour ago, so that a client with a slow clock accepts the certificate. */
  readonly notBefore?: Date
  /** Default is in a year. */
  readonly notAfter?: Date
  /** Default is a new P-256 pair. */
  readonly keys?: webcrypto.CryptoKeyPair
  /** Whether the certificate is signed by its own key, as on a newly installed host. Default is false. */
  readonly selfSigned?: boolean
}

/** A private root, and an intermediate that signs every certificate. */
export interface CertificateAuthority {
  /** The root, which clients must trust. */
  readonly certificatePem: string
  issue(request: CertificateRequest): Promise<IssuedCertificate>
}

export async function createCertificateAuthority({ commonName = 'Enclave Root' } = {}): Promise<CertificateAuthority> {
  const root = await sign({ commonName, extensions: authority() })
  const intermediate = await sign({ commonName: 'Enclave Issuing Authority', extensions: authority(0) }, root)
  return {
    certificatePem: pemOf(root.certificate),
    issue: async (request) => {
      const issuer = request.selfSigned ? undefined : intermediate
      const { certificate, key } = await sign({ ...request, extensions: endEntity(request) }, issuer)
      const certificatePem = pemOf(certificate)
      const privateKey = await webcrypto.subtle.exportKey('pkcs8', key)
      return {
        certificatePem,
        chainPem: certificatePem + (issuer === undefined ? '' : pemOf(issuer.certificate)),
        privateKeyPem: `${x509.PemConverter.encode(privateKey, x509.PemConverter.PrivateKeyTag)}\n`,
      }
    },
  }
}

interface Signer {
  readonly certificate: x509.X509Certificate
  readonly key: webcrypto.CryptoKey
}

interface Unsigned extends Pick<CertificateRequest, 'commonName' | 'notBefore' | 'notAfter' | 'keys'> {
  readonly extensions: readonly x509.Extension[]
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const hour = 60 * 60 * 1000

/** Without an issuer, the certificate is self-signed. */
async function sign({ commonName, extensions, ...request }: Unsigned, issuer?: Signer): Promise<Signer> {
  const keys = request.keys ?? (await webcrypto.subtle.generateKey(ecdsa, true, ['sign', 'verify']))
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${commonName}`,
    issuer: issuer?.certificate.subject ?? `CN=${commonName}`,
    publicKey: keys.publicKey,
    signingKey: issuer?.key ?? keys.privateKey,
    notBefore: request.notBefore ?? new Date(Date.now() - hour),
    notAfter: request.notAfter ?? new Date(Date.now() + 365 * 24 * hour),
    signingAlgorithm: { ...ecdsa, ...(issuer?.key ?? keys.privateKey).algorithm },
    extensions: [
      ...extensions,
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(issuer ? [await x509.AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey)] : []),
    ],
  })
  return { certificate, key: keys.privateKey }
}

function pemOf(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`
}

function endEntity({ usage, names = [] }: CertificateRequest): x509.Extension[] {
  const isAddress = (name: string) => /^[\d.]+$|:/.test(name)
  const alternatives = names.map((value) => ({ type: isAddress(value) ? ('ip' as const) : ('dns' as const), value }))
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([
      usage === 'server' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth,
    ]),
    ...(alternatives.length > 0 ? [new x509.SubjectAlternativeNameExtension(alternatives)] : []),
  ]
}

function authority(pathLength?: number): x509.Extension[] {
  return [
    new x509.BasicConstraintsExtension(true, pathLength, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
  ]
}
