import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

const algorithms = {
  'P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RSA: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048 },
}

interface CertificateOptions {
  readonly validFrom?: Date
  readonly validTo?: Date
  readonly type?: 'P-256' | 'RSA'
}
export const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000)

/** A server certificate signed by its own key, for localhost, and its key: both PEM. */
export async function issueCertificate(
  commonName: string,
  { validFrom = daysFromNow(-2), validTo = daysFromNow(1), type = 'P-256' }: CertificateOptions = {},
): Promise<{ readonly certificate: string; readonly key: string }> {
  const algorithm = algorithms[type]
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    keys,
    notBefore: validFrom,
    notAfter: validTo,
    signingAlgorithm: algorithm,
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  })
  const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
  return { certificate: `${certificate.toString('pem')}\n`, key: `${key}\n` }
}
