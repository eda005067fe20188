import { withBrackets, canonicalIPv6, isLoopback } from '../base/address.ts'
import { aliasesOf } from '../clouds/equal-values.ts'
import { ServiceError, type NetworkRole } from '../errors.ts'
import { readVariable, type Env, proxyVariables } from '../base/env.ts'

// Whether a host may be contacted, and through which proxy.

/** The hosts that may be contacted, each with its role. Any other host is refused before a lookup. */
export interface EgressPolicy {
  /** `scheme://host[:port]`, normalized, to the role of that host. */
  readonly origins: ReadonlyMap<string, NetworkRole>
}

/**
 * @param urls Absolute URLs by role; only their origins count. A well-known authority includes its aliases: the credential library posts to
 *   the network alias of the China cloud.
 * @param tokenHosts Further https hosts (`host`, `host:port`, an IPv6 address or `[address]:port`) that may receive token requests.
 */
export function createEgressPolicy(
  urls: Readonly<Partial<Record<NetworkRole, readonly string[]>>>,
  tokenHosts: readonly string[] = [],
): EgressPolicy {
  const origins = new Map<string, NetworkRole>()
  const aliases = (urls.AUTHORITY ?? []).flatMap(aliasesOf)
  for (const host of [...tokenHosts, ...aliases])
    origins.set(new URL(`https://${withBrackets(host)}`).origin, 'AUTHORITY')
  for (const [role, list] of Object.entries(urls)) {
    for (const url of list) origins.set(new URL(url).origin, role as NetworkRole)
  }
  return { origins }
}

/** The role of the host a URL names. @throws {ServiceError} `EGRESS_BLOCKED` that names the host. */
export function roleOf(policy: EgressPolicy, url: string): NetworkRole {
  const target = URL.canParse(url) ? new URL(url) : undefined
  const role = target === undefined ? undefined : policy.origins.get(target.origin)
  if (role !== undefined) return role
  const message = `The request to ${target?.host ?? 'an invalid URL'} was refused: the cloud profile does not name this host`
  throw new ServiceError('EGRESS_BLOCKED', message)
}

/** The proxy that requests to one host take. */
interface ProxyChoice {
  /** The variable that names it; its value may contain a password. */
  readonly variable: string
  /** Absent if the transport cannot use the value. */
  readonly url?: URL
}

/** The effect of the proxy variables on one host. */
export interface ProxyVerdict {
  readonly proxy?: ProxyChoice
  /** The variable that would apply, if NO_PROXY did not exempt the host. */
  readonly exempted?: string
  /** NO_PROXY, in the spelling in force, and its entry that exempts the host. */
  readonly noProxy?: string
  readonly exemptingEntry?: string
  /** An entry of NO_PROXY that exempts the host in other tools, and not in the transport. */
  readonly ignoredEntry?: string
  /** Entries of NO_PROXY that other tools understand and the transport does not. */
  readonly ignoredEntries: readonly string[]
}

/** The variable that names the proxy of this environment, if one is set. */
export function proxyVariableOf(env: Env): string | undefined {
  return setVariable(env, proxyVariables)
}

/**
 * Which proxy requests to a host take. Loopback is always direct. The rules are the credential library's (`proxyPolicy` of
 * @azure/core-rest-pipeline), narrower than in other tools: one proxy for http and https alike, the first of HTTPS_PROXY, ALL_PROXY and
 * HTTP_PROXY in upper, then lower case; NO_PROXY holds exact host names and `.suffix`, which covers the bare domain too; no `*`, no address
 * ranges, no ports, and letter case counts. Beyond those rules, an IPv6 address may have any spelling, with or without brackets.
 */
export function proxyFor(url: URL, env: Env): ProxyVerdict {
  if (isLoopback(url.hostname)) return { ignoredEntries: [] }
  const variable = proxyVariableOf(env)
  if (variable === undefined) return { ignoredEntries: [] }
  const noProxy = setVariable(env, ['NO_PROXY']) ?? 'NO_PROXY'
  const entries = (env[noProxy] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const ignoredEntries = entries.filter((entry) => /[*/:]/.test(entry) && canonicalIPv6(entry) === undefined)
  const exemptingEntry = entries.find((entry) => exempts(entry, url.hostname))
  if (exemptingEntry !== undefined) return { exempted: variable, noProxy, exemptingEntry, ignoredEntries }
  const proxy = readProxy(env[variable] ?? '')
  const ignoredEntry = entries.find((entry) => exemptsElsewhere(entry, url.hostname))
  return {
    proxy: { variable, ...(proxy === undefined ? {} : { url: proxy }) },
    noProxy,
    ...(ignoredEntry === undefined ? {} : { ignoredEntry }),
    ignoredEntries,
  }
}

/** Whether a value names a script that chooses a proxy (PAC), by the names that such files have. */
export function isProxyFile(value: string): boolean {
  const path = URL.parse(value.trim())?.pathname ?? value.trim()
  return /\.pac$|\/wpad\.dat$|\/proxy\.js$/i.test(path)
}

/**
 * The URL that a value without a scheme, such as `proxy.test:3128`, most likely means; `undefined` for anything with a user name, which no
 * message may show.
 */
export function withScheme(value: string): string | undefined {
  const url = /^[\w.-]+:\d{1,5}\/?$/.test(value.trim()) ? URL.parse(`http://${value.trim()}`) : null
  return url?.origin
}

/** An http or https URL with a user name and password that can be sent. */
function readProxy(value: string): URL | undefined {
  if (!URL.canParse(value) || !/^https?:/i.test(value) || isProxyFile(value)) return undefined
  const url = new URL(value)
  // An account that is not percent-encoded ends at its first `/`, `?` or `#`, and the rest of it would count as the host.
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

/** The rules of other tools: `*`, `*.suffix`, a bare domain for all names below it, any letter case, a port. */
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
