import { webcrypto } from 'node:crypto'
import { createCertificateAuthority } from 'cloud-profile-enclave/enclave'

const algorithms = {
  'P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RSA: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048 },
}

type CertificateOptions = Partial<Record<'validFrom' | 'validTo', Date>> & { readonly type?: keyof typeof algorithms }
export const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000)

/** A server certificate signed by its own key, for localhost, and its key: both PEM. */
export async function issueCertificate(
  commonName: string,
  {
    validFrom: notBefore = daysFromNow(-2),
    validTo: notAfter = daysFromNow(1),
    type = 'P-256',
  }: CertificateOptions = {},
): Promise<{ readonly certificate: string; readonly key: string }> {
  const keys = await webcrypto.subtle.generateKey(algorithms[type], true, ['sign', 'verify'])
  const ca = await createCertificateAuthority()
  const wanted = { commonName, usage: 'server', names: ['localhost', '127.0.0.1'], selfSigned: true } as const
  const { certificatePem, privateKeyPem } = await ca.issue({ ...wanted, keys, notBefore, notAfter })
  return { certificate: certificatePem, key: privateKeyPem }
}
