import { type Case, defineCase, type Words } from './finding.ts'
import { dateBegins, ifDatesAreCorrect } from './shared-cases.ts'
import { trustCases } from './trust-cases.ts'

const setsProxy = { sets: { in: 'variable' } } as const
const ofProxy = { needs: ['variable', 'proxy'], ...setsProxy } as const

/** The host may need no proxy. */
const exempt = ({ at, maybe }: Words): string =>
  maybe('host', '') && maybe('noProxy', ` If ${at} needs no proxy, add ${at} to `, '.')

/** The proxy resolves the name, so a wrong host name looks like a refusal by the proxy. */
const orAddress = ({ at, maybe }: Words): string => maybe('addressSetting', ` If ${at} is wrong, correct `, '.')

/** Fixes for a proxy that fails: first its address, then TLS, then its refusal. */
export const proxyCases: readonly Case[] = [
  defineCase(
    { needs: ['variable'], is: { problem: 'configuration file' }, ...setsProxy },
    ({ variable, at }) =>
      `Set ${variable} to the proxy that its configuration file (PAC) names for ${at}, as http://host:port: the service cannot evaluate such a file.`,
  ),
  defineCase(
    { needs: ['variable', 'proxyToSet'], ...setsProxy, value: 'proxyToSet' },
    ({ variable, proxyToSet, ...words }) => `Set ${variable} to ${proxyToSet}.${exempt(words)}`,
  ),
  defineCase(
    { needs: ['variable'], is: { problem: 'account malformed' }, ...setsProxy },
    ({ variable }) =>
      `Percent-encode special characters of the user name and password in ${variable} (% as %25, @ as %40, / as %2F, # as %23).`,
  ),
  defineCase(
    { needs: ['host', 'noProxy', 'ignoredEntry'], sets: { in: 'noProxy' } },
    ({ host, noProxy, ignoredEntry }) =>
      `Add ${host} to ${noProxy}: its entry ${ignoredEntry} does not exempt this host. The service reads exact names and .suffix, separated by commas, in lower case.`,
  ),
  defineCase(
    { ...ofProxy, is: { problem: ['unknown name', 'silent'] } },
    ({ variable, proxy, problem, ...words }) =>
      `Correct the host and port of ${variable}, or start the proxy: ${problem === 'silent' ? 'nothing responds at' : 'no DNS server knows'} ${proxy}.${exempt(words)}`,
  ),
  defineCase(
    { needs: ['variable', 'proxy'], is: { problem: 'lookup failed' } },
    ({ variable, proxy, ...words }) =>
      `Check the DNS servers of this machine: none responded to the lookup of the proxy ${proxy} (${variable}).${exempt(words)}`,
  ),
  defineCase({ ...ofProxy, is: { problem: ['plain', 'TLS'] } }, ({ variable, proxy, problem }) =>
    problem === 'TLS'
      ? `Replace http: with https: in ${variable}: the proxy ${proxy} speaks TLS.`
      : `Replace https: with http: in ${variable}: the proxy ${proxy} does not speak TLS.`,
  ),
  defineCase(
    { needs: ['proxy', 'validTo'], is: { problem: 'untrusted' } },
    ({ proxy, validTo, ...words }) =>
      `Ask the operator of the proxy ${proxy} to renew its certificate, which expired on ${validTo}.${ifDatesAreCorrect(words)}`,
  ),
  defineCase({ needs: ['proxy', 'validFrom'], is: { problem: 'untrusted' } }, ({ proxy, validFrom, ...words }) =>
    dateBegins(`the proxy ${proxy}`, validFrom, words),
  ),
  defineCase(
    { needs: ['variable', 'proxy', 'names'], is: { problem: 'untrusted' }, ...setsProxy },
    ({ variable, proxy, names }) =>
      `Set the host of ${variable} to a name in the certificate of the proxy (${names}), or ask its operator to issue a certificate for ${proxy}.`,
  ),
  ...trustCases.map((each) => ({ ...each, is: { ...each.is, problem: 'untrusted' } })),
  defineCase(
    { needs: ['proxy', 'authentication'] },
    ({ proxy, authentication, ...words }) =>
      `Ask the operator of the proxy ${proxy} to accept Basic authentication, or this machine without authentication: the proxy requires ${authentication}, which the service does not support.${exempt(words)}`,
  ),
  defineCase(
    { ...ofProxy, is: { problem: ['account missing', 'account refused'] } },
    ({ variable, proxy, problem, ...words }) =>
      `${problem === 'account missing' ? 'Add' : 'Correct'} the user name and password of the proxy ${proxy} in ${variable} (http://USER:PASSWORD@host:port, percent-encoded).${exempt(words)}`,
  ),
  defineCase(
    {
      needs: ['proxy'],
      is: { problem: 'name not resolved' },
      cause: 'The proxy accepted the request, but its DNS server does not resolve the name of the host.',
    },
    ({ proxy, ...words }) =>
      `Ask the operator of the proxy ${proxy} to make its DNS server resolve the name ${words.at}.${orAddress(words)}${exempt(words)}`,
  ),
  defineCase(
    { needs: ['proxy'], is: { problem: 'no connection' } },
    ({ proxy, ...words }) =>
      `Ask the operator of the proxy ${proxy} why it makes no connection to ${words.at}${words.maybe('status', ' (', ')')}.${orAddress(words)}${exempt(words)}`,
  ),
  defineCase(
    { needs: ['proxy', 'status'] },
    ({ proxy, status, ...words }) =>
      `Ask the operator of the proxy ${proxy} to allow connections to ${words.at}, which it refused (${status}).${orAddress(words)}${exempt(words)}`,
  ),
  defineCase(
    { needs: ['variable'], ...setsProxy },
    ({ variable, maybe, ...words }) =>
      `Correct ${variable}${maybe('proxy', ', which names the proxy ')}, to the address of the proxy (http://host:port).${exempt({ maybe, ...words })}`,
  ),
]
