import { X509Certificate } from 'node:crypto'
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'
import type { Evidence, NetworkFault, ServiceErrorOptions } from '../errors.ts'
import { readVariable, type Env } from '../base/env.ts'
import { durationText, isoDate } from '../base/dates.ts'
import { shortPrintable } from '../base/printable.ts'
import {
  addedAuthorities,
  describeAdded,
  extraAuthorities,
  trustedCount,
  type AddedAuthorities,
} from './certificate-authorities.ts'

/** A certificate that Node refused. */
export interface RefusedPeer {
  readonly certificate: DetailedPeerCertificate
  /** OpenSSL's reason. */
  readonly rule?: string | undefined
}

/** Reports the certificate before Node refuses it, because Node's error names no issuer and comes after the socket is closed. */
export function reportCertificate(socket: TLSSocket, onRefused: (peer: RefusedPeer) => void): void {
  socket.prependListener('secure', () => {
    onRefused({ certificate: socket.getPeerCertificate(true), rule: verifyErrorOf(socket) })
  })
}

/** OpenSSL's reason for refusing a certificate. Otherwise only Node's error has it. */
export function verifyErrorOf(secure: TLSSocket): string | undefined {
  const { ssl } = secure as TLSSocket & { readonly ssl?: { readonly verifyError?: () => Error | null } }
  return ssl?.verifyError?.()?.message
}

const longestChain = 20

interface Refusal {
  readonly host: string
  /** Node's code for the reason. */
  readonly code: string
  /** OpenSSL's text for the reason. */
  readonly rule: string
  readonly env: Env
}

type Problem = readonly [message: string, evidence?: ServiceErrorOptions['evidence']]

/** Describes the problem of a certificate to an operator, with the values that prove it. */
export function describeRefusal(fault: NetworkFault, certificate: DetailedPeerCertificate, refusal: Refusal): Problem {
  const { host, code, rule } = refusal
  const { valid_from: from } = certificate
  const now = Date.now()
  const distance = (date: string) => durationText(Math.abs(now - Date.parse(date)) / 1000)
  const issuer = nameOf(certificate.issuer)
  switch (fault) {
    case 'CERTIFICATE_EXPIRED': {
      const expired = chainOf(certificate).find((each) => Date.parse(each.valid_to) <= now)
      if (expired === undefined) return [`An issuer of the certificate of ${host} has expired`]
      const { valid_to: end, subject } = expired
      const isOwn = expired === certificate
      const whose = isOwn
        ? `The certificate of ${host}`
        : `${nameOf(subject)}, an issuer of the certificate of ${host},`
      // If the expired CA comes from a file of this process, the operator of the server can't renew it.
      const isFromFile = extraAuthorities(refusal.env).some((each) => each.fingerprint256 === expired.fingerprint256)
      const caFile = isFromFile ? shownCaFile(refusal.env) : undefined
      const cause = isOwn ? { issuer } : { expiredIssuer: nameOf(subject), caFile }
      return [`${whose} expired on ${dateOf(end)}, ${distance(end)} ago`, { validTo: dateOf(end), ...cause }]
    }
    case 'CERTIFICATE_NOT_YET_VALID': {
      const message = `The certificate of ${host} becomes valid on ${dateOf(from)}, in ${distance(from)} by this machine's clock`
      return [message, { validFrom: dateOf(from), issuer }]
    }
    case 'CERTIFICATE_NAME_MISMATCH': {
      const names = namesOf(certificate)
      if (certificate.subjectaltname) return [`The certificate is for ${names}, not for ${host}`, { names }]
      return [`The certificate has the common name ${names}, but no alternative name (subjectAltName) for ${host}`]
    }
    case 'CERTIFICATE_INVALID':
      return [`The certificate chain of ${host} breaks a rule (${code}): ${rule}`, { errorCode: code, rule }]
    case 'CERTIFICATE_WEAK': {
      const message = `OpenSSL refuses the certificate chain of ${host} as weak or unsupported: ${rule}`
      return [message, { errorCode: code, rule }]
    }
    case 'CERTIFICATE_IPV6_UNSUPPORTED': {
      const version = process.versions.node
      return [`Node ${version} matches no certificate with an IPv6 address, such as ${host}`, { version }]
    }
    case 'UNTRUSTED':
      return describeUntrusted(certificate, refusal)
    default:
      return [`The certificate of ${host} was refused (${code})`, { errorCode: code }]
  }
}

function shownCaFile(env: Env): string | undefined {
  const file = readVariable(env, 'NODE_EXTRA_CA_CERTS')
  return file === undefined ? undefined : shortPrintable(file, 200)
}

