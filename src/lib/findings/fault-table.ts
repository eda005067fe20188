import type { Facts, FaultText, FixRow } from './finding.ts'
import {
  ask,
  because,
  blaming,
  correctOr,
  optional,
  host,
  valueOr,
  kindOfHost,
  orCorrect,
  say,
  setAuthority,
  sets,
  setsAddress,
  address,
  when,
  type Part,
  workedBefore,
  clockProof,
  ifClockAgrees,
  proof,
  ofAnotherCloud,
  unlessProven,
} from './fix-row.ts'

const trust = sets('NODE_EXTRA_CA_CERTS')
const orChain = 'If it is an intermediate CA, ask the operator of the server to send the whole chain.'
const server = (facts: Facts): string => facts.distrustedProxy ?? host(facts)
const inFile = optional('caFile', ' (', ')')

/** Whoever owns a trusted CA can read every secret, so a person must verify the CA first. */
const compared =
  (verb: string): Part =>
  ({ sha256 }) =>
    sha256 === undefined
      ? `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`
      : `Compare the SHA-256 of this CA (${sha256}) with the cloud operator. Then ${verb}`

/** Fixes for an untrusted certificate of a host, or of the proxy in front of it. */
const untrustedFixes: readonly FixRow[] = [
  trust`Correct the path in NODE_EXTRA_CA_CERTS, or let this process read the file (${'unreadable'}), and start again. The file must contain the CA that the message names, as PEM.`,
  trust`Replace the file of ${'withoutCertificate'}, which contains no PEM certificate, with one that contains the CA in the message, and start again.`,
  because(
    'The CA was renewed under the same name with another key, and this process trusts only its old certificate.',
    trust`Add the renewed certificate of the CA ${'issuer'} to ${valueOr('caFile', 'the file of NODE_EXTRA_CA_CERTS')}, and start again: the CA in the file (SHA-256 ${({ trustedSha256 }) => trustedSha256?.slice(0, 23)}…) has another key and did not issue the certificate of ${server}.`,
  ),
  because(
    'The server sends its certificate without the intermediate CA that issued it.',
    ask`Ask the operator of ${server} to send the intermediate CA ${'issuer'} with its certificate, as ${'sentBy'} does. This process needs no further CA.`,
  ),
  because(
    'All hosts have certificates of one CA that is not in the CA file of this process: a device in this network may inspect TLS, and could then read the secret.',
    say`Ask the network team whether a device inspects TLS: ${server} and ${'sameIssuerAt'} have certificates of the CA ${'issuer'} (SHA-256 ${({ sha256 }) => sha256?.slice(0, 23)}…). If it is the CA of the cloud, add it to the PEM file of ${'incompleteFile'}${inFile}, and start again.`,
  ),
  trust`${compared('add')} the CA ${'issuer'} to the PEM file of ${'incompleteFile'}${inFile}, and start again. ${() => orChain}`,
  trust`Add the certificate of ${server} (${'selfSigned'}) to the PEM file of ${'incompleteFile'}${inFile}, and start again. Or ask the operator of ${server} for a certificate from a CA.`,
  when(
    'incompleteStore',
    trust`Add the CA ${'issuer'} to the store of this machine, or set NODE_EXTRA_CA_CERTS to a PEM file with it, and start again. ${() => orChain}`,
  ),
  trust`${compared('set')} NODE_EXTRA_CA_CERTS to a PEM file with the CA ${'issuer'}, or NODE_USE_SYSTEM_CA=1 if the machine trusts it, and start again. ${() => orChain}`,
  trust`Ask the operator of ${server} to replace the self-signed certificate (${'selfSigned'}) with one from a CA. Or set NODE_EXTRA_CA_CERTS to a PEM file with it, and start again.`,
]

/** The service connected directly, but the environment names a proxy that could reach the host. */
const removeExemption = blaming(
  'tcp',
  say`If ${'host'} is reachable only through the proxy of ${'exempted'}, remove ${'exemptingEntry'} from ${'exemptionVariable'}. If not, allow traffic from this machine to ${'host'}${orCorrect}`,
)

/** The name resolves to an address that can't belong to the host. */
const wrongAddress: readonly FixRow[] = [
  when(
    ({ addressKind }) => addressKind === 'this machine',
    because(
      'The name resolves to an address of this machine, but the host is another machine.',
      say`Correct the DNS record of ${'host'} (or its line in the hosts file of this machine): it resolves to ${'address'}, which is this machine and not the host.`,
    ),
  ),
  say`Add ${'host'} to the private DNS zone that this network uses: it resolves to the public address ${'address'}, but ${'sibling'} has the private address ${'siblingAddress'}.`,
]

