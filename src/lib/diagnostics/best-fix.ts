import type { Evidence } from '../errors.ts'
import { findings } from '../findings/catalogue.ts'
import type { Env } from '../base/env.ts'
import { chooseFix } from './diagnosis.ts'
import type { FoundCheck } from './found-check.ts'
import { isSameFault } from './root-cause.ts'
import { endpointOf } from './probe-matrix.ts'
import type { RootCause } from './report.ts'
import { proxyFor } from '../transport/proxy-for.ts'

/**
 * A check with the fix that respects all results of the run, not only its own.
 *
 * @param proxyOf The proxy on the way to the host of an endpoint.
 */
export function withBestFix(
  check: FoundCheck,
  conclusions: Evidence,
  proxyOf: (endpoint: string) => Evidence,
): FoundCheck {
  const { code, fix, evidence: own } = check
  if (code === undefined || fix === undefined) return check
  if (!code.endsWith('_PROXY_FAILED')) return { ...check, fix: chooseFix(findings[code], { ...conclusions, ...own }) }
  const endpoint = endpointOf(check)
  // A token request fails on its way to the login authority.
  // NO_PROXY matches host names without ports, so the host of the endpoint replaces that of the request.
  const evidence = { ...own, ...proxyOf(endpoint === 'token' ? 'authority' : endpoint) }
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
