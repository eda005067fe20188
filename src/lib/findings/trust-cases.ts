import type { Case } from './finding.ts'

/** The proxy, if its certificate is the untrusted one, else the host. */
const owner = '[{proxy}|{at}]'
const theFile = 'the PEM file of {NODE_EXTRA_CA_CERTS.change}[ ({caFile})]'
const orChain = 'If it is an intermediate CA, ask the operator of the server to send the whole chain.'
/** Whoever owns a trusted CA can read every secret, so a person must verify the CA first. */
const compare = 'Compare the SHA-256 of this CA ({sha256}) with the cloud operator. Then'
const setFile = `[${compare} set|Set] {NODE_EXTRA_CA_CERTS.change} to a PEM file with the CA {issuer}`

/** Fixes for an untrusted certificate of a host, or of the proxy in front of it. */
export const trustCases = [
  '{caProblem=unreadable} Correct the path in {NODE_EXTRA_CA_CERTS.change}, or let this process read the file ({reason}), and start again. The file must contain the CA that the message names, as PEM.',
  '{caProblem=no certificate} Replace the file of {NODE_EXTRA_CA_CERTS.change}, which contains no PEM certificate, with one that contains the CA in the message, and start again.',
  {
    cause: 'The CA was renewed under the same name with another key, and this process trusts only its old certificate.',
    fix: `Add the renewed certificate of the CA {issuer} to ${theFile}, and start again: the CA in the file (SHA-256 {trustedSha256.start}) has another key and did not issue the certificate of ${owner}.`,
  },
  {
    cause: 'The server sends its certificate without the intermediate CA that issued it.',
    fix: `Ask the operator of ${owner} to send the intermediate CA {issuer} with its certificate, as {sentBy} does. This process needs no further CA.`,
  },
  {
    cause:
      'All hosts have certificates of one CA that is not in the CA file of this process: a device in this network may inspect TLS, and could then read the secret.',
    fix: `{caProblem=incomplete} Ask the network team whether a device inspects TLS: ${owner} and {sameIssuerAt} have certificates of the CA {issuer} (SHA-256 {sha256.start}). If it is the CA of the cloud, add it to the PEM file of NODE_EXTRA_CA_CERTS[ ({caFile})], and start again.`,
  },
  `{caProblem=incomplete} [${compare} add|Add] the CA {issuer} to ${theFile}, and start again. ${orChain}`,
  `{caProblem=not in the store} ${setFile}, or add it to the store of this machine, and start again. ${orChain}`,
  `${setFile}, or NODE_USE_SYSTEM_CA=1 if the machine trusts it, and start again. ${orChain}`,
  `{selfSigned.known} {caProblem=incomplete} Add the self-signed certificate of ${owner} to ${theFile}, if its operator confirms the SHA-256 ({sha256.start}), and start again. Or ask for a certificate from a CA.`,
  `Ask the operator of ${owner} to replace the self-signed certificate ({selfSigned}) with one from a CA. Or set {NODE_EXTRA_CA_CERTS.change} to a PEM file with it, and start again.`,
] as const satisfies readonly (string | Case)[]
