import { trustCases } from './certificate-faults.ts'
import type { Finding } from './finding.ts'
import { ifDatesAreCorrect, orCorrect, setAuthority, unlessExempt } from './shared-cases.ts'

// Faults before a response: proxy, DNS, TCP.

/** The name resolves to an address that can't belong to the host. */
const wrongAddress = [
  '{addressKind=this machine} Correct the DNS record of {host} (or its line in the hosts file of this machine): it resolves to {address}, which is this machine and not the host.',
  'Add {host} to the private DNS zone that this network uses: it resolves to the public address {address}, but {sibling} has the private address {siblingAddress}.',
] as const

const allowTraffic = `{tcp.open} ${unlessExempt}allow traffic from this machine to {at}${orCorrect}`

/** A wrong address, a wrong login authority or a needless exemption explain a host that isn't reached. */
const unreached = [...wrongAddress, setAuthority, allowTraffic] as const

const theName =
  'the name[ {host}] to the DNS server that this machine uses (a private zone, a forwarder), or set HTTPS_PROXY'

const theHost = '{name}[ at {host}] and open the firewall'

/** The host may need no proxy. */
const exempt = '[ If {host} needs no proxy, add {host} to {noProxy}.]'
/** The proxy resolves the name, so a wrong host name looks like a refusal by the proxy. */
const orAddress = '[ If {at} is wrong, correct {address.setting}.]'

const account = `the user name and password of the proxy {proxy} in {variable.change} (http://USER:PASSWORD@host:port, percent-encoded).${exempt}`

