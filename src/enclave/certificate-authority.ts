import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

type Keys = webcrypto.CryptoKeyPair

/** A certificate with its key. */
export interface IssuedCertificate {
  readonly certificatePem: string
  /** The certificate followed by the intermediate that signed it, as a server must send them. */
  readonly chainPem: string
  /** PKCS #8. */
  readonly privateKeyPem: string
}

export interface CertificateRequest {
  readonly commonName: string
  readonly usage: 'server' | 'client'
  /** DNS names and IP addresses of a server. */
  readonly names?: readonly string[]
  /** Default is an hour ago, so that a client whose clock is a little behind accepts it. */
  readonly notBefore?: Date
  /** Default is in a year. */
  readonly notAfter?: Date
  /** Default is a new P-256 pair. */
  readonly keys?: Keys
  /** Whether its own key signs it, as that of a newly installed host. Default is false. */
  readonly selfSigned?: boolean
}

/** A private root with one intermediate beneath it, which signs every certificate. */
export interface CertificateAuthority {
  /** The root: the one certificate a client must trust. */
  readonly certificatePem: string
  /** The root's key, so that another process can load the same authority. PKCS #8. */
  readonly privateKeyPem: string
  issue(request: CertificateRequest): Promise<IssuedCertificate>
}

export interface CertificateAuthorityOptions {
  /** Common name of a new root. Default is `Enclave Root`. */
  readonly commonName?: string
  /** Loads an existing root instead of making one. The intermediate is made anew: servers send it. */
  readonly from?: { readonly certificatePem: string; readonly privateKeyPem: string }
}

/**
 * Makes a private certificate authority (P-256), or loads one from its PEMs.
 *
 * @throws {Error} If `from` is not a certificate and a PKCS #8 P-256 key.
 */
export async function createCertificateAuthority({
  commonName = 'Enclave Root',
  from,
}: CertificateAuthorityOptions = {}): Promise<CertificateAuthority> {
  const root = from ? await loadSigner(from) : await sign({ subject: commonName, extensions: authority() })
  const intermediate = await sign({ subject: 'Enclave Issuing Authority', issuer: root, extensions: authority(0) })
  return {
    certificatePem: pemOf(root.certificate),
    privateKeyPem: await privateKeyPemOf(root.key),
    issue: async ({ commonName: subject, usage, names = [], selfSigned = false, ...request }) => {
      const issuer = selfSigned ? undefined : intermediate
      const { certificate, key } = await sign({ ...request, subject, issuer, extensions: endEntity(usage, names) })
      const certificatePem = pemOf(certificate)
      const chainPem = certificatePem + (issuer === undefined ? '' : pemOf(issuer.certificate))
      return { certificatePem, chainPem, privateKeyPem: await privateKeyPemOf(key) }
    },
  }
}

/** A certificate with its key, which may sign others. */
interface Signer {
  readonly certificate: X509Certificate
  readonly key: webcrypto.CryptoKey
}

interface Unsigned extends Pick<CertificateRequest, 'notBefore' | 'notAfter' | 'keys'> {
  readonly subject: string
  /** Default is the certificate itself. */
  readonly issuer?: Signer | undefined
  readonly extensions: readonly Extension[]
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const hour = 60 * 60 * 1000

async function sign({ subject, issuer, extensions, ...request }: Unsigned): Promise<Signer> {
  const keys = request.keys ?? (await webcrypto.subtle.generateKey(ecdsa, true, ['sign', 'verify']))
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${subject}`,
    issuer: issuer?.certificate.subject ?? `CN=${subject}`,
    publicKey: keys.publicKey,
    signingKey: issuer?.key ?? keys.privateKey,
    notBefore: request.notBefore ?? new Date(Date.now() - hour),
    notAfter: request.notAfter ?? new Date(Date.now() + 365 * 24 * hour),
    signingAlgorithm: ecdsa,
    extensions: [
      ...extensions,
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(issuer ? [await AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey)] : []),
    ],
  })
  return { certificate, key: keys.privateKey }
}

async function loadSigner(pems: { certificatePem: string; privateKeyPem: string }): Promise<Signer> {
  const [der] = PemConverter.decode(pems.privateKeyPem)
  if (der === undefined) throw new Error('The private key of the certificate authority is not a PEM.')
  const key = await webcrypto.subtle.importKey('pkcs8', der, ecdsa, true, ['sign'])
  return { certificate: new X509Certificate(pems.certificatePem), key }
}

async function privateKeyPemOf(key: webcrypto.CryptoKey): Promise<string> {
  return `${PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), PemConverter.PrivateKeyTag)}\n`
}

function pemOf(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`
}

function endEntity(usage: CertificateRequest['usage'], names: readonly string[]): Extension[] {
  const purpose = usage === 'server' ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth
  const isAddress = (name: string) => /^[\d.]+$|:/.test(name)
  const alternatives = names.map((value) => ({ type: isAddress(value) ? ('ip' as const) : ('dns' as const), value }))
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([purpose]),
    ...(alternatives.length > 0 ? [new SubjectAlternativeNameExtension(alternatives)] : []),
  ]
}

function authority(pathLength?: number): Extension[] {
  return [
    new BasicConstraintsExtension(true, pathLength, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
  ]
}