/** The port accepts connections, but a higher layer is silent. So a firewall rule for the port isn't the cause. */
const silentLayer: readonly FixRow[] = [
  because(
    'The response of {name} begins, but does not arrive completely in time: the host, the network or an inspecting device slows it down.',
    ask`Ask the operator of ${'host'} why its response to ${valueOr('path', 'this request')} is slow: only ${'receivedBytes'} bytes arrived in time. If the network is slow, raise PLATFORM_TOKEN_TIMEOUT_MS.`,
  ),
  because(
    'The host of {name} responds at another path, but not at this one.',
    ask`Ask the operator of ${'host'} why ${'path'} does not respond in time: ${'otherPath'} of the same host responds, so the address is correct. If the path is only slow, raise PLATFORM_TOKEN_TIMEOUT_MS.`,
  ),
  when(
    ({ run }) => run.endpoint?.passed === 'tcp',
    because(
      'The TCP connection to {name} works, but its TLS handshake gets no response.',
      say`Ask the network team to check the path MTU to ${host} and to look for an inspecting device. Ask the operator of ${host} whether it is overloaded. The TCP connection works, so no firewall rule for the port is the cause.`,
    ),
  ),
  when(
    ({ run }) => run.endpoint?.passed === 'tls' || run.endpoint?.passed === 'response',
    because(
      'The connection to {name} works, but no response arrives in time: the host is overloaded, or a device inspects and delays it.',
      ask`Ask the operator of ${host} why ${valueOr('path', 'this request')} gets no response in time. If the host is only slow, raise PLATFORM_TOKEN_TIMEOUT_MS.`,
    ),
  ),
]

const exempt = (facts: Facts): string =>
  facts.host === undefined || facts.exemptionVariable === undefined
    ? ''
    : ` If ${facts.host} needs no proxy, add ${facts.host} to ${facts.exemptionVariable}.`

/** The proxy resolves the name, so a wrong host name looks like a refusal by the proxy. */
const orAddress = (facts: Facts): string => {
  const correct = address(facts)
  return correct === undefined ? '' : ` If ${host(facts)} is wrong, correct ${correct}.`
}

/** The actions of the proxy's operator, by the error in X-Squid-Error. */
const proxyErrors: Readonly<Record<string, string>> = {
  ERR_DNS_FAIL: 'make its DNS server resolve the name',
  ERR_CONNECT_FAIL: 'open its path to the host',
  ERR_ACCESS_DENIED: 'allow connections to the host',
  ERR_CANNOT_FORWARD: 'correct its forwarding',
  ERR_READ_TIMEOUT: 'check its path to the host',
}

const setProxy = sets({ in: 'variable' })

