import type { Facts, FixRow } from './finding.ts'
import { because, say, sets, when } from './fix-row.ts'
import { untrustedFixes } from './untrusted-fixes.ts'

/** By the evidence of a failed proxy: first its address, then TLS, then its refusal. @param orAddress What to do if the host is wrong. */
export function proxyFixes(orAddress: (facts: Facts) => string): readonly FixRow[] {
  return [
    sets({
      in: 'proxyFile',
    })`Set ${'proxyFile'} to the proxy that its configuration file (PAC) names for ${'host'}, as http://host:port: the service evaluates no such file.`,
    sets({ in: 'variable' }, 'proxyToSet')`Set ${'variable'} to ${'proxyToSet'}.${exempt}`,
    when(
      'accountMalformed',
      say`Replace special characters of the user name and password in ${'variable'} by percent codes (% by %25, @ by %40, / by %2F, # by %23).${exempt}`,
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
    ...untrustedFixes(({ distrustedProxy }) => distrustedProxy).map((row) => when('distrustedProxy', row)),
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

const exempt = ({ host, exemptionVariable }: Omit<Facts, 'run'>): string =>
  host === undefined || exemptionVariable === undefined
    ? ''
    : ` If ${host} needs no proxy, add ${host} to ${exemptionVariable}.`
