import type { Env } from '../base/env.ts'
import { isFipsMode } from '../settings/node-requirements.ts'
import { addedAuthorities, trustedCount } from '../transport/certificate-authorities.ts'
import { proxyVariableOf } from '../transport/proxy-for.ts'
import type { Runtime } from './report.ts'

/** The versions, trust and proxy settings of this process. Names only: no path, no proxy address. */
export function readRuntime(env: Env): Runtime {
  const added = addedAuthorities(env)
  const effective = added.filter(({ status }) => status === 'read by Node' || status === 'loaded by the service')
  return {
    node: process.versions.node,
    openssl: process.versions.openssl ?? 'unknown',
    fips: isFipsMode(),
    trustStore: {
      certificates: trustedCount(),
      sources: ['bundled', ...effective.map(({ variable }) => variable)],
      added,
    },
    proxy: proxyVariableOf(env) !== undefined,
  }
}
