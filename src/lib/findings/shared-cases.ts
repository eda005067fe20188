import type { Case } from './finding.ts'

// Cases and parts of texts that several findings share.

/** Ends a fix outside of the profile: the address to correct, or the proof that it is correct. */
export const orCorrect = '[, or correct {address.setting}.|.{address.proof}|.]'

/** A wrong local clock makes correct dates look wrong, so the fix mentions the clock unless a host agrees with it. */
export const ifDatesAreCorrect = "[{clockProof}| If its dates are correct, synchronize this machine's clock (NTP).]"

/** Begins the fix for a host without a proxy, because NO_PROXY exempts it. What to do if the host needs no proxy follows. */
export const unlessExempt =
  'If only the proxy of {variable} reaches {host}, remove {exemptingEntry} from {noProxy}. If not, '

/** The login authority that the cloud publishes. */
export const setAuthority =
  'Set {authorityHost.change} to {authorityToSet.value}, which the cloud publishes. The current value is {authority}.'

/** The audience that the cloud publishes. */
export const setAudience =
  'Set {resourceManagerAudience.change} to {audienceToSet.value}, which the cloud publishes. The current value is {audience}.'

/** The audience in the profile is left over from another cloud. */
export const setCounterpart = 'Set {audience.change} to {audienceToUse.value}. {counterpart}.'

/** The name resolves to an address that can't belong to the host. */
export const wrongAddress = [
  {
    cause: 'The name resolves to an address of this machine, but the host is another machine.',
    fix: '{addressKind=this machine} Correct the DNS record of {host} (or its line in the hosts file of this machine): it resolves to {address}, which is this machine and not the host.',
  },
  'Add {host} to the private DNS zone that this network uses: it resolves to the public address {address}, but {sibling} has the private address {siblingAddress}.',
] as const satisfies readonly (string | Case)[]

const tenantsCloud = '(the tenant belongs to {tenantCloud}[, Graph host {graphHost}])[, or correct {tenantId.setting}].'

/** The tenant's OpenID configuration names another cloud. */
export const tenantOfAnotherCloud = [
  `{profileFile.known} Unset CUSTOM_CLOUD_PROFILE_PATH and set PLATFORM_CLOUD={platformCloud} ${tenantsCloud}`,
  `Set {PLATFORM_CLOUD.change}={platformCloud.value} ${tenantsCloud}`,
  'Use a profile of {tenantCloud}, which the tenant belongs to[ (Graph host {graphHost})][, or correct {tenantId.setting}].',
] as const satisfies readonly (string | Case)[]

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
