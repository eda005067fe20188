import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  type Extension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
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

export const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const day = 24 * 60 * 60 * 1000

export async function issueCertificate(issuer: Signer, request: CertificateRequest): Promise<IssuedCertificate> {
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

export function generateKeys(): Promise<Keys> {
  return webcrypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
}

export async function keyIdentifiers(issuer: Signer, keys: Keys): Promise<Extension[]> {
  return [
    await SubjectKeyIdentifierExtension.create(keys.publicKey),
    await AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey),
  ]
}

export function validity(notBefore?: Date, notAfter?: Date): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: notBefore ?? new Date(Date.now() - day / 24),
    notAfter: notAfter ?? new Date(Date.now() + 365 * day),
  }
}

export async function privateKeyPemOf(key: webcrypto.CryptoKey): Promise<string> {
  return `${PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), PemConverter.PrivateKeyTag)}\n`
}

export function pemOf(certificate: X509Certificate): string {
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
