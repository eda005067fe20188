import type { Facts, FaultText, FixRow } from './finding.ts'
import {
  address,
  ask,
  because,
  clockProof,
  correctOr,
  given,
  host,
  known,
  ifClockAgrees,
  proof,
  say,
  sets,
  when,
  workedBefore,
} from './fix-row.ts'

const trust = sets('NODE_EXTRA_CA_CERTS')
const orChain = 'If it is an intermediate CA, ask the operator of the server to send the whole chain.'
const server = (facts: Facts): string => facts.distrustedProxy ?? host(facts)
const inFile = given('caFile', ' (', ')')

/** Before a CA is trusted, a person must know whose it is: it could read all secrets. */
const compare = ({ sha256 }: Facts): string =>
  sha256 === undefined ? '' : ` Compare its SHA-256 ${sha256.slice(0, 23)}… with the cloud operator first.`

/** Fixes of a certificate from an authority that is not trusted: that of a host, or of the proxy before it. */
export const untrustedFixes: readonly FixRow[] = [
  trust`Correct the path in NODE_EXTRA_CA_CERTS, or let this process read the file (${'unreadable'}), and start again. The file must contain the CA that the message names, as PEM.`,
  trust`Replace the file of ${'withoutCertificate'}, which holds no PEM certificate, by one with the CA that the message names, and start again.`,
  because(
    'The CA was renewed under the same name with another key, and this process trusts its old certificate only.',
    trust`Add the renewed certificate of the CA ${'issuer'} to ${known('caFile', 'the file of NODE_EXTRA_CA_CERTS')}, and start again: the certificate in the file (SHA-256 ${({ trustedSha256 }) => trustedSha256?.slice(0, 23)}…) has another key than the one that signed that of ${server}.`,
  ),
  because(
    'The server sends its certificate without the intermediate CA that issued it.',
    ask`Ask the operator of ${server} to send the intermediate CA ${'issuer'} with its certificate, as ${'sentBy'} does. The trusted CAs of this process are complete.`,
  ),
  because(
    'Every host presents a certificate of one CA that this process does not trust, although it trusts a CA file: a device of this network may inspect TLS, and would read the secret.',
    say`Ask the network team whether a device inspects TLS: ${server} and ${'sameIssuerAt'} have certificates of the CA ${'issuer'} (SHA-256 ${({ sha256 }) => sha256?.slice(0, 23)}…). If it is the CA of the cloud, extend the PEM file of ${'incompleteFile'}${inFile} with it, and start again.`,
  ),
  trust`Extend the PEM file of ${'incompleteFile'}${inFile} with the CA ${'issuer'}, and start again. ${() => orChain}${compare}`,
  trust`Extend the PEM file of ${'incompleteFile'}${inFile} with the certificate of ${server} (${'selfSigned'}), and start again. Or ask the operator of ${server} for a certificate from a CA.`,
  when(
    'incompleteStore',
    trust`Add the CA ${'issuer'} to the store of this machine, or set NODE_EXTRA_CA_CERTS to a PEM file with it, and start again. ${() => orChain}`,
  ),
  trust`Set NODE_EXTRA_CA_CERTS to a PEM file with the CA ${'issuer'}, or NODE_USE_SYSTEM_CA=1 if the machine trusts it, and start again. ${() => orChain}${compare}`,
  trust`Ask the operator of ${server} to replace the self-signed certificate (${'selfSigned'}) with one from a CA. Or set NODE_EXTRA_CA_CERTS to a PEM file with it, and start again.`,
]

/** A wrong local clock makes dates look wrong, so it is named unless a host agrees with it. */
const ifDatesAreCorrect = ({ run }: Facts): string =>
  clockProof(run) ?? " If its dates are correct, synchronize this machine's clock (NTP)."

