import type { Facts, FaultText, FixRow } from './finding.ts'
import {
  ask,
  because,
  blaming,
  correctOr,
  given,
  host,
  known,
  kindOfHost,
  orCorrect,
  say,
  setAuthority,
  sets,
  setsAddress,
  address,
  when,
  workedBefore,
} from './fix-row.ts'
import { untrustedFixes } from './certificate-faults.ts'

/** A direct connection that a proxy would replace. */
const removeExemption = blaming(
  'tcp',
  say`If ${'host'} is reachable only through the proxy of ${'exempted'}, remove ${'exemptingEntry'} from ${'exemptionVariable'}. If not, allow traffic from this machine to ${'host'}${orCorrect}`,
)

/** The name leads to an address that cannot be that of the host. */
const wrongAddress: readonly FixRow[] = [
  when(
    ({ addressKind }) => addressKind === 'this machine',
    because(
      'The name resolves to an address of this machine, where the host does not run.',
      say`Correct the DNS record of ${'host'} (or its line in the hosts file of this machine): it resolves to ${'address'}, which is this machine and not the host.`,
    ),
  ),
  say`Add ${'host'} to the private DNS zone that this network uses: it resolves to the public address ${'address'}, where ${'sibling'} has the private address ${'siblingAddress'}.`,
]

/** A layer above the network is silent: what answers at the port is there, so no firewall rule for the port is the cause. */
const silentLayer: readonly FixRow[] = [
  when(
    ({ run }) => run.endpoint?.passed === 'tcp',
    because(
      'The TCP connection to {name} works, but its TLS handshake gets no response.',
      say`Ask the network team to check the path MTU to ${'host'} and for an inspecting device, and the operator of ${'host'} whether it is overloaded. The TCP connection works, so leave the firewall rule.`,
    ),
  ),
  when(
    ({ run }) => run.endpoint?.passed === 'tls' || run.endpoint?.passed === 'answer',
    because(
      'The connection to {name} works, but its response does not arrive completely in time: the host or a device that inspects large responses delays it.',
      ask`Ask the operator of ${'host'} why ${known('path', 'this request')} gets no complete response in time${given('otherPath', ': ', ' of the same host responds')}. If the host is only slow, raise PLATFORM_TOKEN_TIMEOUT_MS.`,
    ),
  ),
]

const exempt = (facts: Facts): string =>
  facts.host === undefined || facts.exemptionVariable === undefined
    ? ''
    : ` If ${facts.host} needs no proxy, add ${facts.host} to ${facts.exemptionVariable}.`

/** A proxy does not tell whether the name of the host is wrong. */
const orAddress = (facts: Facts): string => {
  const correct = address(facts)
  return correct === undefined ? '' : ` If ${host(facts)} is wrong, correct ${correct}.`
}

/** What Squid says in X-Squid-Error, and what its operator has to do. */
const proxyErrors: Readonly<Record<string, string>> = {
  ERR_DNS_FAIL: 'let its DNS server resolve the name',
  ERR_CONNECT_FAIL: 'open its path to the host',
  ERR_ACCESS_DENIED: 'allow connections to the host',
  ERR_CANNOT_FORWARD: 'correct its forwarding',
  ERR_READ_TIMEOUT: 'check its path to the host',
}

const setProxy = sets({ in: 'variable' })

/** By the evidence of a failed proxy: first its address, then TLS, then its refusal. */
const proxyFixes: readonly FixRow[] = [
  sets({
    in: 'proxyFile',
  })`Set ${'proxyFile'} to the proxy that its configuration file (PAC) names for ${'host'}, as http://host:port: the service evaluates no such file.`,
  sets({ in: 'variable' }, 'proxyToSet')`Set ${'variable'} to ${'proxyToSet'}.${exempt}`,
  when(
    'accountMalformed',
    setProxy`Replace special characters of the user name and password in ${'variable'} by percent codes (% by %25, @ by %40, / by %2F, # by %23).${exempt}`,
  ),
  sets({
    in: 'exemptionVariable',
  })`Add ${'host'} to ${'exemptionVariable'}: its entry ${'ignoredEntry'} does not exempt this host. The service reads exact names and .suffix, separated by commas, in lower case.`,
  setProxy`Correct the host of ${'variable'}: no DNS server knows ${'unknownProxy'}.${exempt}`,
  say`Check the DNS servers of this machine: none responded to the lookup of the proxy ${'unresolvedProxy'} (${'variable'}).${exempt}`,
  setProxy`Correct the host and port of ${'variable'}, or start the proxy: nothing responds at ${'silentProxy'}.${exempt}`,
  setProxy`Replace https: with http: in ${'variable'}: the proxy ${'plainProxy'} does not speak TLS.`,
  setProxy`Replace http: with https: in ${'variable'}: the proxy ${'tlsProxy'} speaks TLS.`,
  say`Ask the operator of the proxy ${'distrustedProxy'} to renew its certificate, which expired on ${'validTo'}. If its dates are correct, synchronize this machine's clock (NTP).`,
  say`Synchronize this machine's clock (NTP): the certificate of the proxy ${'distrustedProxy'} is valid from ${'validFrom'}. If the clock is correct, ask the operator of the proxy to replace it.`,
  setProxy`Set the host of ${'variable'} to a name in the certificate of the proxy (${'names'}), or ask its operator to issue a certificate for ${'distrustedProxy'}.`,
  ...untrustedFixes.map((row) => when('distrustedProxy', row)),
  say`Ask the operator of the proxy ${'proxy'} to accept Basic, or this machine without sign-in: the proxy requires ${'unsupportedAuthentication'}, which the service does not offer.${exempt}`,
  when(
    'accountMissing',
    setProxy`Add the user name and password of the proxy ${'proxy'} to ${'variable'} (http://USER:PASSWORD@host:port, percent-encoded).${exempt}`,
  ),
  when(
    'accountRefused',
    setProxy`Correct the user name and password in ${'variable'} (percent-encoded): the proxy ${'proxy'} refused them.${exempt}`,
  ),
  because(
    'The proxy accepted the request, and says why it could not carry it out.',
    say`Ask the operator of the proxy ${'proxy'} to ${({ proxyError = '' }) => proxyErrors[proxyError]}: it responded ${'proxyError'} for ${'host'}.${orAddress}${exempt}`,
  ),
  when(
    'waitingProxy',
    say`Ask the operator of the proxy ${'proxy'} why it makes no connection to ${'host'}.${orAddress}${exempt}`,
  ),
  say`Ask the operator of the proxy ${'proxy'} to allow connections to ${'host'}, which it refused (${'proxyStatus'}).${orAddress}${exempt}`,
  setProxy`Correct ${'variable'}, which names the proxy ${'proxy'}.${exempt}`,
  setProxy`Set ${'variable'} to the address of the proxy (http://host:port).${exempt}`,
]

