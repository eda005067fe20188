import type { Case, FaultText } from './finding.ts'
import { ifDatesAreCorrect, orCorrect, setAuthority, trustCases, unlessExempt, wrongAddress } from './shared-cases.ts'

// Faults before a response: proxy, DNS, TCP.

const allowTraffic = {
  blames: 'tcp',
  fix: `${unlessExempt}allow traffic from this machine to {at}${orCorrect}`,
} as const satisfies Case

/** A wrong address, a wrong login authority or a needless exemption explain a host that isn't reached. */
const unreached = [...wrongAddress, setAuthority, allowTraffic] as const

const theName = 'the name[ {host}] to the DNS server that this machine uses (a private zone, a forwarder)'

const theHost = '{name}[ at {host}] and open the firewall'

const untrusted = '{problem=untrusted}'

/** The host may need no proxy. */
const exempt = '[ If {host} needs no proxy, add {host} to {noProxy}.]'
/** The proxy resolves the name, so a wrong host name looks like a refusal by the proxy. */
const orAddress = '[ If {at} is wrong, correct {address.setting}.]'

const correctProxy = 'Correct the host and port of {variable.change}, or start the proxy'
const account = `the user name and password of the proxy {proxy} in {variable.change} (http://USER:PASSWORD@host:port, percent-encoded).${exempt}`

