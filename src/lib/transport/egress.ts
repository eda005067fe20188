import { withBrackets } from '../base/address.ts'
import { aliasesOf } from '../clouds/equal-values.ts'
import { ServiceError, type NetworkRole } from '../errors.ts'

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
