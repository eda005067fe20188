import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** What is wrong with a chain whose signatures are strong and whose root is trusted. */
export type Violation = 'purpose' | 'name constraint' | 'path length' | 'expired issuer' | 'no alternative name'

const day = 86_400_000
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** `permitted;IP:10.0.0.0/8` in DER (RFC 5280, 4.2.1.10). */
const onlyTenNetwork = new Extension('2.5.29.30', true, Buffer.from('300ea00c300a87080a000000ff000000', 'hex'))

/** A server certificate for 127.0.0.1 beneath an intermediate authority, with one fault. */
export async function issueInvalidChain(violation: Violation) {
  const generate = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const [root, middle, leaf] = await Promise.all([generate(), generate(), generate()])
  const validity = { notBefore: new Date(Date.now() - 30 * day), notAfter: new Date(Date.now() + 90 * day) }
  const authority = (pathLength?: number) => new BasicConstraintsExtension(true, pathLength, true)
  const rootCertificate = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: 'CN=Root',
    keys: root,
    signingAlgorithm: algorithm,
    extensions: [authority(violation === 'path length' ? 0 : undefined)],
  })
  const middleCertificate = await X509CertificateGenerator.create({
    ...validity,
    ...(violation === 'expired issuer' ? { notAfter: new Date(Date.now() - 2 * day) } : {}),
    subject: 'CN=Middle',
    issuer: 'CN=Root',
    publicKey: middle.publicKey,
    signingKey: root.privateKey,
    signingAlgorithm: algorithm,
    extensions: [authority(), ...(violation === 'name constraint' ? [onlyTenNetwork] : [])],
  })
  const names = new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])
  const certificate = await X509CertificateGenerator.create({
    ...validity,
    subject: 'CN=127.0.0.1',
    issuer: 'CN=Middle',
    publicKey: leaf.publicKey,
    signingKey: middle.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      ...(violation === 'no alternative name' ? [] : [names]),
      ...(violation === 'purpose' ? [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])] : []),
    ],
  })
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', leaf.privateKey)).toString('base64')
  return {
    rootPem: rootCertificate.toString('pem'),
    chainPem: `${certificate.toString('pem')}\n${middleCertificate.toString('pem')}\n`,
    privateKeyPem: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`,
  }
}