/** Faults of TLS and of certificates. `{name}` is the kind of host. */
export const certificateFaults = {
  UNTRUSTED: {
    title: 'Untrusted certificate of {name}',
    cause: 'The certificate of {name} comes from a certificate authority that Node does not trust here.',
    fix: [
      ...untrustedFixes,
      'Set NODE_EXTRA_CA_CERTS to a PEM file with the CA that the message names, or NODE_USE_SYSTEM_CA=1 if the machine trusts it, and start again. If the server sends no intermediate certificate, ask its operator to add it.',
    ],
  },
  CERTIFICATE_EXPIRED: {
    title: 'Expired certificate of {name}',
    cause: 'The certificate of {name} or of its issuer has expired, or the local clock is ahead.',
    fix: [
      because(
        'A CA in the file of this process has expired, so that the chain of the server ends there.',
        trust`Replace the CA ${'expiredIssuer'} in ${'caFile'}, which expired on ${'validTo'}, by its renewed certificate, and start again. The certificate of the server is not at fault.`,
      ),
      ask`Ask the operator of ${host} to send a chain without the CA ${'expiredIssuer'}, which expired on ${'validTo'}.${ifDatesAreCorrect}`,
      ask`Ask the operator of ${host} to renew its certificate${given('validTo', ', which expired on ')}${given('issuer', ' (issued by ', ')')}.${ifDatesAreCorrect}`,
    ],
  },
  CERTIFICATE_NOT_YET_VALID: {
    title: 'Certificate of {name} not yet valid',
    cause:
      'The certificate of {name} is not valid yet: the local clock is behind, or the certificate has a wrong date.',
    fix: [
      ifClockAgrees(ask`Ask the operator of ${host} to replace its certificate, which is valid from ${'validFrom'}.`),
      say`Synchronize this machine's clock (NTP)${({ validFrom, ...facts }) => (validFrom === undefined ? '' : `: the certificate of ${host(facts)} is valid from ${validFrom}`)}. If the clock is correct, ask the operator of ${host} to replace the certificate.`,
    ],
  },
  CERTIFICATE_NAME_MISMATCH: {
    title: 'Certificate of {name} for another name',
    cause: 'The certificate at the address of {name} was issued for other host names.',
    fix: [
      say`Set ${address} to a name in the certificate${given('names', ' (', ')')}, or ask the operator to issue a certificate for ${host}. Check that DNS leads to the correct host.`,
      say`Check that DNS leads ${host} to the correct server${given('names', ', whose certificate is not for ')}, or ask the operator to issue a certificate for ${host}.${proof}`,
    ],
  },
  CERTIFICATE_INVALID: {
    title: 'Invalid certificate of {name}',
    cause:
      'A certificate in the chain of {name} breaks a rule: it is not for servers, its issuer may not issue it (name constraint, path length), or its signature does not match.',
    fix: [
      ask`Ask the operator of ${host} to replace the certificate chain (${known('rule', 'the message names the rule')}). Another trusted CA does not help.`,
    ],
  },
  CERTIFICATE_WEAK: {
    title: 'Weak or unsupported certificate of {name}',
    cause:
      'OpenSSL refuses a signature or key in the certificate chain of {name}, such as SHA-1, or RSA with fewer than 2048 bits.',
    fix: [
      ask`Ask the operator of ${host} to renew the certificate ${'weakCertificate'}, which ${'weakness'}, with a SHA-256 signature and an RSA key of 2048 bits or more, or P-256.`,
      ask`Ask the operator of ${host} to renew the chain with SHA-256 signatures and RSA keys of 2048 bits or more, or P-256.`,
    ],
  },
  CERTIFICATE_IPV6_UNSUPPORTED: {
    title: 'IPv6 literal of {name} refused by this Node',
    cause:
      'The address of {name} has an IPv6 literal as host. This release of Node matches no certificate with one, and the certificate may be correct.',
    fix: [
      say`Set ${address} to a host name${given('host', ' in place of ')}, or run Node 24${given('nodeVersion', ' in place of ')}.`,
      say`Run Node 24${given('nodeVersion', ' in place of ')}.${proof}`,
    ],
  },
  TLS_FAILED: {
    title: 'TLS handshake failed with {name}',
    cause:
      'The TLS handshake with {name} failed: the port does not speak TLS, or Node accepts no version, cipher or kind of key that it offers.',
    fix: [
      workedBefore,
      correctOr(
        say`ask its operator to enable TLS 1.2 or 1.3 with an RSA-2048 or P-256 key. In FIPS mode, both sides need an approved cipher`,
        'Correct the port of',
      ),
    ],
  },
} as const satisfies Readonly<Record<string, FaultText>>
