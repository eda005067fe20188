import type { FaultText } from './finding.ts'
import { ifDatesAreCorrect, trustCases } from './shared-cases.ts'

const enableTls =
  'enable TLS 1.2 or 1.3 with an RSA-2048 or P-256 key. In FIPS mode, both sides need an approved cipher.'

export const certificateFaults = {
  UNTRUSTED: {
    title: 'Untrusted certificate of {name}',
    short: 'untrusted certificate',
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
    short: 'certificate expired',
    signs: ['certificate has expired'],
    cause: 'The certificate of {name} or of its issuer has expired, or the local clock is ahead.',
    fix: `Ask the operator of {at} to renew its certificate[, which expired on {validTo}][ (issued by {issuer})].${ifDatesAreCorrect}`,
    cases: [
      {
        changes: 'NODE_EXTRA_CA_CERTS',
        cause: 'A CA in the CA file of this process has expired, so the certificate of the server has no valid issuer.',
        fix: 'Replace the CA {expiredIssuer} in {caFile}, which expired on {validTo}, with its renewed certificate, and start again. The certificate of the server is not at fault.',
      },
      `Ask the operator of {at} to send a chain without the CA {expiredIssuer}, which expired on {validTo}.${ifDatesAreCorrect}`,
    ],
  },
  CERTIFICATE_NOT_YET_VALID: {
    title: 'Certificate of {name} not yet valid',
    short: 'certificate not yet valid',
    signs: ['certificate is not yet valid'],
    cause:
      'The certificate of {name} is not valid yet: the local clock is behind, or the certificate has a wrong date.',
    fix: "Synchronize this machine's clock (NTP): the certificate of {at} is valid from [{validFrom}|a later date]. If the clock is correct, ask the operator of {at} to replace the certificate.",
    cases: [
      'Ask the operator of {at} to replace its certificate, which is valid from [{validFrom}|a later date].{clockProof}',
    ],
  },
  CERTIFICATE_NAME_MISMATCH: {
    title: 'Certificate of {name} for another name',
    short: 'wrong certificate',
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
    short: 'invalid certificate',
    signs: ['Missing Authority Key Identifier', 'Basic Constraints of CA cert not marked critical'],
    cause:
      'A certificate in the chain of {name} breaks a rule: it is not for servers, its issuer may not issue it (name constraint, path length), or its signature does not match.',
    fix: 'Ask the operator of {at} to replace the certificate chain ([{rule}|the message names the rule]). Another trusted CA does not help.',
  },
  CERTIFICATE_WEAK: {
    title: 'Weak or unsupported certificate of {name}',
    short: 'weak certificate',
    signs: ['key too small', 'md too weak', 'insecure algorithm SHA1-RSA'],
    cause:
      'OpenSSL refuses a signature or key in the certificate chain of {name}, such as SHA-1, or RSA with fewer than 2048 bits.',
    fix: 'Ask the operator of {at} to renew the chain with SHA-256 signatures and RSA keys of 2048 bits or more, or P-256.',
  },
  CERTIFICATE_IPV6_UNSUPPORTED: {
    title: 'IPv6 address of {name} not supported by this Node',
    short: 'IPv6 address',
    cause:
      'The URL of {name} has an IPv6 address as its host. This release of Node accepts no certificate for an IPv6 address, so the certificate may be correct.',
    fix: 'Run Node 24[ in place of {version}].[{address.proof}]',
    cases: ['Set {address.setting} to a host name[ in place of {host}], or run Node 24[ in place of {version}].'],
  },
  TLS_FAILED: {
    title: 'TLS handshake failed with {name}',
    short: 'TLS fails',
    signs: [
      'wrong version number',
      'handshake failure',
      'unsafe legacy renegotiation disabled',
      'first record does not look like a TLS handshake',
    ],
    cause:
      'The TLS handshake with {name} failed: the port does not speak TLS, or Node supports none of the TLS versions, ciphers or key types that it offers.',
    fix: `Ask the operator of {at} to ${enableTls}[{address.proof}]`,
    cases: [`Correct the port of {address.change}, or ask its operator to ${enableTls}`],
  },
} as const satisfies Readonly<Record<string, FaultText>>