/** Fixes by the evidence of a failed proxy: first its address, then TLS, then its refusal. */
const proxyFixes: readonly FixRow[] = [
  sets({
    in: 'proxyFile',
  })`Set ${'proxyFile'} to the proxy that its configuration file (PAC) names for ${'host'}, as http://host:port: the service cannot evaluate such a file.`,
  sets({ in: 'variable' }, 'proxyToSet')`Set ${'variable'} to ${'proxyToSet'}.${exempt}`,
  when(
    'accountMalformed',
    setProxy`Percent-encode special characters of the user name and password in ${'variable'} (% as %25, @ as %40, / as %2F, # as %23).${exempt}`,
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
  say`Ask the operator of the proxy ${'proxy'} to accept Basic authentication, or this machine without authentication: the proxy requires ${'unsupportedAuthentication'}, which the service does not support.${exempt}`,
  when(
    'accountMissing',
    setProxy`Add the user name and password of the proxy ${'proxy'} to ${'variable'} (http://USER:PASSWORD@host:port, percent-encoded).${exempt}`,
  ),
  when(
    'accountRefused',
    setProxy`Correct the user name and password in ${'variable'} (percent-encoded): the proxy ${'proxy'} refused them.${exempt}`,
  ),
  because(
    'The proxy accepted the request, but made no connection to the host, and gives the reason.',
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

/** Faults before a response: proxy, DNS, TCP. */
const connectionFaults = {
  DNS_FAILED: {
    title: 'DNS lookup failed for {name}',
    short: 'name unknown',
    signs: [
      'no such host',
      'name or service not known',
      'nodename nor servname provided',
      'could not resolve host',
      'remote name could not be resolved',
      'UnknownHostException',
      'NameResolutionError',
    ],
    cause: 'The DNS server of this network does not know the name of {name}, or the name is wrong.',
    causeIfProven: { field: 'address', cause: 'The DNS server of this network does not know the name of {name}.' },
    fix: [
      workedBefore,
      setAuthority,
      say`If the proxy of ${'exempted'} knows ${'host'}, remove ${'exemptingEntry'} from ${'exemptionVariable'}. If not, add the name to the DNS server that this machine uses${orCorrect}`,
      correctOr(
        say`add the name${optional('host', ' ')} to the DNS server that this machine uses (a private zone, a forwarder)`,
      ),
    ],
  },
  DNS_UNAVAILABLE: {
    title: 'DNS server failed for {name}',
    short: 'DNS server fails',
    signs: ['temporary failure in name resolution', 'server misbehaving'],
    cause:
      'No DNS server of this machine responded to the lookup of {name}, or the lookup failed. The name itself may be correct.',
    fix: [
      because(
        'The DNS server responds, but it failed to look up the name of {name} itself.',
        say`Ask the operator of the DNS server (${'servers'}) why it responds ${'serverFailure'} for ${'host'}: a forwarder that it cannot reach, or a broken zone or signature. Do not change the profile.`,
      ),
      say`Check the DNS servers of this machine${optional('servers', ' (', ')')} and the network to them (UDP and TCP port 53). Do not change the profile${optional('host', ': the name ', ' may be correct')}.`,
    ],
  },
  REFUSED: {
    title: 'Connection refused by {name}',
    short: 'connection refused',
    signs: ['connection refused', 'actively refused it'],
    cause: 'Nothing listens at the address and port of {name}, or a firewall refuses the connection.',
    fix: [
      ...wrongAddress,
      workedBefore,
      setAuthority,
      removeExemption,
      blaming(
        'tcp',
        correctOr(
          say`start ${kindOfHost}${optional('host', ' at ')} and open the firewall`,
          'Correct the host and port of',
        ),
      ),
    ],
  },
  UNREACHABLE: {
    title: 'No route to {name}',
    short: 'no route',
    signs: ['network is unreachable', 'no route to host'],
    cause: 'This network has no route to {name}, or a device on the path rejects the packets.',
    fix: [
      ...wrongAddress,
      workedBefore,
      setAuthority,
      removeExemption,
      when(
        ({ reason }) => reason === 'EACCES' || reason === 'EPERM',
        because(
          'A firewall or a rule of this machine forbids the connection to {name}.',
          blaming(
            'tcp',
            say`Allow traffic from this process to ${'host'}: a firewall, or a rule of this machine (local firewall, security policy, sandbox, route), forbids it (${'reason'})${orCorrect}`,
          ),
        ),
      ),
      when(
        { reason: 'EHOSTUNREACH' },
        because(
          'A firewall on the path to {name} rejects the packets, or the last router finds no machine with this address.',
          blaming(
            'tcp',
            say`Allow traffic from this machine to ${'host'} in the firewalls on the path: one of them, or a router, rejects it (${'reason'}). If no firewall does, check that the address exists and has a route${orCorrect}`,
          ),
        ),
      ),
      blaming(
        'tcp',
        say`Connect this host to the network of the cloud (virtual network, peering, route, local firewall)${orCorrect}`,
      ),
    ],
  },
  TIMEOUT: {
    title: 'No response from {name}',
    short: 'no response',
    signs: ['i/o timeout', 'connection timed out', 'connect timed out', 'read timed out', 'context deadline exceeded'],
    cause:
      'A connection to {name} or its response took too long: the network drops packets, or the host is overloaded.',
    fix: [
      ...wrongAddress,
      ...silentLayer,
      workedBefore,
      setAuthority,
      removeExemption,
      blaming(
        'tcp',
        say`Allow traffic from this machine to ${host} (firewall, security group, private endpoint)${orCorrect}`,
      ),
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
    fix: [
      because(
        'The response of {name} is cut off: the host, or a proxy or gateway in front of it, closes the connection too early.',
        ask`Ask the operator of ${'host'}, or of a proxy or gateway in front of it, why its response to ${valueOr('path', 'this request')} ends early, after ${'receivedBytes'} bytes. Then try again.`,
      ),
      workedBefore,
      setsAddress(
        'addressWithTls',
      )`If ${'host'} expects TLS, set ${address} to ${'addressWithTls'}. If not, ask the network team to look for an inspecting firewall or proxy between this machine and ${'host'}.`,
      say`Ask the network team to look for an inspecting firewall or proxy between this machine and ${host}. Then try again.`,
    ],
  },
  PROXY_FAILED: {
    title: 'Proxy failed for {name}',
    short: 'proxy fails',
    signs: ['proxy authentication required', 'tunnel connection failed', 'CONNECT tunnel failed', 'proxyconnect tcp'],
    cause:
      'A proxy variable applies to {name}. Its address is wrong, or the proxy does not respond or refuses the request.',
    fix: [
      ...proxyFixes,
      'Correct HTTPS_PROXY (http://host:port), or add the host to NO_PROXY: exact names or .suffix, separated by commas; no * and no address ranges.',
    ],
  },
} as const satisfies Readonly<Record<string, FaultText>>

/** A wrong local clock makes correct dates look wrong, so the fix mentions the clock unless a host agrees with it. */
const ifDatesAreCorrect = ({ run }: Facts): string =>
  clockProof(run) ?? " If its dates are correct, synchronize this machine's clock (NTP)."

const certificateFaults = {
  UNTRUSTED: {
    title: 'Untrusted certificate of {name}',
    short: 'untrusted certificate',
    signs: [
      'signed by unknown authority',
      'unable to get local issuer certificate',
      'unable to verify the first certificate',
      'self-signed certificate',
      'self signed certificate',
      'certificate verify failed',
      'CERTIFICATE_VERIFY_FAILED',
      'invalid peer certificate: UnknownIssuer',
      'PKIX path building failed',
      'UntrustedRoot',
      'PartialChain',
    ],
    cause: 'The certificate of {name} comes from a certificate authority that Node does not trust here.',
    fix: [
      ...untrustedFixes,
      'Set NODE_EXTRA_CA_CERTS to a PEM file with the CA that issued the certificate, or NODE_USE_SYSTEM_CA=1 if the machine trusts it, and start again. If the server sends no intermediate certificate, ask its operator to add it.',
    ],
  },
  CERTIFICATE_EXPIRED: {
    title: 'Expired certificate of {name}',
    short: 'certificate expired',
    signs: ['certificate has expired'],
    cause: 'The certificate of {name} or of its issuer has expired, or the local clock is ahead.',
    fix: [
      because(
        'A CA in the CA file of this process has expired, so the certificate of the server has no valid issuer.',
        trust`Replace the CA ${'expiredIssuer'} in ${'caFile'}, which expired on ${'validTo'}, with its renewed certificate, and start again. The certificate of the server is not at fault.`,
      ),
      ask`Ask the operator of ${host} to send a chain without the CA ${'expiredIssuer'}, which expired on ${'validTo'}.${ifDatesAreCorrect}`,
      ask`Ask the operator of ${host} to renew its certificate${optional('validTo', ', which expired on ')}${optional('issuer', ' (issued by ', ')')}.${ifDatesAreCorrect}`,
    ],
  },
  CERTIFICATE_NOT_YET_VALID: {
    title: 'Certificate of {name} not yet valid',
    short: 'certificate not yet valid',
    signs: ['certificate is not yet valid'],
    cause:
      'The certificate of {name} is not valid yet: the local clock is behind, or the certificate has a wrong date.',
    fix: [
      ifClockAgrees(ask`Ask the operator of ${host} to replace its certificate, which is valid from ${'validFrom'}.`),
      say`Synchronize this machine's clock (NTP)${({ validFrom, ...facts }) => (validFrom === undefined ? '' : `: the certificate of ${host(facts)} is valid from ${validFrom}`)}. If the clock is correct, ask the operator of ${host} to replace the certificate.`,
    ],
  },
  CERTIFICATE_NAME_MISMATCH: {
    title: 'Certificate of {name} for another name',
    short: 'wrong certificate',
    signs: [
      'certificate is valid for',
      'hostname mismatch',
      "doesn't match … '",
      'no alternative certificate subject name matches',
      'RemoteCertificateNameMismatch',
    ],
    cause: 'The certificate at the address of {name} was issued for other host names.',
    fix: [
      say`Set ${address} to a name in the certificate${optional('names', ' (', ')')}, or ask the operator to issue a certificate for ${host}. Check that the name resolves to the correct host.`,
      say`Check that ${host} resolves to the correct server${optional('names', ' (the certificate is for ', ')')}, or ask the operator to issue a certificate for ${host}.${proof}`,
    ],
  },
  CERTIFICATE_INVALID: {
    title: 'Invalid certificate of {name}',
    short: 'invalid certificate',
    signs: ['Missing Authority Key Identifier', 'Basic Constraints of CA cert not marked critical'],
    cause:
      'A certificate in the chain of {name} breaks a rule: it is not for servers, its issuer may not issue it (name constraint, path length), or its signature does not match.',
    fix: [
      ask`Ask the operator of ${host} to replace the certificate chain (${valueOr('rule', 'the message names the rule')}). Another trusted CA does not help.`,
    ],
  },
  CERTIFICATE_WEAK: {
    title: 'Weak or unsupported certificate of {name}',
    short: 'weak certificate',
    signs: ['key too small', 'md too weak', 'insecure algorithm SHA1-RSA'],
    cause:
      'OpenSSL refuses a signature or key in the certificate chain of {name}, such as SHA-1, or RSA with fewer than 2048 bits.',
    fix: [
      ask`Ask the operator of ${host} to renew the certificate ${'weakCertificate'}, which ${'weakness'}, with a SHA-256 signature and an RSA key of 2048 bits or more, or P-256.`,
      ask`Ask the operator of ${host} to renew the chain with SHA-256 signatures and RSA keys of 2048 bits or more, or P-256.`,
    ],
  },
  CERTIFICATE_IPV6_UNSUPPORTED: {
    title: 'IPv6 address of {name} not supported by this Node',
    short: 'IPv6 address',
    cause:
      'The URL of {name} has an IPv6 address as its host. This release of Node accepts no certificate for an IPv6 address, so the certificate may be correct.',
    fix: [
      say`Set ${address} to a host name${optional('host', ' in place of ')}, or run Node 24${optional('nodeVersion', ' in place of ')}.`,
      say`Run Node 24${optional('nodeVersion', ' in place of ')}.${proof}`,
    ],
  },
  TLS_FAILED: {
    title: 'TLS handshake failed with {name}',
    short: 'TLS fails',
    signs: [
      'wrong version number',
      'handshake failure',
      'unsafe legacy renegotiation disabled',
      'first record does not look like a TLS handshake',
    ],
    cause:
      'The TLS handshake with {name} failed: the port does not speak TLS, or Node supports none of the TLS versions, ciphers or key types that it offers.',
    fix: [
      workedBefore,
      correctOr(
        say`ask its operator to enable TLS 1.2 or 1.3 with an RSA-2048 or P-256 key. In FIPS mode, both sides need an approved cipher`,
        'Correct the port of',
      ),
    ],
  },
} as const satisfies Readonly<Record<string, FaultText>>

/** The texts by which a web page identifies the device that sent it. */
function wordsOf({ title, words, server, supportId }: Facts): string {
  const said = [title, words].flatMap((text) => (text === undefined ? [] : `"${text}"`)).join(': ')
  return [said, supportId && `support id ${supportId}`, server && `server ${server}`].filter(Boolean).join(', ')
}

/** Several hosts return the same page, so another server responds for all of them. */
const samePage: FixRow = because(
  'Several hosts of the cloud return the same page: a portal or gateway of this network responds in their place.',
  say`Ask the network team to let this host pass the gateway or sign-in page that responds in place of ${'host'} and ${'sameAt'}${(facts) => wordsOf(facts) && ` (${wordsOf(facts)})`}.`,
)

/** The page contains texts that identify a gateway or portal. */
const gatewayPage: FixRow = when(
  ({ title, words, supportId }) => title ?? words ?? supportId,
  say`Ask the network team or the operator of ${'host'} about the page in its response (${wordsOf})${orCorrect}`,
)

const unknownPath = ({ host, path }: Facts): string =>
  host === undefined || path === undefined ? '' : `: ${host} returned 404 for ${path}`

const isAuthority = ({ subject }: Facts): boolean => subject?.field === 'authorityHost'

const responseFaults = {
  REDIRECTED: {
    title: 'Redirect from {name}',
    short: 'redirect',
    cause:
      'The address of {name} returns a redirect. The service does not follow it, because it could send a secret to another host.',
    fix: [
      ofAnotherCloud(
        'location',
        (owner) =>
          ask`Ask the operator of ${'host'} why it redirects to ${({ location = '' }) => URL.parse(location)?.host}, which belongs to another cloud (${owner}). Do not set the address to it.`,
      ),
      workedBefore,
      setAuthority,
      setsAddress(
        'movedTo',
      )`If ${'movedTo'} is the service, set ${address} to ${'movedTo'}. If it is a sign-in page, ask the operator of that gateway to let this host pass.`,
      say`Correct ${address}. If the redirect${optional('location', ' to ')} leads to a sign-in page, ask the operator of that gateway to let this host pass.`,
      ask`Ask the operator of ${host} why it redirects${optional('location', ' to ')}. If that is a sign-in page, ask its operator to let this host pass.${proof}`,
    ],
  },
  NOT_FOUND: {
    title: 'Unknown path at {name}',
    short: 'path unknown',
    cause: 'The response of {name} has the status 404: the path is wrong, or another service runs at this address.',
    causeIfProven: {
      field: 'address',
      cause: 'The response of {name} has the status 404 for a path that should exist.',
    },
    fix: [
      samePage,
      workedBefore,
      setAuthority,
      ask`Ask the operator of ${'host'} why its token endpoint ${'tokenPath'} returns 404.`,
      when(
        (facts) => isAuthority(facts) && facts.run.proven.tenantId === undefined,
        sets('PLATFORM_TENANT_ID')`Correct PLATFORM_TENANT_ID: ${host} returned 404 for ${'path'}.${proof}`,
      ),
      setsAddress()`Correct ${({ run }) => (run.endpoint !== undefined && run.endpoint.field === undefined ? '' : 'the path of ')}${address}${(facts) => (isAuthority(facts) && facts.run.proven.tenantId === undefined ? ' and the tenant (PLATFORM_TENANT_ID)' : '')}${unknownPath}.`,
      ask`Ask the operator of ${host} why it returns 404 for ${valueOr('path', 'this path')}.${proof}`,
    ],
  },
  THROTTLED: {
    title: 'Too many requests to {name}',
    short: 'too many requests',
    signs: ['TooManyRequests', '429 Too Many Requests'],
    cause: 'Status 429: {name} limits the number of requests.',
    fix: [
      say`Wait ${({ retryAfterSeconds }) => (retryAfterSeconds === undefined ? 'for the time that the host requests' : `${retryAfterSeconds} s`)}, and check that no other workload with this identity sends requests in a loop.`,
    ],
  },
  HTTP_ERROR: {
    title: 'Error status from {name}',
    short: 'error status',
    signs: ['502 Bad Gateway', '503 Service Unavailable', '504 Gateway'],
    cause:
      'The response of {name} has an error status: the service fails, or a gateway in front of it refuses the request.',
    fix: [
      samePage,
      workedBefore,
      gatewayPage,
      ask`Ask the operator of ${host} why it returns ${valueOr('status', 'an error')}.${unlessProven(' If the host is healthy, check that ', ' does not name a gateway.')}`,
    ],
  },
  RESPONSE_TOO_LARGE: {
    title: 'Response from {name} too large',
    short: 'invalid response',
    cause: 'The response from {name} exceeds the limit of 1 MiB, far above any genuine response.',
    fix: [
      workedBefore,
      say`Check that ${address} is the address of the service, and not of a gateway or portal${optional('host', ': another program responds at ')}.`,
      ask`Ask the operator of ${host} which program responds there.${proof}`,
    ],
  },
  RESPONSE_INVALID: {
    title: 'Invalid response from {name}',
    short: 'invalid response',
    signs: ['<!DOCTYPE html', "invalid character '<' looking for beginning of value", "Unexpected token '<'"],
    cause: 'The address of {name} returned an invalid response: a portal, a gateway or another service responds there.',
    fix: [
      because(
        'The response of {name} is cut off: the host, or a proxy or gateway in front of it, sends only its beginning.',
        ask`Ask the operator of ${'host'}, or of a proxy or gateway in front of it, why its response is cut after ${'receivedBytes'} bytes. Then try again.`,
      ),
      samePage,
      workedBefore,
      setAuthority,
      gatewayPage,
      say`If ${host} is not the service, correct ${address}. If a sign-in page of the network responds, ask the network team to exempt this host.`,
      say`Ask the network team to let this host pass the gateway or sign-in page that responds instead of ${kindOfHost}${optional('host', ' at ')}.${proof}`,
    ],
  },
} as const satisfies Readonly<Record<string, FaultText>>

/** Faults that can have one cause, such as a DNS server or a CA, for several hosts. The cause of a faulty response is always at its host. */
export const sharedFaults: ReadonlySet<string> = new Set(Object.keys({ ...connectionFaults, ...certificateFaults }))

export const faults = { ...connectionFaults, ...certificateFaults, ...responseFaults } as const
