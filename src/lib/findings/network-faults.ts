import type { ConcreteFix } from './finding.ts'
import { profileIsCorrect, setAuthority } from './shared-fixes.ts'

/** A kind of host, in the words of its findings. */
export interface Subject {
  /** Noun phrase for the middle of a sentence. */
  readonly name: string
  /** The field and variable that set its address. */
  readonly address: string
}

/** Kinds of host: the prefix of a code. */
export const subjects = {
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

/** The kind of host that a network fault concerns. */
export type NetworkRole = keyof typeof subjects

type Text = (subject: Subject) => string

export interface FaultText {
  readonly title: Text
  readonly cause: Text
  readonly fix: Text
  readonly fixes?: (subject: Subject) => readonly ConcreteFix[]
}

/** Fixes that only the login authority has: the metadata of the cloud can name another authority, or confirm this authority. */
const ifAuthority = (subject: Subject, ...fixes: readonly ConcreteFix[]): readonly ConcreteFix[] =>
  isAuthority(subject) ? fixes : []

const isAuthority = ({ name }: Subject): boolean => name === subjects.AUTHORITY.name

/** Where the path of a request comes from. Only the login authority has the tenant in it. */
const pathOf = (subject: Subject): string =>
  `the path of ${subject.address}${isAuthority(subject) ? ' and the tenant (PLATFORM_TENANT_ID)' : ''}`

const removeExemption = ({ address }: Subject): ConcreteFix => ({
  fix: `If {host} is reachable only through the proxy of {exempted}, remove {exemptingEntry} from {exemptionVariable}. If not, allow traffic from this machine to {host}, or correct ${address}.`,
})

/** @param host The evidence that names the server with the certificate. */
const untrustedFixes = (host: 'host' | 'distrustedProxy'): readonly ConcreteFix[] => [
  {
    fix: 'Correct the path in NODE_EXTRA_CA_CERTS, or let this process read the file ({unreadable}), and start again. The file must contain the CA that the message names, as PEM.',
  },
  {
    fix: 'Replace the file of {withoutCertificate}, which holds no PEM certificate, by one with the CA that the message names, and start again.',
  },
  {
    fix: 'Extend the PEM file of {incompleteFile} with the CA {issuer}, and start again. If it is an intermediate CA, ask the operator of the server to send the whole chain.',
  },
  {
    fix: `Extend the PEM file of {incompleteFile} with the certificate of {${host}} ({selfSigned}), and start again. Or ask the operator of {${host}} for a certificate from a CA.`,
  },
  {
    when: 'incompleteStore',
    fix: 'Add the CA {issuer} to the store of this machine, or set NODE_EXTRA_CA_CERTS to a PEM file with it, and start again. If it is an intermediate CA, ask the operator of the server to send the whole chain.',
  },
  {
    fix: 'Set NODE_EXTRA_CA_CERTS to a PEM file with the CA {issuer}, or NODE_USE_SYSTEM_CA=1 if the machine trusts it, and start again. If it is an intermediate CA, ask the operator of the server to send the whole chain.',
  },
  {
    fix: `Ask the operator of {${host}} to replace the self-signed certificate ({selfSigned}) with one from a CA. Or set NODE_EXTRA_CA_CERTS to a PEM file with it, and start again.`,
  },
]

/** By the evidence of a failed proxy: first its address, then TLS, then its refusal. */
function proxyFixes({ address }: Subject): readonly ConcreteFix[] {
  const exempt = 'If {host} needs no proxy, add {host} to {exemptionVariable}.'
  return [
    { fix: `Set {variable} to {proxyToSet}. ${exempt}` },
    {
      when: 'accountMalformed',
      fix: `Replace special characters of the user name and password in {variable} by percent codes (% by %25, @ by %40, / by %2F, # by %23). ${exempt}`,
    },
    {
      fix: 'Add {host} to {exemptionVariable}: its entry {ignoredEntry} does not exempt this host. The service reads exact names and .suffix, separated by commas, in lower case.',
    },
    { fix: `Correct the host of {variable}: no DNS server knows {unknownProxy}. ${exempt}` },
    {
      fix: `Check the DNS servers of this machine: none responded to the lookup of the proxy {unresolvedProxy} ({variable}). ${exempt}`,
    },
    {
      fix: `Correct the host and port of {variable}, or start the proxy: nothing responds at {silentProxy}. ${exempt}`,
    },
    { fix: 'Replace https: with http: in {variable}: the proxy {plainProxy} does not speak TLS.' },
    { fix: 'Replace http: with https: in {variable}: the proxy {tlsProxy} speaks TLS.' },
    {
      fix: "Ask the operator of the proxy {distrustedProxy} to renew its certificate, which expired on {validTo}. If its dates are correct, synchronize this machine's clock (NTP).",
    },
    {
      fix: "Synchronize this machine's clock (NTP): the certificate of the proxy {distrustedProxy} is valid from {validFrom}. If the clock is correct, ask the operator of the proxy to replace it.",
    },
    {
      fix: 'Set the host of {variable} to a name in the certificate of the proxy ({names}), or ask its operator to issue a certificate for {distrustedProxy}.',
    },
    ...untrustedFixes('distrustedProxy'),
    {
      fix: `Ask the operator of the proxy {proxy} to accept Basic, or this machine without sign-in: the proxy requires {unsupportedAuthentication}, which the service does not offer. ${exempt}`,
    },
    {
      when: 'accountMissing',
      fix: `Add the user name and password of the proxy {proxy} to {variable} (http://USER:PASSWORD@host:port, percent-encoded). ${exempt}`,
    },
    {
      when: 'accountRefused',
      fix: `Correct the user name and password in {variable} (percent-encoded): the proxy {proxy} refused them. ${exempt}`,
    },
    {
      when: 'waitingProxy',
      fix: `Ask the operator of the proxy {proxy} why it makes no connection to {host}. If {host} is wrong, correct ${address}. ${exempt}`,
    },
    {
      fix: `Ask the operator of the proxy {proxy} to allow connections to {host}, which it refused ({proxyStatus}). If {host} is wrong, correct ${address}. ${exempt}`,
    },
    { fix: `Correct {variable}, which names the proxy {proxy}. ${exempt}` },
    { fix: `Set {variable} to the address of the proxy (http://host:port). ${exempt}` },
  ]
}

/** Faults of a connection to a host, and of its response: the rest of a code. */
export const faults = {
  DNS_FAILED: {
    title: ({ name }) => `DNS lookup failed for ${name}`,
    cause: ({ name }) => `The host name of ${name} is wrong, or the DNS server of this network does not know it.`,
    fix: ({ address }) =>
      `Correct ${address}, or add the name to the DNS server that this machine uses (a private zone, a forwarder).`,
    fixes: (subject) => [
      ...ifAuthority(subject, setAuthority),
      {
        fix: `If the proxy of {exempted} knows {host}, remove {exemptingEntry} from {exemptionVariable}. If not, correct ${subject.address}, or add the name to the DNS server that this machine uses.`,
      },
      {
        fix: `Correct ${subject.address}, or add the name {host} to the DNS server that this machine uses (a private zone, a forwarder).`,
      },
    ],
  },
  DNS_UNAVAILABLE: {
    title: ({ name }) => `DNS server failed for ${name}`,
    cause: ({ name }) =>
      `No DNS server of this machine responded to the lookup of ${name}. The name itself may be correct: nothing is known about it.`,
    fix: () =>
      'Check the DNS servers of this machine and the network to them (UDP and TCP port 53). Do not change the profile.',
    fixes: () => [
      {
        fix: 'Check the DNS servers of this machine ({servers}) and the network to them (UDP and TCP port 53). Do not change the profile: the name {host} may be correct.',
      },
    ],
  },
  REFUSED: {
    title: ({ name }) => `Connection refused by ${name}`,
    cause: ({ name }) => `Nothing listens at the address and port of ${name}, or a firewall refuses the connection.`,
    fix: ({ address }) => `Correct the host and port of ${address}, or start the service there and open the firewall.`,
    fixes: (subject) => [
      ...ifAuthority(subject, setAuthority),
      removeExemption(subject),
      ...ifAuthority(
        subject,
        profileIsCorrect(
          'Start the login authority at {host}, or open the firewall between this machine and {host}.',
          'this host',
        ),
      ),
      { fix: `Correct the host and port of ${subject.address}, or start the service at {host} and open the firewall.` },
    ],
  },
  UNREACHABLE: {
    title: ({ name }) => `No route to ${name}`,
    cause: ({ name }) => `This network has no route to ${name}.`,
    fix: ({ address }) =>
      `Connect this host to the network of the cloud (virtual network, peering, route, local firewall), or correct ${address}.`,
    fixes: (subject) => [...ifAuthority(subject, setAuthority), removeExemption(subject)],
  },
  TIMEOUT: {
    title: ({ name }) => `No response from ${name}`,
    cause: ({ name }) =>
      `A connection to ${name} or its response took too long: the network drops packets, or the host is overloaded.`,
    fix: ({ address }) =>
      `Allow traffic from this machine to the host (firewall, security group, private endpoint), or correct ${address}.`,
    fixes: (subject) => [
      ...ifAuthority(subject, setAuthority),
      removeExemption(subject),
      ...ifAuthority(
        subject,
        profileIsCorrect(
          'Allow traffic from this machine to {host} (firewall, security group, private endpoint), or ask its operator why it does not respond.',
          'this host',
        ),
      ),
      {
        fix: `Allow traffic from this machine to {host} (firewall, security group, private endpoint), or correct ${subject.address}.`,
      },
    ],
  },
  RESET: {
    title: ({ name }) => `Connection reset by ${name}`,
    cause: ({ name }) =>
      `The host or a device on the network path closed the connection to ${name} before the response was complete.`,
    fix: ({ name }) =>
      `Ask the network team to look for an inspecting firewall or proxy between this machine and ${name}. Then try again.`,
    fixes: ({ address }) => [
      {
        fix: `If {host} expects TLS, set ${address} to {addressWithTls}. If not, ask the network team to look for an inspecting firewall or proxy between this machine and {host}.`,
      },
      {
        fix: 'Ask the network team to look for an inspecting firewall or proxy between this machine and {host}. Then try again.',
      },
    ],
  },
  UNTRUSTED: {
    title: ({ name }) => `Untrusted certificate of ${name}`,
    cause: ({ name }) => `The certificate of ${name} comes from a certificate authority that Node does not trust here.`,
    fix: () =>
      'Set NODE_EXTRA_CA_CERTS to a PEM file with the CA that the message names, or NODE_USE_SYSTEM_CA=1 if the machine trusts it, and start again. If the server sends no intermediate certificate, ask its operator to add it.',
    fixes: () => untrustedFixes('host'),
  },
  CERTIFICATE_EXPIRED: {
    title: ({ name }) => `Expired certificate of ${name}`,
    cause: ({ name }) => `The certificate of ${name} or of its issuer has expired, or the local clock is ahead.`,
    fix: ({ name }) =>
      `Ask the operator of ${name} to renew its certificate. If its dates are correct, synchronize this machine's clock (NTP).`,
    fixes: () => [
      {
        fix: "Ask the operator of {host} to send a chain without the CA {expiredIssuer}, which expired on {validTo}. If its dates are correct, synchronize this machine's clock (NTP).",
      },
      {
        fix: "Ask the operator of {host} to renew its certificate, which expired on {validTo} (issued by {issuer}). If its dates are correct, synchronize this machine's clock (NTP).",
      },
    ],
  },
  CERTIFICATE_NOT_YET_VALID: {
    title: ({ name }) => `Certificate of ${name} not yet valid`,
    cause: ({ name }) =>
      `The certificate of ${name} is not valid yet: the local clock is behind, or the certificate has a wrong date.`,
    fix: ({ name }) =>
      `Synchronize this machine's clock (NTP). If the clock is correct, ask the operator of ${name} to replace the certificate.`,
    fixes: () => [
      {
        fix: "Synchronize this machine's clock (NTP): the certificate of {host} is valid from {validFrom}. If the clock is correct, ask the operator of {host} to replace the certificate.",
      },
    ],
  },
  CERTIFICATE_NAME_MISMATCH: {
    title: ({ name }) => `Certificate of ${name} for another name`,
    cause: ({ name }) => `The certificate at the address of ${name} was issued for other host names.`,
    fix: ({ address }) =>
      `Set ${address} to a name in the certificate, or ask the operator to issue a certificate for this name. Check that DNS leads to the correct host.`,
    fixes: ({ address }) => [
      {
        fix: `Set ${address} to a name in the certificate ({names}), or ask the operator to issue a certificate for {host}. Check that DNS leads to the correct host.`,
      },
    ],
  },
  CERTIFICATE_INVALID: {
    title: ({ name }) => `Invalid certificate of ${name}`,
    cause: ({ name }) =>
      `A certificate in the chain of ${name} breaks a rule: it is not for servers, its issuer may not issue it (name constraint, path length), or its signature does not match.`,
    fix: ({ name }) =>
      `Ask the operator of ${name} to replace the certificate chain. The message names the rule. Another trusted CA does not help.`,
    fixes: () => [
      {
        fix: 'Ask the operator of {host} to replace the certificate chain ({rule}). Another trusted CA does not help.',
      },
    ],
  },
  CERTIFICATE_WEAK: {
    title: ({ name }) => `Weak or unsupported certificate of ${name}`,
    cause: ({ name }) =>
      `OpenSSL refuses a signature or key in the certificate chain of ${name}, such as SHA-1, or RSA with fewer than 2048 bits.`,
    fix: ({ name }) =>
      `Ask the operator of ${name} to renew the chain with SHA-256 signatures and RSA keys of 2048 bits or more, or P-256.`,
    fixes: () => [
      {
        fix: 'Ask the operator of {host} to renew the certificate {weakCertificate}, which {weakness}, with a SHA-256 signature and an RSA key of 2048 bits or more, or P-256.',
      },
      {
        fix: 'Ask the operator of {host} to renew the chain with SHA-256 signatures and RSA keys of 2048 bits or more, or P-256.',
      },
    ],
  },
  CERTIFICATE_IPV6_UNSUPPORTED: {
    title: ({ name }) => `IPv6 literal of ${name} refused by this Node`,
    cause: ({ name }) =>
      `The address of ${name} has an IPv6 literal as host. This release of Node matches no certificate with one, and the certificate may be correct.`,
    fix: ({ address }) => `Set ${address} to a host name, or run Node 24.`,
    fixes: ({ address }) => [
      { fix: `Set ${address} to a host name in place of {host}, or run Node 24 in place of {nodeVersion}.` },
    ],
  },
  TLS_FAILED: {
    title: ({ name }) => `TLS handshake failed with ${name}`,
    cause: ({ name }) =>
      `The TLS handshake with ${name} failed: the port does not speak TLS, or Node accepts no version, cipher or kind of key that it offers.`,
    fix: ({ address }) =>
      `Correct the port of ${address}, or ask its operator to enable TLS 1.2 or 1.3 with an RSA-2048 or P-256 key. In FIPS mode, both sides need an approved cipher.`,
  },
  PROXY_FAILED: {
    title: ({ name }) => `Proxy failed for ${name}`,
    cause: ({ name }) =>
      `A proxy variable applies to ${name}. Its address is wrong, or the proxy does not respond or refuses the request.`,
    fix: () =>
      'Correct HTTPS_PROXY (http://host:port), or add the host to NO_PROXY: exact names or .suffix, separated by commas; no * and no address ranges.',
    fixes: proxyFixes,
  },
  REDIRECTED: {
    title: ({ name }) => `Redirect from ${name}`,
    cause: ({ name }) =>
      `The address of ${name} returns a redirect. The service follows none, because a redirect could lead a secret to another host.`,
    fix: ({ address }) =>
      `Correct ${address}. If the redirect leads to a sign-in page, ask the operator of that gateway to let this host pass.`,
    fixes: ({ address }) => [
      {
        fix: `If {movedTo} is the service, set ${address} to {movedTo}. If it is a sign-in page, ask the operator of that gateway to let this host pass.`,
      },
      {
        fix: `Correct ${address}. If the redirect to {location} leads to a sign-in page, ask the operator of that gateway to let this host pass.`,
      },
    ],
  },
  NOT_FOUND: {
    title: ({ name }) => `Unknown path at ${name}`,
    cause: (subject) =>
      `The host of ${subject.name} returned 404: the path${isAuthority(subject) ? ' or the tenant' : ''} is wrong, or another service runs there.`,
    fix: (subject) => `Correct ${pathOf(subject)}.`,
    fixes: (subject) => [
      ...ifAuthority(
        subject,
        setAuthority,
        { fix: 'Ask the operator of {host} why its token endpoint {tokenPath} returns 404.' },
        profileIsCorrect('Correct PLATFORM_TENANT_ID: {host} has nothing at {path}.', 'this host'),
      ),
      { fix: `Correct ${pathOf(subject)}: {host} has nothing at {path}.` },
    ],
  },
  THROTTLED: {
    title: ({ name }) => `Too many requests to ${name}`,
    cause: ({ name }) => `Status 429: ${name} limits the number of requests.`,
    fix: () =>
      'Wait for the time that the host requests, and check that no other workload with this identity sends requests in a loop.',
    fixes: () => [
      {
        fix: 'Wait {retryAfterSeconds} s, as {host} requests, and check that no other workload with this identity sends requests in a loop.',
      },
    ],
  },
  HTTP_ERROR: {
    title: ({ name }) => `Error status from ${name}`,
    cause: ({ name }) =>
      `The host of ${name} returned an error status: the service is out of order, or a gateway in front of it refuses.`,
    fix: ({ name, address }) =>
      `Ask the operator of ${name} for its state. If it is healthy, check that ${address} names it and not a gateway.`,
    fixes: ({ address }) => [
      {
        fix: `Ask the operator of {host} why it returns {status}. If it is healthy, check that ${address} names it and not a gateway.`,
      },
    ],
  },
  RESPONSE_TOO_LARGE: {
    title: ({ name }) => `Response from ${name} too large`,
    cause: ({ name }) => `The response from ${name} exceeds the limit of 1 MiB, far above any genuine response.`,
    fix: ({ address }) => `Check that ${address} names the service, and not a gateway or portal.`,
    fixes: ({ address }) => [{ fix: `Check that ${address} names the service: something else responds at {host}.` }],
  },
  RESPONSE_INVALID: {
    title: ({ name }) => `Invalid response from ${name}`,
    cause: ({ name }) =>
      `The response from the address of ${name} breaks its protocol: a portal, a gateway or another service responds.`,
    fix: ({ address }) =>
      `Correct ${address}. If a sign-in page of the network responds, ask the network team to exempt this host.`,
    fixes: (subject) => [
      ...ifAuthority(
        subject,
        setAuthority,
        profileIsCorrect(
          'Ask the network team to let this host pass the gateway or sign-in page that responds instead of the login authority at {host}.',
          'this host',
        ),
      ),
      {
        fix: `If {host} is not the service, correct ${subject.address}. If a sign-in page of the network responds, ask the network team to exempt this host.`,
      },
    ],
  },
} as const satisfies Readonly<Record<string, FaultText>>

/** A fault of a connection or of its response. */
export type NetworkFault = keyof typeof faults
