import 'reflect-metadata'
import { getFips, webcrypto } from 'node:crypto'
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

/** What makes an intermediate authority weak. */
export type Weakness = 'SHA-1' | '1024 bits'

/** Why no weak chain can be made here, or `undefined`. */
export const refusalOfWeakChains = getFips() === 1 ? 'OpenSSL in FIPS mode makes no weak signature' : undefined

/** The digest of a signature is that of its key. */
async function withSha1(key: webcrypto.CryptoKey): Promise<webcrypto.CryptoKey> {
  const bytes = await webcrypto.subtle.exportKey('pkcs8', key)
  return webcrypto.subtle.importKey('pkcs8', bytes, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-1' }, false, ['sign'])
}

/** A server certificate for 127.0.0.1 beneath an intermediate authority with one weakness. The root is without fault. */
export async function issueWeakChain(weakness: Weakness) {
  const rsa = {
    name: 'RSASSA-PKCS1-v1_5',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
    hash: 'SHA-256',
  }
  const weakRsa = weakness === 'SHA-1' ? rsa : { ...rsa, modulusLength: 1024 }
  const generate = (algorithm: typeof rsa) => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const [root, middle, leaf] = await Promise.all([generate(rsa), generate(weakRsa), generate(rsa)])
  const validity = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 90 * 86_400_000) }
  const authority = [new BasicConstraintsExtension(true, undefined, true)]
  const rootCertificate = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: 'CN=Root',
    keys: root,
    signingAlgorithm: rsa,
    extensions: authority,
  })
  const middleCertificate = await X509CertificateGenerator.create({
    ...validity,
    subject: 'CN=Weak Authority',
    issuer: 'CN=Root',
    publicKey: middle.publicKey,
    signingKey: weakness === 'SHA-1' ? await withSha1(root.privateKey) : root.privateKey,
    signingAlgorithm: rsa,
    extensions: authority,
  })
  const certificate = await X509CertificateGenerator.create({
    ...validity,
    subject: 'CN=host',
    issuer: 'CN=Weak Authority',
    publicKey: leaf.publicKey,
    signingKey: middle.privateKey,
    signingAlgorithm: rsa,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', leaf.privateKey)
  const pem =
    Buffer.from(key)
      .toString('base64')
      .match(/.{1,64}/g)
      ?.join('\n') ?? ''
  return {
    rootPem: rootCertificate.toString('pem'),
    chainPem: `${certificate.toString('pem')}\n${middleCertificate.toString('pem')}\n`,
    privateKeyPem: `-----BEGIN PRIVATE KEY-----\n${pem}\n-----END PRIVATE KEY-----\n`,
  }
}
