import type { CertificateAuthority } from './certificates/certificate-authority.ts'
import type { IssuedCertificate } from './certificates/certificate.ts'
import { signingKey } from './keys.ts'

const issued = new WeakMap<CertificateAuthority, Promise<IssuedCertificate>>()

/** The certificate of the application: RSA, because clients sign assertions with RS256 or PS256. */
export function clientCertificate(ca: CertificateAuthority): Promise<IssuedCertificate> {
  const certificate = issued.get(ca) ?? issue(ca)
  issued.set(ca, certificate)
  return certificate
}

async function issue(ca: CertificateAuthority): Promise<IssuedCertificate> {
  const keys = await signingKey('client-certificate')
  return ca.issue({ commonName: 'enclave application', usage: 'client', keys })
}
