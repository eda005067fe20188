import { getServers } from 'node:dns'
import { errorCode } from '../base/error-code.ts'
import type { NetworkRole } from '../errors.ts'
import { unansweredLookup } from './host-lookup.ts'
import { NetworkError } from './network-error.ts'
import { networkFaultOf } from './network-fault.ts'

/**
 * Explains a lookup without addresses.
 *
 * @param error Absent when time ran out before a DNS server responded.
 */
export function toLookupError(role: NetworkRole, name: string, error?: unknown): NetworkError {
  const fault = error === undefined ? 'DNS_UNAVAILABLE' : (networkFaultOf(error) ?? 'DNS_FAILED')
  const reason = error === undefined ? 'no DNS server responded in time' : (errorCode(error) ?? 'unknown error')
  const evidence = { host: name, reason }
  if (fault !== 'DNS_UNAVAILABLE') {
    return new NetworkError(role, fault, `The name ${name} does not resolve (${reason})`, { cause: error, evidence })
  }
  const asked = unansweredLookup(name) ?? name
  const queue = asked === name ? '' : `, which the lookup of ${name} waits for`
  return new NetworkError(role, fault, `No DNS server responded to the lookup of ${asked}${queue} (${reason})`, {
    cause: error,
    evidence: { ...evidence, servers: getServers().join(', ') || 'none' },
  })
}
