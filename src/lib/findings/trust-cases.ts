import { type Case, defineCase, type Words } from './finding.ts'
import { capital } from './shared-cases.ts'

const trust = { sets: 'NODE_EXTRA_CA_CERTS' } as const
const orChain = 'If it is an intermediate CA, ask the operator of the server to send the whole chain.'

/** The proxy, if its certificate is the untrusted one, else the host. */
const server = ({ at, or }: Words): string => (or('problem', '') === 'untrusted' ? or('proxy', at) : at)

/** Whoever owns a trusted CA can read every secret, so a person must verify the CA first. */
const compared = ({ maybe }: Words, verb: 'add' | 'set'): string =>
  maybe('sha256', 'Compare the SHA-256 of this CA (', `) with the cloud operator. Then ${verb}`) || capital(verb)

const theFile = ({ maybe }: Words): string => `the PEM file of NODE_EXTRA_CA_CERTS${maybe('caFile', ' (', ')')}`

/** Fixes for an untrusted certificate of a host, or of the proxy in front of it. */
export const trustCases: readonly Case[] = [
  defineCase(
    { ...trust, needs: ['reason'], is: { caProblem: 'unreadable' } },
    ({ reason }) =>
      `Correct the path in NODE_EXTRA_CA_CERTS, or let this process read the file (${reason}), and start again. The file must contain the CA that the message names, as PEM.`,
  ),
  defineCase(
    { ...trust, is: { caProblem: 'no certificate' } },
    'Replace the file of NODE_EXTRA_CA_CERTS, which contains no PEM certificate, with one that contains the CA in the message, and start again.',
  ),
  defineCase(
    {
      ...trust,
      needs: ['issuer', 'trustedSha256'],
      cause:
        'The CA was renewed under the same name with another key, and this process trusts only its old certificate.',
    },
    ({ issuer, trustedSha256, ...words }) =>
      `Add the renewed certificate of the CA ${issuer} to ${theFile(words)}, and start again: the CA in the file (SHA-256 ${trustedSha256.slice(0, 23)}…) has another key and did not issue the certificate of ${server(words)}.`,
  ),
  defineCase(
    {
      needs: ['issuer', 'sentBy'],
      cause: 'The server sends its certificate without the intermediate CA that issued it.',
    },
    ({ issuer, sentBy, ...words }) =>
      `Ask the operator of ${server(words)} to send the intermediate CA ${issuer} with its certificate, as ${sentBy} does. This process needs no further CA.`,
  ),
  defineCase(
    {
      needs: ['issuer', 'sha256', 'sameIssuerAt'],
      is: { caProblem: 'incomplete' },
      cause:
        'All hosts have certificates of one CA that is not in the CA file of this process: a device in this network may inspect TLS, and could then read the secret.',
    },
    ({ issuer, sha256, sameIssuerAt, ...words }) =>
      `Ask the network team whether a device inspects TLS: ${server(words)} and ${sameIssuerAt} have certificates of the CA ${issuer} (SHA-256 ${sha256.slice(0, 23)}…). If it is the CA of the cloud, add it to ${theFile(words)}, and start again.`,
  ),
  defineCase(
    { ...trust, needs: ['issuer'], is: { caProblem: 'incomplete' } },
    ({ issuer, ...words }) =>
      `${compared(words, 'add')} the CA ${issuer} to ${theFile(words)}, and start again. ${orChain}`,
  ),
  defineCase(
    { ...trust, needs: ['issuer'] },
    ({ issuer, ...words }) =>
      `${compared(words, 'set')} NODE_EXTRA_CA_CERTS to a PEM file with the CA ${issuer}, or ${words.or('caProblem', '') === 'not in the store' ? 'add it to the store of this machine' : 'NODE_USE_SYSTEM_CA=1 if the machine trusts it'}, and start again. ${orChain}`,
  ),
  defineCase(
    { ...trust, needs: ['selfSigned', 'sha256'], is: { caProblem: 'incomplete' } },
    ({ sha256, ...words }) =>
      `Add the self-signed certificate of ${server(words)} to ${theFile(words)}, if its operator confirms the SHA-256 (${sha256.slice(0, 23)}…), and start again. Or ask for a certificate from a CA.`,
  ),
  defineCase(
    { ...trust, needs: ['selfSigned'] },
    ({ selfSigned, ...words }) =>
      `Ask the operator of ${server(words)} to replace the self-signed certificate (${selfSigned}) with one from a CA. Or set NODE_EXTRA_CA_CERTS to a PEM file with it, and start again.`,
  ),
]
