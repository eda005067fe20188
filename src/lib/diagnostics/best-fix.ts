import type { Evidence } from '../errors.ts'
import { findings } from '../findings/catalogue.ts'
import type { Env } from '../base/env.ts'
import { chooseFix } from './diagnosis.ts'
import type { FoundCheck } from './found-check.ts'
import { isSameFault } from './root-cause.ts'
import { groupOf } from './probe-matrix.ts'
import type { RootCause } from './report.ts'
import { proxyFor } from '../transport/proxy-for.ts'

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
  // NO_PROXY knows no ports, so its own host name wins over that of the request.
  const evidence = { ...own, ...proxyOf(group === 'token' ? 'authority' : group) }
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

/**
 * Lets all failed checks of one cause agree: those that say the same, or follow from it, send the reader to the one fix. A check of
 * another host keeps its own, which names that host.
 */
export function agreeOn(rootCause: RootCause, check: FoundCheck): FoundCheck {
  if (check.status !== 'fail' || !rootCause.checks.includes(check.id)) return check
  if (check.code === rootCause.code) return { ...check, fix: rootCause.fix }
  if (isSameFault(check.code, rootCause.code)) return check
  return { ...check, cause: `This follows from ${rootCause.code}, the first cause of this report.`, fix: rootCause.fix }
}
