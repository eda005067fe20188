import type { Facts, FixRow } from './finding.ts'
import { ask, because, given, sets, when } from './fix-row.ts'

const trust = sets('NODE_EXTRA_CA_CERTS')
const orChain = () => 'If it is an intermediate CA, ask the operator of the server to send the whole chain.'

/** Before a CA is trusted, somebody must know whose it is: it could read all secrets. */
const compare = ({ sha256 }: Facts): string =>
  sha256 === undefined ? '' : ` Compare its SHA-256 ${sha256.slice(0, 23)}… with the cloud operator first.`

/** Fixes of a certificate from an authority that is not trusted. @param hostIn The server with the certificate. */
export function untrustedFixes(hostIn: (facts: Facts) => string | undefined): readonly FixRow[] {
  return [
    trust`Correct the path in NODE_EXTRA_CA_CERTS, or let this process read the file (${'unreadable'}), and start again. The file must contain the CA that the message names, as PEM.`,
    trust`Replace the file of ${'withoutCertificate'}, which holds no PEM certificate, by one with the CA that the message names, and start again.`,
    because(
      'The server sends its certificate without the intermediate CA that issued it.',
      ask`Ask the operator of ${hostIn} to send the intermediate CA ${'issuer'} with its certificate, as ${'sentBy'} does. The trusted CAs of this process are complete.`,
    ),
    because(
      'The CA was renewed under the same name with another key, and this process trusts its old certificate only.',
      trust`Add the renewed certificate of the CA ${'issuer'} to ${({ caFile }) => caFile ?? 'the file of NODE_EXTRA_CA_CERTS'}, and start again: the file has its old key ${({ trustedKeyId }) => trustedKeyId?.slice(0, 11)}, and the server uses ${({ keyId }) => keyId?.slice(0, 11)}.`,
    ),
    trust`Extend the PEM file of ${'incompleteFile'}${inFile} with the CA ${'issuer'}, and start again. ${orChain}${compare}`,
    trust`Extend the PEM file of ${'incompleteFile'}${inFile} with the certificate of ${hostIn} (${'selfSigned'}), and start again. Or ask the operator of ${hostIn} for a certificate from a CA.`,
    when(
      'incompleteStore',
      trust`Add the CA ${'issuer'} to the store of this machine, or set NODE_EXTRA_CA_CERTS to a PEM file with it, and start again. ${orChain}`,
    ),
    trust`Set NODE_EXTRA_CA_CERTS to a PEM file with the CA ${'issuer'}, or NODE_USE_SYSTEM_CA=1 if the machine trusts it, and start again. ${orChain}${compare}`,
    trust`Ask the operator of ${hostIn} to replace the self-signed certificate (${'selfSigned'}) with one from a CA. Or set NODE_EXTRA_CA_CERTS to a PEM file with it, and start again.`,
  ]
}

const inFile = given('caFile', ' (', ')')
