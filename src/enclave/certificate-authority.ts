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

export type Keys = webcrypto.CryptoKeyPair

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
}

/** A certificate that may sign others. */
export interface Signer {
  readonly certificate: X509Certificate
  readonly key: webcrypto.CryptoKey
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const day = 24 * 60 * 60 * 1000

async function issueCertificate(issuer: Signer, request: CertificateRequest): Promise<IssuedCertificate> {
  const keys = request.keys ?? (await generateKeys())
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${request.commonName}`,
    issuer: issuer.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: issuer.key,
    ...validity(request.notBefore, request.notAfter),
    signingAlgorithm: ecdsa,
    extensions: [...endEntity(request.usage, request.names ?? []), ...(await keyIdentifiers(issuer, keys))],
  })
  const certificatePem = pemOf(certificate)
  return {
    certificatePem,
    chainPem: certificatePem + pemOf(issuer.certificate),
    privateKeyPem: await privateKeyPemOf(keys.privateKey),
  }
}

/** A server certificate signed by its own key, as a newly installed host has. */
export async function createSelfSignedCertificate(names: readonly string[]): Promise<IssuedCertificate> {
  const keys = await generateKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${names[0] ?? 'localhost'}`,
    keys,
    ...validity(),
    signingAlgorithm: ecdsa,
    extensions: [...endEntity('server', names), await SubjectKeyIdentifierExtension.create(keys.publicKey)],
  })
  const certificatePem = pemOf(certificate)
  return { certificatePem, chainPem: certificatePem, privateKeyPem: await privateKeyPemOf(keys.privateKey) }
}

function generateKeys(): Promise<Keys> {
  return webcrypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
}

async function keyIdentifiers(issuer: Signer, keys: Keys): Promise<Extension[]> {
  return [
    await SubjectKeyIdentifierExtension.create(keys.publicKey),
    await AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey),
  ]
}

function validity(notBefore?: Date, notAfter?: Date): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: notBefore ?? new Date(Date.now() - day / 24),
    notAfter: notAfter ?? new Date(Date.now() + 365 * day),
  }
}

async function privateKeyPemOf(key: webcrypto.CryptoKey): Promise<string> {
  return `${PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), PemConverter.PrivateKeyTag)}\n`
}

function pemOf(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`
}

function endEntity(usage: 'server' | 'client', names: readonly string[]): Extension[] {
  const purpose = usage === 'server' ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth
  const alternatives = names.map((value) => ({ type: isAddress(value) ? ('ip' as const) : ('dns' as const), value }))
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([purpose]),
    ...(alternatives.length > 0 ? [new SubjectAlternativeNameExtension(alternatives)] : []),
  ]
}

function isAddress(name: string): boolean {
  return /^[\d.]+$|:/.test(name)
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
export async function createCertificateAuthority(
  options: CertificateAuthorityOptions = {},
): Promise<CertificateAuthority> {
  const root = options.from ? await loadSigner(options.from) : await createRoot(options.commonName ?? 'Enclave Root')
  const intermediate = await createIntermediate(root)
  return {
    certificatePem: pemOf(root.certificate),
    privateKeyPem: await privateKeyPemOf(root.key),
    issue: (request) => issueCertificate(intermediate, request),
  }
}

async function createRoot(commonName: string): Promise<Signer> {
  const keys = await generateKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    keys,
    ...validity(),
    signingAlgorithm: ecdsa,
    extensions: [...authority(), await SubjectKeyIdentifierExtension.create(keys.publicKey)],
  })
  return { certificate, key: keys.privateKey }
}

async function createIntermediate(root: Signer): Promise<Signer> {
  const keys = await generateKeys()
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=Enclave Issuing Authority',
    issuer: root.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: root.key,
    ...validity(),
    signingAlgorithm: ecdsa,
    extensions: [...authority(0), ...(await keyIdentifiers(root, keys))],
  })
  return { certificate, key: keys.privateKey }
}

async function loadSigner(pems: { certificatePem: string; privateKeyPem: string }): Promise<Signer> {
  const [der] = PemConverter.decode(pems.privateKeyPem)
  if (der === undefined) throw new Error('The private key of the certificate authority is not a PEM.')
  const key = await webcrypto.subtle.importKey('pkcs8', der, ecdsa, true, ['sign'])
  return { certificate: new X509Certificate(pems.certificatePem), key }
}

function authority(pathLength?: number): Extension[] {
  return [
    new BasicConstraintsExtension(true, pathLength, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
  ]
}