/** Faults before a response: proxy, DNS, TCP. `{name}` is the kind of host. */
export const connectionFaults = {
  DNS_FAILED: {
    title: 'DNS lookup failed for {name}',
    cause: 'The host name of {name} is wrong, or the DNS server of this network does not know it.',
    fix: [
      workedBefore,
      setAuthority,
      say`If the proxy of ${'exempted'} knows ${'host'}, remove ${'exemptingEntry'} from ${'exemptionVariable'}. If not, add the name to the DNS server that this machine uses${orCorrect}`,
      correctOr(
        say`add the name${given('host', ' ')} to the DNS server that this machine uses (a private zone, a forwarder)`,
      ),
    ],
  },
  DNS_UNAVAILABLE: {
    title: 'DNS server failed for {name}',
    cause:
      'No DNS server of this machine gave an answer for {name}. The name itself may be correct: nothing is known about it.',
    fix: [
      because(
        'The DNS server responds, but it failed to look up the name of {name} itself.',
        say`Ask the operator of the DNS server (${'servers'}) why it responds ${'serverFailure'} for ${'host'}: a forwarder that it cannot reach, or a broken zone or signature. Do not change the profile.`,
      ),
      say`Check the DNS servers of this machine${given('servers', ' (', ')')} and the network to them (UDP and TCP port 53). Do not change the profile${given('host', ': the name ', ' may be correct')}.`,
    ],
  },
  REFUSED: {
    title: 'Connection refused by {name}',
    cause: 'Nothing listens at the address and port of {name}, or a firewall refuses the connection.',
    fix: [
      ...wrongAddress,
      workedBefore,
      setAuthority,
      removeExemption,
      correctOr(say`start ${kindOfHost}${given('host', ' at ')} and open the firewall`, 'Correct the host and port of'),
    ],
  },
  UNREACHABLE: {
    title: 'No route to {name}',
    cause: 'This network has no route to {name}, or a device on the path rejects the packets.',
    fix: [
      ...wrongAddress,
      workedBefore,
      setAuthority,
      removeExemption,
      say`Connect this host to the network of the cloud (virtual network, peering, route, local firewall)${orCorrect}`,
    ],
  },
  TIMEOUT: {
    title: 'No response from {name}',
    cause:
      'A connection to {name} or its response took too long: the network drops packets, or the host is overloaded.',
    fix: [
      ...wrongAddress,
      ...silentLayer,
      workedBefore,
      setAuthority,
      removeExemption,
      say`Allow traffic from this machine to ${host} (firewall, security group, private endpoint)${orCorrect}`,
    ],
  },
  RESET: {
    title: 'Connection reset by {name}',
    cause: 'The host or a device on the network path closed the connection to {name} before the response was complete.',
    fix: [
      workedBefore,
      setsAddress(
        'addressWithTls',
      )`If ${'host'} expects TLS, set ${address} to ${'addressWithTls'}. If not, ask the network team to look for an inspecting firewall or proxy between this machine and ${'host'}.`,
      say`Ask the network team to look for an inspecting firewall or proxy between this machine and ${host}. Then try again.`,
    ],
  },
  PROXY_FAILED: {
    title: 'Proxy failed for {name}',
    cause:
      'A proxy variable applies to {name}. Its address is wrong, or the proxy does not respond or refuses the request.',
    fix: [
      ...proxyFixes,
      'Correct HTTPS_PROXY (http://host:port), or add the host to NO_PROXY: exact names or .suffix, separated by commas; no * and no address ranges.',
    ],
  },
} as const satisfies Readonly<Record<string, FaultText>>