export const connectionFaults = {
  DNS_FAILED: {
    title: 'The name of {name} does not resolve',
    short: 'does not resolve',
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
    short: 'DNS server fails',
    signs: ['temporary failure in name resolution', 'server misbehaving'],
    cause:
      'No DNS server of this machine responded to the lookup of {name}, or the lookup failed. The name itself may be correct.',
    fix: 'Check the DNS servers of this machine[ ({servers})] and the network to them (UDP and TCP port 53). Do not change the profile[: the name {host} may be correct].',
    cases: [
      {
        cause: 'The DNS server responds, but it failed to look up the name of {name} itself.',
        fix: 'Ask the operator of the DNS server ({servers}) why it responds {problem} for {host}: a forwarder that it cannot reach, or a broken zone or signature. Do not change the profile.',
      },
    ],
  },
  REFUSED: {
    title: 'Connection refused by {name}',
    short: 'connection refused',
    signs: ['connection refused', 'actively refused it'],
    cause: 'Nothing listens at the address and port of {name}, or a firewall refuses the connection.',
    fix: `Start ${theHost}.[{address.proof}]`,
    blames: 'tcp',
    cases: [
      ...unreached,
      { blames: 'tcp', fix: `Correct the host and port of {address.change}, or start ${theHost}.` },
    ],
  },
  UNREACHABLE: {
    title: 'No route to {name}',
    short: 'no route',
    signs: ['network is unreachable', 'no route to host'],
    cause: 'This network has no route to {name}, or a device on the path rejects the packets.',
    fix: `Connect this host to the network of the cloud (virtual network, peering, route, local firewall)${orCorrect}`,
    blames: 'tcp',
    cases: [
      ...unreached,
      {
        blames: 'tcp',
        cause:
          'A firewall of this machine or on the path to {name} rejects the packets, or the last router finds no machine with this address.',
        fix: `{reason=EACCES|EPERM|EHOSTUNREACH} Allow traffic from this process to {host}: a firewall, a rule of this machine (security policy, sandbox, route) or a router on the path rejects it ({reason}). If none does, check that the address exists and has a route${orCorrect}`,
      },
    ],
  },
  TIMEOUT: {
    title: 'No response from {name}',
    short: 'no response',
    signs: ['i/o timeout', 'connection timed out', 'connect timed out', 'read timed out', 'context deadline exceeded'],
    cause:
      'A connection to {name} or its response took too long: the network drops packets, or the host is overloaded.',
    fix: `Allow traffic from this machine to {at} (firewall, security group, private endpoint)${orCorrect}`,
    blames: 'tcp',
    cases: [
      ...wrongAddress,
      // The port accepts connections, but a higher layer is silent. So a firewall rule for the port isn't the cause.
      {
        cause:
          'The response of {name} begins, but does not arrive completely in time: the host, the network or an inspecting device slows it down.',
        fix: 'Ask the operator of {host} why its response to [{path}|this request] is slow: only {receivedBytes} bytes arrived in time. If the network is slow, raise PLATFORM_TOKEN_TIMEOUT_MS.',
      },
      {
        cause: 'The host of {name} responds at another path, but not at this one.',
        fix: 'Ask the operator of {host} why {path} does not respond in time: {otherPath} of the same host responds, so the address is correct. If the path is only slow, raise PLATFORM_TOKEN_TIMEOUT_MS.',
      },
      {
        cause: 'The TCP connection to {name} works, but its TLS handshake gets no response.',
        fix: '{passed=tcp} Ask the network team to check the path MTU to {at} and to look for an inspecting device. Ask the operator of {at} whether it is overloaded. The TCP connection works, so no firewall rule for the port is the cause.',
      },
      {
        cause:
          'The connection to {name} works, but no response arrives in time: the host is overloaded, or a device inspects and delays it.',
        fix: '{passed=tls|response} Ask the operator of {at} why [{path}|this request] gets no response in time. If the host is only slow, raise PLATFORM_TOKEN_TIMEOUT_MS.',
      },
      setAuthority,
      allowTraffic,
    ],
  },
  RESET: {
    title: 'Connection reset by {name}',
    short: 'connection reset',
    signs: [
      'connection reset',
      'forcibly closed by the remote host',
      'socket hang up',
      'EOF occurred in violation of protocol',
    ],
    cause: 'The host or a device on the network path closed the connection to {name} before the response was complete.',
    fix: 'Ask the network team to look for an inspecting firewall or proxy between this machine and {at}. Then try again.',
    cases: [
      {
        cause:
          'The response of {name} is cut off: the host, or a proxy or gateway in front of it, closes the connection too early.',
        fix: 'Ask the operator of {host}, or of a proxy or gateway in front of it, why its response to [{path}|this request] ends early, after {receivedBytes} bytes. Then try again.',
      },
      'If {host} expects TLS, set {address.change} to {addressToSet.value}. If not, ask the network team to look for an inspecting firewall or proxy between this machine and {host}.',
    ],
  },
  PROXY_FAILED: {
    title: 'Proxy failed for {name}',
    short: 'proxy fails',
    signs: ['proxy authentication required', 'tunnel connection failed', 'CONNECT tunnel failed', 'proxyconnect tcp'],
    cause:
      'A proxy variable applies to {name}. Its address is wrong, or the proxy does not respond or refuses the request.',
    fix: 'Correct HTTPS_PROXY (http://host:port), or add the host to NO_PROXY: exact names or .suffix, separated by commas; no * and no address ranges.',
    // First the address of the proxy, then TLS, then its refusal.
    cases: [
      '{problem=configuration file} Set {variable.change} to the proxy that its configuration file (PAC) names for {at}, as http://host:port: the service cannot evaluate such a file.',
      `Set {variable.change} to {proxyToSet.value}.${exempt}`,
      '{problem=account malformed} Percent-encode special characters of the user name and password in {variable.change} (% as %25, @ as %40, / as %2F, # as %23).',
      'Add {host} to {noProxy.change}: its entry {ignoredEntry} does not exempt this host. The service reads exact names and .suffix, separated by commas, in lower case.',
      `{problem=unknown name} ${correctProxy}: no DNS server knows {proxy}.${exempt}`,
      `{problem=silent} ${correctProxy}: nothing responds at {proxy}.${exempt}`,
      `{problem=lookup failed} Check the DNS servers of this machine: none responded to the lookup of the proxy {proxy} ({variable}).${exempt}`,
      '{problem=TLS} Replace http: with https: in {variable.change}: the proxy {proxy} speaks TLS.',
      '{problem=plain} Replace https: with http: in {variable.change}: the proxy {proxy} does not speak TLS.',
      `${untrusted} Ask the operator of the proxy {proxy} to renew its certificate, which expired on {validTo}.${ifDatesAreCorrect}`,
      `${untrusted} Ask the operator of the proxy {proxy} to replace its certificate, which is valid from {validFrom}.{clockProof}`,
      `${untrusted} Synchronize this machine's clock (NTP): the certificate of the proxy {proxy} is valid from {validFrom}. If the clock is correct, ask the operator of the proxy {proxy} to replace the certificate.`,
      `${untrusted} Set the host of {variable.change} to a name in the certificate of the proxy ({names}), or ask its operator to issue a certificate for {proxy}.`,
      ...trustCases.map((each) =>
        typeof each === 'string' ? `${untrusted} ${each}` : { ...each, fix: `${untrusted} ${each.fix}` },
      ),
      `Ask the operator of the proxy {proxy} to accept Basic authentication, or this machine without authentication: the proxy requires {authentication}, which the service does not support.${exempt}`,
      `{problem=account missing} Add ${account}`,
      `{problem=account refused} Correct ${account}`,
      {
        cause: 'The proxy accepted the request, but its DNS server does not resolve the name of the host.',
        fix: `{problem=name not resolved} Ask the operator of the proxy {proxy} to make its DNS server resolve the name {at}.${orAddress}${exempt}`,
      },
      `{problem=no connection} Ask the operator of the proxy {proxy} why it makes no connection to {at}[ ({status})].${orAddress}${exempt}`,
      `Ask the operator of the proxy {proxy} to allow connections to {at}, which it refused ({status}).${orAddress}${exempt}`,
      `Correct {variable.change}[, which names the proxy {proxy}], to the address of the proxy (http://host:port).${exempt}`,
    ],
  },
} as const satisfies Readonly<Record<string, FaultText>>
