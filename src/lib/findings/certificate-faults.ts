import type { Finding } from './finding.ts'
import { ifDatesAreCorrect } from './shared-cases.ts'

/** The proxy, if its certificate is the untrusted one, else the host. */
const owner = '[{proxy}|{at}]'
const theFile = 'the PEM file of {NODE_EXTRA_CA_CERTS.change}[ ({caFile})]'
const orChain = 'If it is an intermediate CA, ask the operator of the server to send the whole chain.'
/** The owner of a trusted CA can read every secret, so a person must verify the CA first. */
const compare = 'Compare the SHA-256 of this CA ({sha256}) with the cloud operator. Then'

/** Fixes for an untrusted certificate of a host, or of the proxy in front of it. */
export const trustCases = [
  '{caProblem=unreadable} Correct the path in {NODE_EXTRA_CA_CERTS.change}, or let this process read the file ({reason}), and start again. The file must contain the CA that the message names, as PEM.',
  '{caProblem=no certificate} Replace the file of {NODE_EXTRA_CA_CERTS.change}, which contains no PEM certificate, with one that contains the CA in the message, and start again.',
  `Add the renewed certificate of the CA {issuer} to ${theFile}, and start again: the CA in the file (SHA-256 {trustedSha256.start}) has another key and did not issue the certificate of ${owner}.`,
  `Ask the operator of ${owner} to send the intermediate CA {issuer} with its certificate, as {sentBy} does. This process needs no further CA.`,
  `{caProblem=incomplete} Ask the network team whether a device inspects TLS, the secret included: ${owner} and {sameIssuerAt} have certificates of the CA {issuer} (SHA-256 {sha256.start}). If it is the cloud's CA, add it to the PEM file of NODE_EXTRA_CA_CERTS[ ({caFile})], and start again.`,
  `{caProblem=incomplete} [${compare} add|Add] the CA {issuer} to ${theFile}, and start again. ${orChain}`,
  `[${compare} set|Set] {NODE_EXTRA_CA_CERTS.change} to a PEM file with the CA {issuer}, or [{caProblem=not in the store}add it to the store of this machine|NODE_USE_SYSTEM_CA=1 if the machine trusts it], and start again. ${orChain}`,
  `{selfSigned.known} {caProblem=incomplete} Add the self-signed certificate of ${owner} to ${theFile}, if its operator confirms the SHA-256 ({sha256.start}), and start again. Or ask for a certificate from a CA.`,
  `Ask the operator of ${owner} to replace the self-signed certificate ({selfSigned}) with one from a CA. Or set {NODE_EXTRA_CA_CERTS.change} to a PEM file with it, and start again.`,
] as const

const enableTls =
  'enable TLS 1.2 or 1.3 with an RSA-2048 or P-256 key. In FIPS mode, both sides need an approved cipher.'

export const certificateFaults = {
  UNTRUSTED: {
    title: 'Untrusted certificate of {name}',
    signs: [
      'signed by unknown authority',
      'unable to get local issuer certificate',
      'unable to verify the first certificate',
      'self-signed certificate',
      'self signed certificate',
      'certificate verify failed',
      'CERTIFICATE_VERIFY_FAILED',
      'invalid peer certificate: UnknownIssuer',
      'PKIX path building failed',
      'UntrustedRoot',
      'PartialChain',
    ],
    cause: 'The certificate of {name} comes from a certificate authority that Node does not trust here.',
    fix: 'Set NODE_EXTRA_CA_CERTS to a PEM file with the CA that issued the certificate, or NODE_USE_SYSTEM_CA=1 if the machine trusts it, and start again. If the server sends no intermediate certificate, ask its operator to add it.',
    cases: trustCases,
  },
  CERTIFICATE_EXPIRED: {
    title: 'Expired certificate of {name}',
    signs: ['certificate has expired'],
    cause: 'The certificate of {name} or of its issuer has expired, or the local clock is ahead.',
    fix: `Ask the operator of {at} to renew its certificate[, which expired on {validTo}][ (issued by {issuer})].${ifDatesAreCorrect}`,
    cases: [
      'Replace the CA {expiredIssuer} in the file of {NODE_EXTRA_CA_CERTS.change} ({caFile}), which expired on {validTo}, with its renewed certificate, and start again. The certificate of the server is not at fault.',
      `Ask the operator of {at} to send a chain without the CA {expiredIssuer}, which expired on {validTo}.${ifDatesAreCorrect}`,
    ],
  },
  CERTIFICATE_NOT_YET_VALID: {
    title: 'Certificate of {name} not yet valid',
    signs: ['certificate is not yet valid'],
    cause: 'The local clock is behind, or the certificate of {name} has a wrong date.',
    fix: "Synchronize this machine's clock (NTP): the certificate of {at} is valid from [{validFrom}|a later date]. If the clock is correct, ask the operator of {at} to replace the certificate.",
    cases: [
      'Ask the operator of {at} to replace its certificate, which is valid from [{validFrom}|a later date].{clockProof}',
    ],
  },
  CERTIFICATE_NAME_MISMATCH: {
    title: 'Certificate of {name} for another name',
    signs: [
      'certificate is valid for',
      'hostname mismatch',
      "doesn't match … '",
      'no alternative certificate subject name matches',
      'RemoteCertificateNameMismatch',
    ],
    cause: 'The certificate at the address of {name} was issued for other host names.',
    fix: 'Check that {at} resolves to the correct server[ (the certificate is for {names})], or ask the operator to issue a certificate for {at}.[{address.proof}]',
    cases: [
      'Set {address.setting} to a name in the certificate[ ({names})], or ask the operator to issue a certificate for {at}. Check that the name resolves to the correct host.',
    ],
  },
  CERTIFICATE_INVALID: {
    title: 'Invalid certificate of {name}',
    signs: ['Missing Authority Key Identifier', 'Basic Constraints of CA cert not marked critical'],
    cause: 'A certificate in the chain of {name} breaks a rule: purpose, name constraint, path length or signature.',
    fix: 'Ask the operator of {at} to replace the certificate chain ([{rule}|the message names the rule]). Another trusted CA does not help.',
  },
  CERTIFICATE_WEAK: {
    title: 'Weak or unsupported certificate of {name}',
    signs: ['key too small', 'md too weak', 'insecure algorithm SHA1-RSA'],
    cause: 'OpenSSL refuses a signature such as SHA-1, or an RSA key below 2048 bits, in the chain of {name}.',
    fix: 'Ask the operator of {at} to renew the chain with SHA-256 signatures and RSA keys of 2048 bits or more, or P-256.',
  },
  CERTIFICATE_IPV6_UNSUPPORTED: {
    title: 'IPv6 address of {name} not supported by this Node',
    cause: 'This Node accepts no certificate for an IPv6 address, so the certificate of {name} may be correct.',
    fix: 'Run Node 24[ in place of {version}].[{address.proof}]',
    cases: ['Set {address.setting} to a host name[ in place of {host}], or run Node 24[ in place of {version}].'],
  },
  TLS_FAILED: {
    title: 'TLS handshake failed with {name}',
    signs: [
      'wrong version number',
      'handshake failure',
      'unsafe legacy renegotiation disabled',
      'first record does not look like a TLS handshake',
    ],
    cause: 'The port of {name} does not speak TLS, or has no version, cipher or key type in common with Node.',
    fix: `Ask the operator of {at} to ${enableTls}[{address.proof}]`,
    cases: [`Correct the port of {address.change}, or ask its operator to ${enableTls}`],
  },
} as const satisfies Readonly<Record<string, Finding>>