/** Names the certificate authority that this process must trust: the issuer of the last certificate that the host sent. */
function describeUntrusted(certificate: DetailedPeerCertificate, { host, code, env }: Refusal): Problem {
  const added = addedAuthorities(env)
  const top = chainOf(certificate).at(-1) ?? certificate
  const issuer = nameOf(top.issuer)
  const isSelfSigned = code === 'DEPTH_ZERO_SELF_SIGNED_CERT'
  const missing = isSelfSigned
    ? `is signed by its own key, as ${issuer}`
    : top === certificate
      ? `was issued by ${issuer}, which is not trusted; if that is an intermediate CA, the server must send its certificate`
      : `was issued under ${issuer}, which is not trusted`
  const evidence = {
    errorCode: code,
    ...(isSelfSigned ? { selfSigned: issuer } : { issuer, ...renewedIssuer(top, env) }),
    sha256: top.fingerprint256,
    caFile: shownCaFile(env),
    ...reasonOf(added),
    trustStore: describeTrust(env, added),
  }
  return [`The certificate of ${host} ${missing} (${code})`, evidence]
}

/** Detects a renewed CA: this process trusts a CA with the issuer's name, but with another key. */
function renewedIssuer(top: DetailedPeerCertificate, env: Env): Evidence {
  const name = commonName(top.issuer)
  const same = extraAuthorities(env).filter(({ subject }) => subject.split('\n').includes(`CN=${name}`))
  const signed = new X509Certificate(top.raw)
  const [trusted] = same
  if (trusted === undefined || same.some(({ publicKey }) => signed.verify(publicKey))) return {}
  return { trustedSha256: trusted.fingerprint256 }
}

/** The names of the certificates that a host sent. Leaves out the root, which Node adds from the trusted certificates. */
export function sentNames(certificate: DetailedPeerCertificate): readonly string[] {
  const sent = chainOf(certificate).filter(({ subject, issuer }) => JSON.stringify(subject) !== JSON.stringify(issuer))
  return sent.map(({ subject }) => nameOf(subject))
}

/** Describes the trust store of this process, without paths. */
function describeTrust(env: Env, added: readonly AddedAuthorities[]): string {
  const off = readVariable(env, 'NODE_TLS_REJECT_UNAUTHORIZED') === '0'
  const unset = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA'].filter((name) =>
    added.every(({ variable }) => variable !== name),
  )
  return [
    `Node trusts ${trustedCount()} certificate authorities here`,
    ...added.map(describeAdded),
    ...unset.map((name) => `${name} is not set`),
    ...(off ? ['NODE_TLS_REJECT_UNAUTHORIZED=0 hides this fault from other requests of this process: remove it'] : []),
  ].join('; ')
}

/** Why the variables that add certificate authorities had no effect. This evidence selects the fix. */
function reasonOf(added: readonly AddedAuthorities[]): Evidence {
  const [{ variable, status, reason = 'not readable' } = {}] = added
  if (variable === undefined) return {}
  if (status === 'file unreadable') return { caProblem: 'unreadable', reason }
  if (status === 'file without a certificate') return { caProblem: 'no certificate' }
  return { caProblem: variable === 'NODE_EXTRA_CA_CERTS' ? 'incomplete' : 'not in the store' }
}

/** The certificate in the form of the report. `undefined` if its dates are unreadable. */
export function describeCertificate({ subject, issuer, valid_from, valid_to }: DetailedPeerCertificate) {
  const [validFrom, validTo] = [isoDate(Date.parse(valid_from)), isoDate(Date.parse(valid_to))]
  if (validFrom === undefined || validTo === undefined) return undefined
  return { subject: commonName(subject), issuer: commonName(issuer), validFrom, validTo }
}

/** The chain that the host sent, beginning with the host's certificate. It may be incomplete. */
function chainOf(certificate: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain = [certificate]
  // The last certificate refers to itself, or has no issuer.
  for (let top = certificate; chain.length < longestChain; chain.push(top)) {
    if (top.issuerCertificate === undefined || top.issuerCertificate.fingerprint256 === top.fingerprint256) break
    top = top.issuerCertificate
  }
  return chain
}

type DistinguishedName = DetailedPeerCertificate['subject']

/** A short name of an issuer or subject. */
function commonName(name: DistinguishedName | undefined): string {
  return shortPrintable([name?.CN ?? name?.O ?? name?.OU ?? 'an unnamed authority'].flat().join(' '), 80)
}

/** {@link commonName} in quotes. */
export const nameOf = (name: DistinguishedName | undefined): string => JSON.stringify(commonName(name))

/** The first alternative names. A certificate may contain hundreds. */
function namesOf({ subjectaltname, subject }: DetailedPeerCertificate): string {
  const names = (subjectaltname ?? '').split(', ').map((entry) => entry.replace(/^(DNS|IP Address):/, ''))
  const [first = '', ...others] = names.filter((name) => name !== '')
  if (first === '') return nameOf(subject)
  const shown = shortPrintable([first, ...others.slice(0, 2)].join(', '), 200)
  return others.length > 2 ? `${shown} and ${others.length - 2} more` : shown
}

/** Formats a date of a certificate as ISO 8601. */
export function dateOf(text: string): string {
  return isoDate(Date.parse(text))?.slice(0, 10) ?? 'an unreadable date'
}
