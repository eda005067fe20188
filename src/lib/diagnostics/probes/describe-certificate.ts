import type { DetailedPeerCertificate } from 'node:tls'
import type { NetworkFault } from '../../errors.ts'
import type { Env } from '../../base/env.ts'
import { quote } from '../../base/printable.ts'
import type { HostCertificate } from '../report.ts'
import { describeTrust, extraCertificates } from './trust-store.ts'

export const dayMs = 24 * 60 * 60 * 1000
/** Certificates that are followed upwards, at most. */
const longestChain = 20

/** What a message about a refused certificate needs. */
interface Refusal {
  readonly host: string
  /** `host[:port]`. */
  readonly address: string
  /** Node's code for it. */
  readonly code: string
  readonly env: Env
  readonly now: number
}

/** What is wrong with a certificate, in a sentence that an operator can act on. */
export function describeRefusal(
  fault: NetworkFault,
  certificate: DetailedPeerCertificate,
  { host, code, env, now }: Refusal,
): string {
  const distance = (date: string) => countDays(Math.abs(now - Date.parse(date)) / dayMs)
  switch (fault) {
    case 'CERTIFICATE_EXPIRED':
      if (Date.parse(certificate.valid_to) > now) return `An issuer of the certificate of ${host} has expired`
      return `The certificate of ${host} ended on ${dateOf(certificate.valid_to)}, ${distance(certificate.valid_to)} ago`
    case 'CERTIFICATE_NOT_YET_VALID':
      return `The certificate of ${host} begins on ${dateOf(certificate.valid_from)}, in ${distance(certificate.valid_from)} by the clock here`
    case 'CERTIFICATE_NAME_MISMATCH':
      return `The certificate is for ${namesOf(certificate)}, not for ${host}`
    case 'UNTRUSTED':
      return `${describeMissing(certificate, host, code)} (${code}). ${describeTrust(env)}`
    default:
      return `The certificate of ${host} was refused (${code})`
  }
}

/** The values that prove a refusal. */
export function refusalEvidence(
  fault: NetworkFault,
  certificate: DetailedPeerCertificate,
  { address: host, code, env }: Refusal,
): Readonly<Record<string, string | undefined>> {
  switch (fault) {
    case 'CERTIFICATE_EXPIRED':
      return { host, validTo: dateOf(certificate.valid_to), issuer: nameOf(certificate.issuer) }
    case 'CERTIFICATE_NOT_YET_VALID':
      return { host, validFrom: dateOf(certificate.valid_from), issuer: nameOf(certificate.issuer) }
    case 'CERTIFICATE_NAME_MISMATCH':
      return { host, names: namesOf(certificate) }
    case 'UNTRUSTED':
      return untrustedEvidence(certificate, { host, code, env })
    default:
      return { host, tlsCode: code }
  }
}

function untrustedEvidence(
  certificate: DetailedPeerCertificate,
  { host, code, env }: Pick<Refusal, 'host' | 'code' | 'env'>,
) {
  const extra = extraCertificates(env)
  const issuer = nameOf(topOf(certificate).issuer)
  const own = code === 'DEPTH_ZERO_SELF_SIGNED_CERT'
  return {
    host,
    tlsCode: code,
    extraCaCerts: extra,
    ...(own ? { selfSigned: issuer } : { issuer }),
    ...(extra === 'gave no certificate' ? { unusable: 'NODE_EXTRA_CA_CERTS' } : {}),
  }
}

/** A certificate as the report has it; absent when its dates cannot be read. */
export function describeCertificate({
  subject,
  issuer,
  valid_from,
  valid_to,
}: DetailedPeerCertificate): HostCertificate | undefined {
  const [validFrom, validTo] = [valid_from, valid_to].map((date) => new Date(date))
  if (validFrom === undefined || validTo === undefined || Number.isNaN(validFrom.getTime() + validTo.getTime()))
    return undefined
  const [subjectName, issuerName] = [subject, issuer].map((name) => nameOf(name).replace(/^"|"$/g, ''))
  return {
    subject: subjectName ?? '',
    issuer: issuerName ?? '',
    validFrom: validFrom.toISOString(),
    validTo: validTo.toISOString(),
  }
}

/** The last certificate of the chain that was sent. */
function topOf(certificate: DetailedPeerCertificate): DetailedPeerCertificate {
  let top = certificate
  // The last certificate refers to itself, or to nothing.
  for (let depth = 0; depth < longestChain; depth++) {
    if (top.issuerCertificate === undefined || top.issuerCertificate.fingerprint256 === top.fingerprint256) break
    top = top.issuerCertificate
  }
  return top
}

/** Says which certificate authority would have to be trusted, read off the end of the chain that was sent. */
function describeMissing(certificate: DetailedPeerCertificate, host: string, code: string): string {
  const top = topOf(certificate)
  const issuer = nameOf(top.issuer)
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') return `The certificate of ${host} is signed by its own key, as ${issuer}`
  if (top !== certificate) return `The certificate of ${host} was issued under ${issuer}, which is not trusted`
  return `The certificate of ${host} was issued by ${issuer}, which is not trusted; if that is an intermediate, the server fails to send it`
}

type DistinguishedName = DetailedPeerCertificate['subject']

/** Whole days in words; less than one counts as one. */
export function countDays(days: number): string {
  const whole = Math.max(1, Math.floor(days))
  return whole === 1 ? '1 day' : `${whole} days`
}

/** An issuer or subject as people know it: quoted, shortened. */
export function nameOf(name: DistinguishedName | undefined): string {
  const text = [name?.CN ?? name?.O ?? name?.OU ?? 'an unnamed authority'].flat().join(' ')
  return quote(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

/** The alternative names; a certificate may hold hundreds. */
function namesOf({ subjectaltname, subject }: DetailedPeerCertificate): string {
  const names = (subjectaltname ?? '').split(', ').map((entry) => entry.replace(/^(DNS|IP Address):/, ''))
  const [first = '', ...others] = names.filter((name) => name !== '')
  if (first === '') return nameOf(subject)
  const shown = quote([first, ...others.slice(0, 2)].join(', ').slice(0, 200)).slice(1, -1)
  return others.length > 2 ? `${shown} and ${others.length - 2} more` : shown
}

/** A date of a certificate as ISO 8601. */
export function dateOf(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? 'an unreadable date' : new Date(time).toISOString().slice(0, 10)
}
