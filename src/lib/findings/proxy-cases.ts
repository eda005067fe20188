import type { Case } from './finding.ts'
import { ifDatesAreCorrect } from './shared-cases.ts'
import { trustCases } from './trust-cases.ts'

const untrusted = '{problem=untrusted}'

/** The host may need no proxy. */
const exempt = '[ If {host} needs no proxy, add {host} to {noProxy}.]'
/** The proxy resolves the name, so a wrong host name looks like a refusal by the proxy. */
const orAddress = '[ If {at} is wrong, correct {address.setting}.]'

const correctProxy = 'Correct the host and port of {variable.change}, or start the proxy'
const account = `the user name and password of the proxy {proxy} in {variable.change} (http://USER:PASSWORD@host:port, percent-encoded).${exempt}`

/** Fixes for a proxy that fails: first its address, then TLS, then its refusal. */
export const proxyCases = [
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
] as const satisfies readonly (string | Case)[]
