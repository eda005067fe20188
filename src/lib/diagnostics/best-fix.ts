import type { Evidence } from '../errors.ts'
import { findings } from '../findings/catalogue.ts'
import type { Env } from '../profile/overrides.ts'
import { chooseFix } from './explanation.ts'
import type { FoundCheck } from './found-check.ts'
import { groupOf } from './host-rows.ts'
import { proxyFor } from './probes/proxy-for.ts'

/**
 * A check with its fix in the light of all that the look found, not only of the check itself.
 *
 * @param proxyOf The proxy on the way to the host of a group.
 */
export function withBestFix(check: FoundCheck, facts: Evidence, proxyOf: (group: string) => Evidence): FoundCheck {
  const { code, fix, evidence: own } = check
  if (code === undefined || fix === undefined) return check
  if (!code.endsWith('_PROXY_FAILED')) return { ...check, fix: chooseFix(findings[code], { ...facts, ...own }) }
  const group = groupOf(check)
  // A token request fails on its way to the login authority.
  const evidence = { ...proxyOf(group === 'token' ? 'authority' : group), ...own }
  return { ...check, evidence, fix: chooseFix(findings[code], evidence) }
}

/** The variable and the address of the proxy, without user name and password. */
export function proxyEvidence(url: URL | undefined, env: Env): Evidence {
  const proxy = url && proxyFor(url, env).proxy
  if (url === undefined || proxy === undefined) return {}
  return {
    variable: proxy.variable,
    host: url.hostname,
    ...(proxy.url === undefined ? {} : { proxy: proxy.url.origin }),
  }
}
