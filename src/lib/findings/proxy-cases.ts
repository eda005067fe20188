import type { Case } from './finding.ts'
import { ifDatesAreCorrect } from './shared-cases.ts'
import { trustCases } from './trust-cases.ts'

const setsProxy = { sets: '{variable}' } as const
const untrusted = { problem: 'untrusted' } as const

/** The host may need no proxy. */
const exempt = '[ If {host} needs no proxy, add {host} to {noProxy}.]'
/** The proxy resolves the name, so a wrong host name looks like a refusal by the proxy. */
const orAddress = '[ If {at} is wrong, correct {address.setting}.]'

const correctProxy = 'Correct the host and port of {variable}, or start the proxy'
const account = `the user name and password of the proxy {proxy} in {variable} (http://USER:PASSWORD@host:port, percent-encoded).${exempt}`

/** Fixes for a proxy that fails: first its address, then TLS, then its refusal. */
export const proxyCases = [
  {
    ...setsProxy,
    is: { problem: 'configuration file' },
    fix: 'Set {variable} to the proxy that its configuration file (PAC) names for {at}, as http://host:port: the service cannot evaluate such a file.',
  },
  { ...setsProxy, value: 'proxyToSet', fix: `Set {variable} to {proxyToSet}.${exempt}` },
  {
    ...setsProxy,
    is: { problem: 'account malformed' },
    fix: 'Percent-encode special characters of the user name and password in {variable} (% as %25, @ as %40, / as %2F, # as %23).',
  },
  {
    sets: '{noProxy}',
    fix: 'Add {host} to {noProxy}: its entry {ignoredEntry} does not exempt this host. The service reads exact names and .suffix, separated by commas, in lower case.',
  },
  {
    ...setsProxy,
    is: { problem: 'unknown name' },
    fix: `${correctProxy}: no DNS server knows {proxy}.${exempt}`,
  },
  { ...setsProxy, is: { problem: 'silent' }, fix: `${correctProxy}: nothing responds at {proxy}.${exempt}` },
  {
    is: { problem: 'lookup failed' },
    fix: `Check the DNS servers of this machine: none responded to the lookup of the proxy {proxy} ({variable}).${exempt}`,
  },
  {
    ...setsProxy,
    is: { problem: 'TLS' },
    fix: 'Replace http: with https: in {variable}: the proxy {proxy} speaks TLS.',
  },
  {
    ...setsProxy,
    is: { problem: 'plain' },
    fix: 'Replace https: with http: in {variable}: the proxy {proxy} does not speak TLS.',
  },
  {
    is: untrusted,
    fix: `Ask the operator of the proxy {proxy} to renew its certificate, which expired on {validTo}.${ifDatesAreCorrect}`,
  },
  {
    is: untrusted,
    fix: 'Ask the operator of the proxy {proxy} to replace its certificate, which is valid from {validFrom}.{clockProof}',
  },
  {
    is: untrusted,
    fix: "Synchronize this machine's clock (NTP): the certificate of the proxy {proxy} is valid from {validFrom}. If the clock is correct, ask the operator of the proxy {proxy} to replace the certificate.",
  },
  {
    ...setsProxy,
    is: untrusted,
    fix: 'Set the host of {variable} to a name in the certificate of the proxy ({names}), or ask its operator to issue a certificate for {proxy}.',
  },
  ...trustCases.map((each) => ({ ...each, is: { ...('is' in each && each.is), ...untrusted } })),
  `Ask the operator of the proxy {proxy} to accept Basic authentication, or this machine without authentication: the proxy requires {authentication}, which the service does not support.${exempt}`,
  { ...setsProxy, is: { problem: 'account missing' }, fix: `Add ${account}` },
  { ...setsProxy, is: { problem: 'account refused' }, fix: `Correct ${account}` },
  {
    is: { problem: 'name not resolved' },
    cause: 'The proxy accepted the request, but its DNS server does not resolve the name of the host.',
    fix: `Ask the operator of the proxy {proxy} to make its DNS server resolve the name {at}.${orAddress}${exempt}`,
  },
  {
    is: { problem: 'no connection' },
    fix: `Ask the operator of the proxy {proxy} why it makes no connection to {at}[ ({status})].${orAddress}${exempt}`,
  },
  `Ask the operator of the proxy {proxy} to allow connections to {at}, which it refused ({status}).${orAddress}${exempt}`,
  {
    ...setsProxy,
    fix: `Correct {variable}[, which names the proxy {proxy}], to the address of the proxy (http://host:port).${exempt}`,
  },
] as const satisfies readonly (string | Case)[]
