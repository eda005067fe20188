import type { ConcreteFix, Finding } from './finding.ts'

interface Subject {
  /** As a sentence has it. */
  readonly name: string
  /** Where its address is set. */
  readonly address: string
}

/** The hosts that are told apart: the prefix of a code. */
const subjects = {
  AUTHORITY: { name: 'the login authority', address: 'authorityHost (PLATFORM_AUTHORITY_HOST)' },
  RESOURCE_MANAGER: {
    name: 'the resource manager',
    address: 'resourceManagerEndpoint (PLATFORM_RESOURCE_MANAGER_ENDPOINT)',
  },
  METADATA: { name: 'the metadata endpoint', address: 'metadataEndpoint of the profile' },
  IDENTITY_ENDPOINT: { name: 'the identity endpoint of this host', address: 'IDENTITY_ENDPOINT, which the host sets' },
  SERVICE: {
    name: 'the service',
    address: 'the account (PLATFORM_STORAGE_ACCOUNT, PLATFORM_KEY_VAULT) or its DNS suffix in the profile',
  },
} as const satisfies Readonly<Record<string, Subject>>

/** Who a network fault concerns: the prefix of its code. */
export type NetworkRole = keyof typeof subjects

type Text = (subject: Subject) => string

interface FaultText {
  readonly title: Text
  readonly cause: Text
  readonly fix: Text
  readonly fixes?: (subject: Subject) => readonly ConcreteFix[]
}

/** A fix that leaves the profile alone, for the login authority that the cloud's own metadata confirms. */
const agreed = ({ name }: Subject, fix: string): readonly ConcreteFix[] =>
  name === subjects.AUTHORITY.name ? [{ when: 'metadataAgrees', fix }] : []

/** Where the other authority comes from that a cloud names. Only the login authority has one to be replaced by. */
const otherAuthority = ({ name }: Subject): readonly ConcreteFix[] =>
  name === subjects.AUTHORITY.name
    ? [
        {
          fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to {authorityToSet}, which the cloud itself names; it was {authority}.',
        },
      ]
    : []