export const connectionFaults = {
  DNS_FAILED: {
    title: 'Name of {name} does not resolve',
    signs: [
      'no such host',
      'name or service not known',
      'nodename nor servname provided',
      'could not resolve host',
      'remote name could not be resolved',
      'UnknownHostException',
      'NameResolutionError',
    ],
    cause: 'The DNS server of this network does not resolve the name of {name}[{address.open}, or the name is wrong].',
    fix: `Add ${theName}.[{address.proof}]`,
    cases: [
      setAuthority,
      `${unlessExempt}add the name to the DNS server that this machine uses${orCorrect}`,
      `Correct {address.change}, or add ${theName}.`,
    ],
  },
  DNS_UNAVAILABLE: {
    title: 'DNS server failed for {name}',
    signs: ['temporary failure in name resolution', 'server misbehaving'],
    cause: 'No DNS server of this machine responded, or its lookup of {name} failed. The name itself may be correct.',
    fix: 'Check the DNS servers of this machine[ ({servers})] and the network to them (UDP and TCP port 53). Do not change the profile[: the name {host} may be correct].',
    cases: [
      'Ask the operator of the DNS server ({servers}) why it responds {problem} for {host}: a forwarder that it cannot reach, or a broken zone or signature. Do not change the profile.',
    ],
  },
  REFUSED: {
    title: 'Connection refused by {name}',
    signs: ['connection refused', 'actively refused it'],
    cause: 'Nothing listens at the address and port of {name}, or a firewall refuses the connection.',
    fix: `{tcp.open} Start ${theHost}.[{address.proof}]`,
    cases: [...unreached, `{tcp.open} Correct the host and port of {address.change}, or start ${theHost}.`],
  },
  UNREACHABLE: {
    title: 'No route to {name}',
    signs: ['network is unreachable', 'no route to host'],
    cause: 'This network has no route to {name}, or a firewall or device on the path rejects the packets.',
    fix: `{tcp.open} Connect this host to the network of the cloud (virtual network, peering, route, local firewall)${orCorrect}`,
    cases: [
      ...unreached,
      `{tcp.open} {reason=EACCES|EPERM|EHOSTUNREACH} Allow traffic from this process to {host}: a firewall, a rule of this machine (security policy, sandbox, route) or a router on the path rejects it ({reason}). If none does, check that the address exists and has a route${orCorrect}`,
    ],
  },
  TIMEOUT: {
    title: 'No response from {name}',
    signs: ['i/o timeout', 'connection timed out', 'connect timed out', 'read timed out', 'context deadline exceeded'],
    cause: 'The network drops packets or delays them (firewall, inspecting device, MTU), or {name} is overloaded.',
    fix: `{tcp.open} Allow traffic from this machine to {at} (firewall, security group, private endpoint)${orCorrect}`,
    cases: [
      ...wrongAddress,
      // The port accepts connections, but a higher layer is silent. So a firewall rule for the port isn't the cause.
      '{passed=tcp} Ask the network team to check the path MTU to {at} and to look for an inspecting device. Ask the operator of {at} whether it is overloaded. The TCP connection works, so no firewall rule for the port is the cause.',
      '{passed=tls|response} Ask the operator of {at} why [{path}|this request] gets no[{receivedBytes.known} complete] response in time[: only {receivedBytes} bytes arrived|: {otherPath} of the same host responds]. If the host or the network is only slow, raise PLATFORM_TOKEN_TIMEOUT_MS.',
      setAuthority,
      allowTraffic,
    ],
  },
  RESET: {
    title: 'Connection reset by {name}',
    signs: [
      'connection reset',
      'forcibly closed by the remote host',
      'socket hang up',
      'EOF occurred in violation of protocol',
    ],
    cause: 'A device on the network path or {name} closed the connection before the response was complete.',
    fix: 'Ask the network team to look for an inspecting firewall or proxy between this machine and {at}. Then try again.',
    cases: [
      'Ask the operator of {host}, or of a proxy or gateway in front of it, why its response to [{path}|this request] ends early, after {receivedBytes} bytes. Then try again.',
      'If {host} expects TLS, set {address.change} to {addressToSet.value}. If not, ask the network team to look for an inspecting firewall or proxy between this machine and {host}.',
    ],
  },
  PROXY_FAILED: {
    title: 'Proxy failed for {name}',
    signs: ['proxy authentication required', 'tunnel connection failed', 'CONNECT tunnel failed', 'proxyconnect tcp'],
    cause: 'The proxy for {name} has a wrong address, does not respond, or refuses the request.',
    fix: 'Correct HTTPS_PROXY (http://host:port), or add the host to NO_PROXY: exact names or .suffix, separated by commas; no * and no address ranges.',
    // First the address of the proxy, then TLS, then its refusal.
    cases: [
      '{problem=configuration file} Set {variable.change} to the proxy that its configuration file (PAC) names for {at}, as http://host:port: the service cannot evaluate such a file.',
      `Set {variable.change} to {proxyToSet.value}.${exempt}`,
      '{problem=account malformed} Percent-encode special characters of the user name and password in {variable.change} (% as %25, @ as %40, / as %2F, # as %23).',
      'Add {host} to {noProxy.change}: its entry {ignoredEntry} does not exempt this host. The service reads exact names and .suffix, separated by commas, in lower case.',
      `{problem=unknown name|silent} Correct the host and port of {variable.change}, or start the proxy: [{problem=silent}nothing responds at|no DNS server knows] {proxy}.${exempt}`,
      `{problem=lookup failed} Check the DNS servers of this machine: none responded to the lookup of the proxy {proxy} ({variable}).${exempt}`,
      '{problem=TLS} Replace http: with https: in {variable.change}: the proxy {proxy} speaks TLS.',
      '{problem=plain} Replace https: with http: in {variable.change}: the proxy {proxy} does not speak TLS.',
      `Ask the operator of the proxy {proxy} to renew its certificate, which expired on {validTo}.${ifDatesAreCorrect}`,
      "Synchronize this machine's clock (NTP): the certificate of the proxy {proxy} is valid from {validFrom}. If the clock is correct, ask the operator of the proxy to replace the certificate.",
      'Set the host of {variable.change} to a name in the certificate of the proxy ({names}), or ask its operator to issue a certificate for {proxy}.',
      ...trustCases,
      `Ask the operator of the proxy {proxy} to accept Basic authentication, or this machine without authentication: the proxy requires {authentication}, which the service does not support.${exempt}`,
      `{problem=account missing} Add ${account}`,
      `{problem=account refused} Correct ${account}`,
      `{problem=name not resolved} Ask the operator of the proxy {proxy} to make its DNS server resolve the name {at}.${orAddress}${exempt}`,
      `{problem=no connection} Ask the operator of the proxy {proxy} why it makes no connection to {at}[ ({status})].${orAddress}${exempt}`,
      `Ask the operator of the proxy {proxy} to allow connections to {at}, which it refused ({status}).${orAddress}${exempt}`,
      `Correct {variable.change}[, which names the proxy {proxy}], to the address of the proxy (http://host:port).${exempt}`,
    ],
  },
} as const satisfies Readonly<Record<string, Finding>>
