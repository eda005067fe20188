import { readVariable, type Env } from '../base/env.ts'
import { isFipsMode } from '../settings/fips-mode.ts'
import { trustedCount } from './probes/trust-store.ts'
import type { Runtime } from './report.ts'

/** What this process runs on and trusts. Names only: no path, no proxy address. */
export function readRuntime(env: Env): Runtime {
  const added = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA']
  const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']
  const isSet = (name: string) => readVariable(env, name) !== undefined
  return {
    node: process.versions.node,
    openssl: process.versions.openssl ?? 'unknown',
    fips: isFipsMode(),
    trustStore: { certificates: trustedCount(), sources: ['bundled', ...added.filter(isSet)] },
    proxy: proxies.some(isSet),
  }
}
