import { ownCopy, withoutUndefined } from '../base/json.ts'
import { withBrackets, canonicalIPv6, isLoopback } from '../base/address.ts'
import { aliasesOf } from '../clouds/equal-values.ts'
import { ServiceError, type NetworkRole } from '../errors.ts'
import { readVariable, type Env, proxyVariables } from '../base/env.ts'

// Decides whether a host may be contacted, and through which proxy.

/** The hosts that may be contacted. A request to any other host is refused before its DNS lookup. */
export interface EgressPolicy {
  /** The role of each host, by its normalized origin (`scheme://host[:port]`). */
  readonly origins: ReadonlyMap<string, NetworkRole>
}

/**
 * @param urls Absolute URLs by role. Only their origins count. The aliases of a well-known authority are added, because the credential library
 *   contacts an alias of the China cloud.
 * @param tokenHosts Further https hosts that may receive token requests: `host`, `host:port`, an IPv6 address or `[address]:port`.
 */
export function createEgressPolicy(
  urls: Readonly<Partial<Record<NetworkRole, readonly string[]>>>,
  tokenHosts: readonly string[] = [],
): EgressPolicy {
  const origins = new Map<string, NetworkRole>()
  const aliases = (ownCopy(urls).AUTHORITY ?? []).flatMap(aliasesOf)
  for (const host of [...tokenHosts, ...aliases])
    origins.set(new URL(`https://${withBrackets(host)}`).origin, 'AUTHORITY')
  for (const [role, list] of Object.entries(urls)) {
    for (const url of list) origins.set(new URL(url).origin, role as NetworkRole)
  }
  return { origins }
}

/** The role of a URL's host. @throws {ServiceError} `EGRESS_BLOCKED` that names the host. */
export function roleOf(policy: EgressPolicy, url: string): NetworkRole {
  const target = URL.canParse(url) ? new URL(url) : undefined
  const role = target === undefined ? undefined : policy.origins.get(target.origin)
  if (role !== undefined) return role
  const message = `The service refused the request to ${target?.host ?? 'an invalid URL'}: the cloud profile does not name this host`
  throw new ServiceError('EGRESS_BLOCKED', message)
}

interface ProxyChoice {
  /** The variable that names the proxy. Its value may contain a password. */
  readonly variable: string
  /** Absent if the value isn't a usable proxy URL. */
  readonly url?: URL
}

/** The effect of the proxy variables on one host. */
export interface ProxyVerdict {
  readonly proxy?: ProxyChoice
  /** The proxy variable that doesn't apply because NO_PROXY exempts the host. */
  readonly exempted?: string
  /** `NO_PROXY` or `no_proxy`, whichever applies. */
  readonly noProxy?: string
  readonly exemptingEntry?: string
  /** An entry of NO_PROXY that exempts the host in other tools, but not here. */
  readonly ignoredEntry?: string
  /** Entries of NO_PROXY in a syntax that only other tools support. */
  readonly ignoredEntries: readonly string[]
}

/** The variable that names the proxy. `undefined` if none is set. */
export function proxyVariableOf(env: Env): string | undefined {
  return setVariable(env, proxyVariables)
}

/**
 * The proxy for requests to a host. Loopback needs none. The rules come from the credential library (`proxyPolicy` of
 * `@azure/core-rest-pipeline`), and support less than other tools do:
 *
 * - http and https have the same proxy, the first of HTTPS_PROXY, ALL_PROXY and HTTP_PROXY, each in upper and then in lower case;
 * - NO_PROXY contains host names and `.suffix`, which covers the bare domain too. Letter case counts. `*`, address ranges and ports have no
 *   effect. Only here, an IPv6 address may have any spelling, with or without brackets.
 */
export function proxyFor(url: URL, env: Env): ProxyVerdict {
  const variable = isLoopback(url.hostname) ? undefined : proxyVariableOf(env)
  if (variable === undefined) return ownCopy({ ignoredEntries: [] })
  const noProxy = setVariable(env, ['NO_PROXY']) ?? 'NO_PROXY'
  const given = (readVariable(env, noProxy) ?? '').split(',').map((entry) => entry.trim())
  const entries = given.filter((entry) => entry !== '')
  const ignoredEntries = entries.filter((entry) => /[*/:]/.test(entry) && canonicalIPv6(entry) === undefined)
  const exemptingEntry = entries.find((entry) => exempts(entry, url.hostname))
  if (exemptingEntry !== undefined) return ownCopy({ exempted: variable, noProxy, exemptingEntry, ignoredEntries })
  const proxy = withoutUndefined({ variable, url: readProxy(readVariable(env, variable) ?? '') })
  const ignoredEntry = entries.find((entry) => exemptsElsewhere(entry, url.hostname))
  return withoutUndefined({ proxy, noProxy, ignoredEntry, ignoredEntries })
}

/** Whether a value looks like the address of a script that chooses a proxy (PAC). */
export function isProxyFile(value: string): boolean {
  const path = URL.parse(value.trim())?.pathname ?? value.trim()
  return /\.pac$|\/wpad\.dat$|\/proxy\.js$/i.test(path)
}

/** Completes a value without a scheme, such as `proxy.test:3128`. `undefined` for a value with a user name, which no message may show. */
export function withScheme(value: string): string | undefined {
  const url = /^[\w.-]+:\d{1,5}\/?$/.test(value.trim()) ? URL.parse(`http://${value.trim()}`) : null
  return url?.origin
}

/** Parses an http or https URL. `undefined` if its user name or password isn't valid percent encoding. */
function readProxy(value: string): URL | undefined {
  if (!URL.canParse(value) || !/^https?:/i.test(value) || isProxyFile(value)) return undefined
  const url = new URL(value)
  // A `/`, `?` or `#` in a password would end the host, so that a part of the password would count as the path.
  if (`${url.pathname}${url.search}${url.hash}`.includes('@')) return undefined
  try {
    decodeURIComponent(`${url.username}:${url.password}`)
    return url
  } catch {
    return undefined
  }
}

function exempts(entry: string, hostname: string): boolean {
  const address = canonicalIPv6(entry)
  if (address !== undefined) return hostname === address
  return entry.startsWith('.') ? hostname.endsWith(entry) || hostname === entry.slice(1) : hostname === entry
}

/** Applies the rules of other tools: `*`, `*.suffix`, a bare domain for all names below it, any letter case, a port. */
function exemptsElsewhere(entry: string, hostname: string): boolean {
  const name = entry
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\*?\./, '')
  return name === '*' || hostname === name || hostname.endsWith(`.${name}`)
}

function setVariable(env: Env, names: readonly string[]): string | undefined {
  return names.flatMap((name) => [name, name.toLowerCase()]).find((name) => readVariable(env, name) !== undefined)
}
