import {
  type CertificateAuthority,
  type IssuedCertificate,
  createCertificateAuthority,
  createSelfSignedCertificate,
} from './certificate-authority.ts'
import { type Fault, type FaultKindIn, faultTable } from './faults/fault.ts'
import { signingKey } from './login/token-issuer.ts'

/** The certificate and key of a TLS server, both PEM. */
export interface ServerIdentity {
  readonly key: string
  readonly cert: string
}

/** The identity under a fault, or the good one, with a further host name. Each is made once. */
export type ServerIdentities = (fault: Fault | undefined, host?: string) => Promise<ServerIdentity>

type Shape = 'valid' | FaultKindIn<'certificate'>
type Issue = (ca: CertificateAuthority, names: readonly string[]) => Promise<ServerIdentity>

const daysFromNow = (days: number): Date => new Date(Date.now() + days * 24 * 60 * 60 * 1000)
const whole = (issued: IssuedCertificate): ServerIdentity => ({ key: issued.privateKeyPem, cert: issued.chainPem })
const commonName = 'enclave server'

/** A certificate whose validity begins and ends so many days from now. */
const validBetween =
  (begin: number, end: number): Issue =>
  async (ca, names) =>
    whole(
      await ca.issue({ commonName, usage: 'server', names, notBefore: daysFromNow(begin), notAfter: daysFromNow(end) }),
    )

const shapes: Record<Shape, Issue> = {
  valid: async (ca, names) => whole(await ca.issue({ commonName, usage: 'server', names })),
  'untrusted-ca': async (_, names) => {
    const another = await createCertificateAuthority({ commonName: 'Another Root' })
    return whole(await another.issue({ commonName, usage: 'server', names }))
  },
  'expired-certificate': validBetween(-30, -1),
  'not-yet-valid-certificate': validBetween(1, 30),
  'wrong-name': async (ca) =>
    whole(await ca.issue({ commonName, usage: 'server', names: ['another-host.enclave.test'] })),
  'self-signed': async (_, names) => whole(await createSelfSignedCertificate(names)),
  'missing-intermediate': async (ca, names) => {
    const issued = await ca.issue({ commonName, usage: 'server', names })
    return { key: issued.privateKeyPem, cert: issued.certificatePem }
  },
}

const made = new WeakMap<CertificateAuthority, Map<string, Promise<ServerIdentity>>>()

/** Identities for the given host names under one authority. */
export function createServerIdentities(ca: CertificateAuthority, names: readonly string[]): ServerIdentities {
  const known = made.get(ca) ?? new Map<string, Promise<ServerIdentity>>()
  made.set(ca, known)
  return (fault, host) => {
    const shape = shapeOf(fault)
    const all = host === undefined ? names : [host, ...names]
    const key = `${shape} ${all.join()}`
    const identity = known.get(key) ?? shapes[shape](ca, all)
    known.set(key, identity)
    return identity
  }
}

function shapeOf(fault: Fault | undefined): Shape {
  return fault !== undefined && faultTable[fault.kind].layer === 'certificate' ? (fault.kind as Shape) : 'valid'
}

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
