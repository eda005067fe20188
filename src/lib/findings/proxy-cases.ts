import { type Case, defineCase, type KnownFacts, type Words } from './finding.ts'
import { maybe } from './shared-cases.ts'
import { trustCases } from './trust-cases.ts'

const setsProxy = { sets: { in: 'variable' } } as const
const shows = ['host', 'noProxy'] as const
const ofProxy = { needs: ['variable', 'proxy'], shows, ...setsProxy } as const

/** The host may need no proxy. */
const exempt = ({ host, noProxy }: KnownFacts): string =>
  host === undefined || noProxy === undefined ? '' : ` If ${host} needs no proxy, add ${host} to ${noProxy}.`

/** The proxy resolves the name, so a wrong host name looks like a refusal by the proxy. */
const orAddress = ({ at, addressSetting }: Words & KnownFacts): string =>
  addressSetting === undefined ? '' : ` If ${at} is wrong, correct ${addressSetting}.`

/** Fixes for a proxy that fails: first its address, then TLS, then its refusal. */
export const proxyCases: readonly Case[] = [
  defineCase({
    needs: ['variable'],
    is: { problem: 'configuration file' },
    ...setsProxy,
    fix: ({ variable, at }) =>
      `Set ${variable} to the proxy that its configuration file (PAC) names for ${at}, as http://host:port: the service cannot evaluate such a file.`,
  }),
  defineCase({
    needs: ['variable', 'proxyToSet'],
    shows,
    ...setsProxy,
    value: 'proxyToSet',
    fix: ({ variable, proxyToSet, ...given }) => `Set ${variable} to ${proxyToSet}.${exempt(given)}`,
  }),
  defineCase({
    needs: ['variable'],
    shows,
    is: { problem: 'account malformed' },
    ...setsProxy,
    fix: ({ variable, ...given }) =>
      `Percent-encode special characters of the user name and password in ${variable} (% as %25, @ as %40, / as %2F, # as %23).${exempt(given)}`,
  }),
  defineCase({
    needs: ['host', 'noProxy', 'ignoredEntry'],
    sets: { in: 'noProxy' },
    fix: ({ host, noProxy, ignoredEntry }) =>
      `Add ${host} to ${noProxy}: its entry ${ignoredEntry} does not exempt this host. The service reads exact names and .suffix, separated by commas, in lower case.`,
  }),
  defineCase({
    ...ofProxy,
    is: { problem: ['unknown name', 'silent'] },
    shows: [...shows, 'problem'],
    fix: ({ variable, proxy, problem, ...given }) =>
      problem === 'silent'
        ? `Correct the host and port of ${variable}, or start the proxy: nothing responds at ${proxy}.${exempt(given)}`
        : `Correct the host of ${variable}: no DNS server knows ${proxy}.${exempt(given)}`,
  }),
  defineCase({
    needs: ['variable', 'proxy'],
    shows,
    is: { problem: 'lookup failed' },
    fix: ({ variable, proxy, ...given }) =>
      `Check the DNS servers of this machine: none responded to the lookup of the proxy ${proxy} (${variable}).${exempt(given)}`,
  }),
  defineCase({
    ...ofProxy,
    is: { problem: 'plain' },
    fix: ({ variable, proxy }) => `Replace https: with http: in ${variable}: the proxy ${proxy} does not speak TLS.`,
  }),
  defineCase({
    ...ofProxy,
    is: { problem: 'TLS' },
    fix: ({ variable, proxy }) => `Replace http: with https: in ${variable}: the proxy ${proxy} speaks TLS.`,
  }),
  defineCase({
    needs: ['proxy', 'validTo'],
    is: { problem: 'untrusted' },
    fix: ({ proxy, validTo }) =>
      `Ask the operator of the proxy ${proxy} to renew its certificate, which expired on ${validTo}. If its dates are correct, synchronize this machine's clock (NTP).`,
  }),
  defineCase({
    needs: ['proxy', 'validFrom'],
    is: { problem: 'untrusted' },
    fix: ({ proxy, validFrom }) =>
      `Synchronize this machine's clock (NTP): the certificate of the proxy ${proxy} is valid from ${validFrom}. If the clock is correct, ask the operator of the proxy to replace it.`,
  }),
  defineCase({
    ...ofProxy,
    needs: ['variable', 'proxy', 'names'],
    is: { problem: 'untrusted' },
    fix: ({ variable, proxy, names }) =>
      `Set the host of ${variable} to a name in the certificate of the proxy (${names}), or ask its operator to issue a certificate for ${proxy}.`,
  }),
  ...trustCases.map((each) => ({ ...each, is: { ...each.is, problem: 'untrusted' } })),
  defineCase({
    needs: ['proxy', 'authentication'],
    shows,
    fix: ({ proxy, authentication, ...given }) =>
      `Ask the operator of the proxy ${proxy} to accept Basic authentication, or this machine without authentication: the proxy requires ${authentication}, which the service does not support.${exempt(given)}`,
  }),
  defineCase({
    ...ofProxy,
    is: { problem: 'account missing' },
    fix: ({ variable, proxy, ...given }) =>
      `Add the user name and password of the proxy ${proxy} to ${variable} (http://USER:PASSWORD@host:port, percent-encoded).${exempt(given)}`,
  }),
  defineCase({
    ...ofProxy,
    is: { problem: 'account refused' },
    fix: ({ variable, proxy, ...given }) =>
      `Correct the user name and password in ${variable} (percent-encoded): the proxy ${proxy} refused them.${exempt(given)}`,
  }),
  defineCase({
    needs: ['proxy'],
    shows: [...shows, 'addressSetting'],
    is: { problem: 'name not resolved' },
    cause: 'The proxy accepted the request, but its DNS server does not resolve the name of the host.',
    fix: ({ proxy, ...given }) =>
      `Ask the operator of the proxy ${proxy} to make its DNS server resolve the name ${given.at}.${orAddress(given)}${exempt(given)}`,
  }),
  defineCase({
    needs: ['proxy'],
    shows: [...shows, 'addressSetting', 'status'],
    is: { problem: 'no connection' },
    fix: ({ proxy, status, ...given }) =>
      `Ask the operator of the proxy ${proxy} why it makes no connection to ${given.at}${maybe(status, ' (', ')')}.${orAddress(given)}${exempt(given)}`,
  }),
  defineCase({
    needs: ['proxy', 'status'],
    shows: [...shows, 'addressSetting'],
    fix: ({ proxy, status, ...given }) =>
      `Ask the operator of the proxy ${proxy} to allow connections to ${given.at}, which it refused (${status}).${orAddress(given)}${exempt(given)}`,
  }),
  defineCase({
    needs: ['variable'],
    shows: [...shows, 'proxy'],
    ...setsProxy,
    fix: ({ variable, proxy, ...given }) =>
      proxy === undefined
        ? `Set ${variable} to the address of the proxy (http://host:port).${exempt(given)}`
        : `Correct ${variable}, which names the proxy ${proxy}.${exempt(given)}`,
  }),
]
