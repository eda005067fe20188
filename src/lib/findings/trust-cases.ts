import { type Case, defineCase, type KnownFacts, type Words } from './finding.ts'
import { capital, maybe } from './shared-cases.ts'

const trust = { sets: 'NODE_EXTRA_CA_CERTS' } as const
const orChain = 'If it is an intermediate CA, ask the operator of the server to send the whole chain.'

/** The proxy, if its certificate is the untrusted one, else the host. */
const server = ({ at, problem, proxy }: Words & KnownFacts): string =>
  problem === 'untrusted' && proxy !== undefined ? proxy : at

/** Whoever owns a trusted CA can read every secret, so a person must verify the CA first. */
const compared = (sha256: string | undefined, verb: 'add' | 'set'): string =>
  sha256 === undefined
    ? capital(verb)
    : `Compare the SHA-256 of this CA (${sha256}) with the cloud operator. Then ${verb}`

/** Fixes for an untrusted certificate of a host, or of the proxy in front of it. */
export const trustCases: readonly Case[] = [
  defineCase({
    ...trust,
    needs: ['reason'],
    is: { caProblem: 'unreadable' },
    fix: ({ reason }) =>
      `Correct the path in NODE_EXTRA_CA_CERTS, or let this process read the file (${reason}), and start again. The file must contain the CA that the message names, as PEM.`,
  }),
  defineCase({
    ...trust,
    is: { caProblem: 'no certificate' },
    fix: 'Replace the file of NODE_EXTRA_CA_CERTS, which contains no PEM certificate, with one that contains the CA in the message, and start again.',
  }),
  defineCase({
    ...trust,
    needs: ['issuer', 'trustedSha256'],
    shows: ['caFile', 'proxy', 'problem'],
    cause: 'The CA was renewed under the same name with another key, and this process trusts only its old certificate.',
    fix: ({ issuer, trustedSha256, caFile = 'the file of NODE_EXTRA_CA_CERTS', ...given }) =>
      `Add the renewed certificate of the CA ${issuer} to ${caFile}, and start again: the CA in the file (SHA-256 ${trustedSha256.slice(0, 23)}…) has another key and did not issue the certificate of ${server(given)}.`,
  }),
  defineCase({
    needs: ['issuer', 'sentBy'],
    shows: ['proxy', 'problem'],
    cause: 'The server sends its certificate without the intermediate CA that issued it.',
    fix: ({ issuer, sentBy, ...given }) =>
      `Ask the operator of ${server(given)} to send the intermediate CA ${issuer} with its certificate, as ${sentBy} does. This process needs no further CA.`,
  }),
  defineCase({
    needs: ['issuer', 'sha256', 'sameIssuerAt'],
    shows: ['caFile', 'proxy', 'problem'],
    is: { caProblem: 'incomplete' },
    cause:
      'All hosts have certificates of one CA that is not in the CA file of this process: a device in this network may inspect TLS, and could then read the secret.',
    fix: ({ issuer, sha256, sameIssuerAt, caFile, ...given }) =>
      `Ask the network team whether a device inspects TLS: ${server(given)} and ${sameIssuerAt} have certificates of the CA ${issuer} (SHA-256 ${sha256.slice(0, 23)}…). If it is the CA of the cloud, add it to the PEM file of NODE_EXTRA_CA_CERTS${maybe(caFile, ' (', ')')}, and start again.`,
  }),
  defineCase({
    ...trust,
    needs: ['issuer'],
    shows: ['sha256', 'caFile'],
    is: { caProblem: 'incomplete' },
    fix: ({ issuer, sha256, caFile }) =>
      `${compared(sha256, 'add')} the CA ${issuer} to the PEM file of NODE_EXTRA_CA_CERTS${maybe(caFile, ' (', ')')}, and start again. ${orChain}`,
  }),
  defineCase({
    ...trust,
    needs: ['selfSigned'],
    shows: ['caFile', 'proxy', 'problem'],
    is: { caProblem: 'incomplete' },
    fix: ({ selfSigned, caFile, ...given }) =>
      `Add the certificate of ${server(given)} (${selfSigned}) to the PEM file of NODE_EXTRA_CA_CERTS${maybe(caFile, ' (', ')')}, and start again. Or ask the operator of ${server(given)} for a certificate from a CA.`,
  }),
  defineCase({
    ...trust,
    needs: ['issuer'],
    is: { caProblem: 'not in the store' },
    fix: ({ issuer }) =>
      `Add the CA ${issuer} to the store of this machine, or set NODE_EXTRA_CA_CERTS to a PEM file with it, and start again. ${orChain}`,
  }),
  defineCase({
    ...trust,
    needs: ['issuer'],
    shows: ['sha256'],
    fix: ({ issuer, sha256 }) =>
      `${compared(sha256, 'set')} NODE_EXTRA_CA_CERTS to a PEM file with the CA ${issuer}, or NODE_USE_SYSTEM_CA=1 if the machine trusts it, and start again. ${orChain}`,
  }),
  defineCase({
    ...trust,
    needs: ['selfSigned'],
    shows: ['proxy', 'problem'],
    fix: ({ selfSigned, ...given }) =>
      `Ask the operator of ${server(given)} to replace the self-signed certificate (${selfSigned}) with one from a CA. Or set NODE_EXTRA_CA_CERTS to a PEM file with it, and start again.`,
  }),
]
