import 'reflect-metadata'
import { getFips, webcrypto } from 'node:crypto'
import { BasicConstraintsExtension, Extension } from '@peculiar/x509'
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

/** What is wrong with a chain whose root is trusted and without fault. */
export type ChainFault = 'SHA-1' | '1024 bits' | 'name constraint' | 'expired issuer' | 'no alternative name'

/** Why no weak chain can be made here, or `undefined`. */
export const refusalOfWeakChains = getFips() === 1 ? 'OpenSSL in FIPS mode makes no weak signature' : undefined

/** Whether Node takes RSA with 1024 bits by default: before Node 24 it uses security level 1 of OpenSSL. */
export const takesShortKeys = getFips() === 0 && Number.parseInt(process.versions.node, 10) < 24

const day = 86_400_000
const elliptic = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const publicExponent = new Uint8Array([1, 0, 1])
const rsa = { name: 'RSASSA-PKCS1-v1_5', publicExponent, modulusLength: 2048, hash: 'SHA-256' }

/** `permitted;IP:10.0.0.0/8` in DER (RFC 5280, 4.2.1.10). */
const onlyTenNetwork = new Extension('2.5.29.30', true, Buffer.from('300ea00c300a87080a000000ff000000', 'hex'))

/** A signature has the digest of its key. */
async function withSha1(key: webcrypto.CryptoKey): Promise<webcrypto.CryptoKey> {
  const bytes = await webcrypto.subtle.exportKey('pkcs8', key)
  return webcrypto.subtle.importKey('pkcs8', bytes, { name: rsa.name, hash: 'SHA-1' }, false, ['sign'])
}

/** A server certificate for 127.0.0.1 beneath the intermediate authority "Middle", with one fault. */
export async function issueFaultyChain(fault: ChainFault) {
  const algorithm = fault === 'SHA-1' || fault === '1024 bits' ? rsa : elliptic
  const generate = (more = {}) => webcrypto.subtle.generateKey({ ...algorithm, ...more }, true, ['sign', 'verify'])
  const weak = fault === '1024 bits' ? { modulusLength: 1024 } : {}
  const [root, middle, leaf] = await Promise.all([generate(), generate(weak), generate()])
  const validity = { notBefore: new Date(Date.now() - 30 * day), notAfter: new Date(Date.now() + 90 * day) }
  const authority = new BasicConstraintsExtension(true, undefined, true)
  const signed = { ...validity, signingAlgorithm: algorithm }
  const ofRoot = { ...signed, name: 'CN=Root', keys: root, extensions: [authority] }
  const rootCertificate = await X509CertificateGenerator.createSelfSigned(ofRoot)
  const middleCertificate = await X509CertificateGenerator.create({
    ...signed,
    ...(fault === 'expired issuer' ? { notAfter: new Date(Date.now() - 2 * day) } : {}),
    subject: 'CN=Middle',
    issuer: 'CN=Root',
    publicKey: middle.publicKey,
    signingKey: fault === 'SHA-1' ? await withSha1(root.privateKey) : root.privateKey,
    extensions: [authority, ...(fault === 'name constraint' ? [onlyTenNetwork] : [])],
  })
  const names = new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])
  const certificate = await X509CertificateGenerator.create({
    ...signed,
    subject: 'CN=127.0.0.1',
    issuer: 'CN=Middle',
    publicKey: leaf.publicKey,
    signingKey: middle.privateKey,
    extensions: fault === 'no alternative name' ? [] : [names],
  })
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', leaf.privateKey)).toString('base64')
  return {
    rootPem: rootCertificate.toString('pem'),
    chainPem: `${certificate.toString('pem')}\n${middleCertificate.toString('pem')}\n`,
    privateKeyPem: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`,
  }
}