/** What can go wrong between here and a host: the rest of a code. */
const faults = {
  DNS_FAILED: {
    title: ({ name }) => `No address for ${name}`,
    cause: ({ name }) =>
      `The name of ${name} does not resolve here: it is wrong, or the DNS server of this network does not know it.`,
    fix: ({ address }) =>
      `Correct ${address}, or give the name to the DNS server that this machine asks (a private zone, a forwarder).`,
    fixes: (subject) => [
      ...otherAuthority(subject),
      {
        fix: `Correct ${subject.address}, or give the name {host} to the DNS server that this machine asks (a private zone, a forwarder).`,
      },
    ],
  },
  REFUSED: {
    title: ({ name }) => `Connection refused by ${name}`,
    cause: ({ name }) => `Nothing listens at the address and port of ${name}, or a firewall refuses the connection.`,
    fix: ({ address }) => `Correct host and port of ${address}, or start the service there and open the firewall.`,
    fixes: (subject) => [
      ...otherAuthority(subject),
      ...agreed(
        subject,
        'Start the login authority at {host}, or open the firewall on the way to it. The profile is right: the metadata of the cloud names the same host.',
      ),
      { fix: `Correct host and port of ${subject.address}, or start the service at {host} and open the firewall.` },
    ],
  },
  UNREACHABLE: {
    title: ({ name }) => `No route to ${name}`,
    cause: ({ name }) => `This network has no way to ${name}.`,
    fix: ({ address }) =>
      `Connect this host to the network of the cloud (virtual network, peering, route, local firewall), or correct ${address}.`,
    fixes: otherAuthority,
  },
  TIMEOUT: {
    title: ({ name }) => `No answer from ${name}`,
    cause: ({ name }) =>
      `A connection to ${name} or its answer took too long: packets are dropped on the way, or the host is overloaded.`,
    fix: ({ address }) =>
      `Let the network allow this host to reach it (firewall, security group, private endpoint), or correct ${address}.`,
    fixes: (subject) => [
      ...otherAuthority(subject),
      ...agreed(
        subject,
        'Let the network allow this host to reach {host} (firewall, security group, private endpoint), or its operator find out why it does not answer. The metadata of the cloud names the same host.',
      ),
      {
        fix: `Let the network allow this host to reach {host} (firewall, security group, private endpoint), or correct ${subject.address}.`,
      },
    ],
  },
  RESET: {
    title: ({ name }) => `Connection cut off by ${name}`,
    cause: ({ name }) =>
      `The connection to ${name} was closed before the answer was complete, by the host or by a device on the way.`,
    fix: ({ name }) =>
      `Let the network team look for an inspecting firewall or proxy on the way to ${name}; then try again.`,
    fixes: () => [
      { fix: 'Let the network team look for an inspecting firewall or proxy on the way to {host}; then try again.' },
    ],
  },
  UNTRUSTED: {
    title: ({ name }) => `Untrusted certificate of ${name}`,
    cause: ({ name }) => `The certificate of ${name} comes from a certificate authority that Node does not trust here.`,
    fix: () =>
      'Before the start, set NODE_EXTRA_CA_CERTS to a PEM file with the CA that the message names, or NODE_USE_SYSTEM_CA=1 if the machine trusts it. A server that sends no intermediate must be mended itself.',
    fixes: () => [
      {
        fix: 'Correct {unusable} and start again: it is set, but Node loaded no certificate from it. The file must hold the CA {issuer} as PEM. A server that sends no intermediate must be mended itself.',
      },
      {
        fix: 'Before the start, set NODE_EXTRA_CA_CERTS to a PEM file with the CA {issuer}, or NODE_USE_SYSTEM_CA=1 if the machine trusts it. If that is an intermediate, the server fails to send it and must be mended.',
      },
      {
        fix: 'Let the operator of {host} replace the certificate, which is signed by its own key ({selfSigned}), by one of a CA; or before the start set NODE_EXTRA_CA_CERTS to a PEM file with it.',
      },
    ],
  },
  CERTIFICATE_EXPIRED: {
    title: ({ name }) => `Expired certificate of ${name}`,
    cause: ({ name }) => `The certificate of ${name} has ended, or the clock here is ahead.`,
    fix: ({ name }) =>
      `Let the operator of ${name} renew its certificate. If its dates are right, set the clock of this machine.`,
    fixes: () => [
      {
        fix: 'Let the operator of {host} renew its certificate, which ended on {validTo} (issued by {issuer}). If its dates are right, set the clock of this machine.',
      },
    ],
  },
  CERTIFICATE_NOT_YET_VALID: {
    title: ({ name }) => `Certificate of ${name} not yet valid`,
    cause: ({ name }) =>
      `The certificate of ${name} begins in the future: the clock here is behind, or it was issued with a wrong date.`,
    fix: ({ name }) =>
      `Set the clock of this machine (NTP). If it is right, the operator of ${name} must replace the certificate.`,
    fixes: () => [
      {
        fix: 'Set the clock of this machine (NTP): the certificate of {host} begins on {validFrom}. If the clock is right, its operator must replace the certificate.',
      },
    ],
  },
  CERTIFICATE_NAME_MISMATCH: {
    title: ({ name }) => `Certificate of ${name} for another name`,
    cause: ({ name }) => `The certificate at the address of ${name} was issued for other host names.`,
    fix: ({ address }) =>
      `Use a name that the certificate holds in ${address}, or let the operator issue one with this name. Check that DNS leads to the right host.`,
    fixes: ({ address }) => [
      {
        fix: `Use a name that the certificate holds ({names}) in ${address}, or let the operator issue one for {host}. Check that DNS leads to the right host.`,
      },
    ],
  },
  TLS_FAILED: {
    title: ({ name }) => `No secure connection to ${name}`,
    cause: ({ name }) =>
      `The TLS handshake with ${name} failed: it speaks no TLS on that port, or no version or cipher that Node accepts here.`,
    fix: ({ address }) =>
      `Correct the port of ${address}, or let its operator enable TLS 1.2 or 1.3. In FIPS mode both sides need an approved cipher.`,
  },
  PROXY_FAILED: {
    title: ({ name }) => `Proxy failure on the way to ${name}`,
    cause: ({ name }) =>
      `A proxy variable applies to ${name}, and the proxy is wrong, does not answer, or refuses to pass the request on.`,
    fix: () =>
      'Correct HTTPS_PROXY (http://host:port), or add the host to NO_PROXY: exact names or .suffix, separated by commas; no * and no address ranges.',
    fixes: () => [
      {
        fix: 'Correct {variable}, which names the proxy {proxy}, or add {host} to NO_PROXY: exact names or .suffix, separated by commas; no * and no address ranges.',
      },
      {
        fix: 'Correct {variable} (http://host:port), or add {host} to NO_PROXY: exact names or .suffix, separated by commas.',
      },
    ],
  },
  REDIRECTED: {
    title: ({ name }) => `Redirect by ${name}`,
    cause: ({ name }) =>
      `The address of ${name} answers with a redirect, which is never followed: it could lead a secret elsewhere.`,
    fix: ({ address }) =>
      `Set ${address} to the final address. A redirect to a sign-in page means that a gateway stands in front.`,
    fixes: ({ address }) => [
      {
        fix: `If {location} is the service itself, set ${address} to it. If it is a sign-in page, a gateway stands in front, which must let this host pass.`,
      },
    ],
  },
  NOT_FOUND: {
    title: ({ name }) => `Unknown path at ${name}`,
    cause: ({ name }) => `The host of ${name} answers 404: its path or the tenant is wrong, or it is another service.`,
    fix: ({ address }) => `Correct the path of ${address}, and the tenant where there is one (PLATFORM_TENANT_ID).`,
    fixes: (subject) => [
      ...otherAuthority(subject),
      ...agreed(
        subject,
        'Correct the tenant (PLATFORM_TENANT_ID, or tenantId of the profile): {host} knows nothing at {path}. The host is right: the metadata of the cloud names the same.',
      ),
      {
        fix: `Correct the path of ${subject.address}, and the tenant where there is one (PLATFORM_TENANT_ID): {host} knows nothing at {path}.`,
      },
    ],
  },
  THROTTLED: {
    title: ({ name }) => `Too many requests to ${name}`,
    cause: ({ name }) => `Answer 429: ${name} limits how often it is asked.`,
    fix: () => 'Wait for the time it asks for, and check that no other workload with this identity asks in a loop.',
    fixes: () => [
      {
        fix: 'Wait {retryAfterSeconds} s, as {host} asks, and check that no other workload with this identity asks in a loop.',
      },
    ],
  },
  HTTP_ERROR: {
    title: ({ name }) => `Error status from ${name}`,
    cause: ({ name }) =>
      `The host of ${name} answers, but with an error status: it is out of order, or a gateway in front of it refuses.`,
    fix: ({ name, address }) =>
      `Ask the operator of ${name} for its state. If it is well, check that ${address} names it and not a gateway.`,
    fixes: ({ address }) => [
      {
        fix: `Ask the operator of {host} why it answers {status}. If it is well, check that ${address} names it and not a gateway.`,
      },
    ],
  },
  RESPONSE_TOO_LARGE: {
    title: ({ name }) => `Too large an answer from ${name}`,
    cause: ({ name }) => `The answer of ${name} went over the limit of 1 MiB, which no real answer comes near.`,
    fix: ({ address }) => `Check that ${address} names the service itself; something else answers there.`,
    fixes: ({ address }) => [
      { fix: `Check that ${address} names the service itself: something else answers at {host}.` },
    ],
  },
  RESPONSE_INVALID: {
    title: ({ name }) => `Unusable answer from ${name}`,
    cause: ({ name }) =>
      `What answers at the address of ${name} does not speak its protocol: a portal, a gateway or another service.`,
    fix: ({ address }) =>
      `Correct ${address}. A sign-in page of the network must be passed, or be lifted for this host.`,
    fixes: (subject) => [
      ...otherAuthority(subject),
      ...agreed(
        subject,
        'Let whatever answers in place of the login authority at {host} (a gateway, a sign-in page of the network) pass this host. The metadata of the cloud names the same host.',
      ),
      {
        fix: `Correct ${subject.address}, if {host} is not the service. A sign-in page of the network must be passed, or be lifted for this host.`,
      },
    ],
  },
} as const satisfies Readonly<Record<string, FaultText>>

