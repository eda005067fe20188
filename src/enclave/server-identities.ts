import {
  type CertificateAuthority,
  type IssuedCertificate,
  createCertificateAuthority,
} from './certificate-authority.ts'
import { type CertificateFlaw, type Fault, faultTable } from './faults/fault.ts'
import { signingKey } from './login/token-issuer.ts'

/** The certificate and key of a TLS server, both PEM. */
interface ServerIdentity {
  readonly key: string
  readonly cert: string
}

/** The identity under a fault, or the good one, with a further host name. Each is made once. */
export type ServerIdentities = (fault: Fault | undefined, host?: string) => Promise<ServerIdentity>

const made = new WeakMap<CertificateAuthority, Map<string, Promise<ServerIdentity>>>()

/** Identities for the given host names under one authority. */
export function createServerIdentities(ca: CertificateAuthority, names: readonly string[]): ServerIdentities {
  const known = made.get(ca) ?? new Map<string, Promise<ServerIdentity>>()
  made.set(ca, known)
  return (fault, host) => {
    const flaw = (fault && faultTable[fault.kind].certificate) ?? {}
    const all = host === undefined ? names : [host, ...names]
    const key = JSON.stringify([flaw, all])
    const identity = known.get(key) ?? issueIdentity(ca, all, flaw)
    known.set(key, identity)
    return identity
  }
}

const daysFromNow = (days: number): Date => new Date(Date.now() + days * 24 * 60 * 60 * 1000)

async function issueIdentity(
  ca: CertificateAuthority,
  names: readonly string[],
  { issuer, days, name, withoutIntermediate = false }: CertificateFlaw,
): Promise<ServerIdentity> {
  const by = issuer === 'another' ? await createCertificateAuthority({ commonName: 'Another Root' }) : ca
  const { certificatePem, chainPem, privateKeyPem } = await by.issue({
    commonName: issuer === 'itself' ? (names[0] ?? '') : 'enclave server',
    usage: 'server',
    names: name === undefined ? names : [name],
    selfSigned: issuer === 'itself',
    ...(days && { notBefore: daysFromNow(days[0]), notAfter: daysFromNow(days[1]) }),
  })
  return { key: privateKeyPem, cert: withoutIntermediate ? certificatePem : chainPem }
}

const issued = new WeakMap<CertificateAuthority, Promise<IssuedCertificate>>()

/** The certificate of the application: RSA, because clients sign assertions with RS256 or PS256. */
export function clientCertificate(ca: CertificateAuthority): Promise<IssuedCertificate> {
  const certificate =
    issued.get(ca) ??
    signingKey('client-certificate').then((keys) =>
      ca.issue({ commonName: 'enclave application', usage: 'client', keys }),
    )
  issued.set(ca, certificate)
  return certificate
}