/** What can go wrong between here and a host, told apart. */
export type NetworkFault = keyof typeof faults

/** A network failure of one role, such as `AUTHORITY_UNTRUSTED`. */
export type NetworkErrorCode = `${NetworkRole}_${NetworkFault}`

/** A host without an identity is the usual reason why its endpoint cannot be reached. */
const noIdentity = {
  cause:
    'The identity endpoint of this host cannot be reached: most often the host has no managed identity, or is none that offers one.',
  fix: 'Assign a managed identity to the function app, machine or pod and restart it, or set AUTH_MODE to a mode that this host supports.',
  fixes: [],
}

const special: Readonly<Partial<Record<NetworkErrorCode, Partial<Finding>>>> = {
  AUTHORITY_DNS_FAILED: { symptoms: ['Network request failed at credential use'] },
  AUTHORITY_REFUSED: { symptoms: ['Network request failed at credential use'] },
  AUTHORITY_UNREACHABLE: { symptoms: ['Network request failed at credential use'] },
  AUTHORITY_TIMEOUT: { symptoms: ['Network request failed at credential use'] },
  AUTHORITY_UNTRUSTED: { symptoms: ['Network request failed at credential use'] },
  IDENTITY_ENDPOINT_DNS_FAILED: noIdentity,
  IDENTITY_ENDPOINT_REFUSED: noIdentity,
  IDENTITY_ENDPOINT_UNREACHABLE: noIdentity,
  IDENTITY_ENDPOINT_TIMEOUT: noIdentity,
  IDENTITY_ENDPOINT_NOT_FOUND: noIdentity,
  SERVICE_DNS_FAILED: {
    cause:
      'The host name of the account does not resolve: the account does not exist, or its DNS suffix is that of another cloud.',
    fix: 'Correct PLATFORM_STORAGE_ACCOUNT or PLATFORM_KEY_VAULT, or the suffix: PLATFORM_STORAGE_DNS_SUFFIX, PLATFORM_KEYVAULT_DNS_SUFFIX. A private endpoint needs its private DNS zone.',
    fixes: [
      {
        fix: 'No DNS server knows {host}: correct PLATFORM_STORAGE_ACCOUNT or PLATFORM_KEY_VAULT, or the suffix: PLATFORM_STORAGE_DNS_SUFFIX, PLATFORM_KEYVAULT_DNS_SUFFIX. A private endpoint needs its private DNS zone.',
      },
    ],
    symptoms: ['Token acquisition failed'],
  },
}

/** One finding for every fault of every role. */
export const networkFindings: Readonly<Record<NetworkErrorCode, Finding>> = Object.fromEntries(
  Object.entries(subjects).flatMap(([role, subject]) =>
    Object.entries(faults satisfies Readonly<Record<string, FaultText>> as Readonly<Record<string, FaultText>>).map(
      ([fault, { title, cause, fix, fixes }]) => {
        const code = `${role}_${fault}` as NetworkErrorCode
        const concrete = fixes === undefined ? {} : { fixes: fixes(subject) }
        const general = { title: title(subject), cause: cause(subject), fix: fix(subject), ...concrete }
        return [code, { ...general, ...special[code] }]
      },
    ),
  ),
) as Record<NetworkErrorCode, Finding>
