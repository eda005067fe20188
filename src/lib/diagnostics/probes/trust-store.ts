import * as tls from 'node:tls'
import { readVariable, type Env } from '../../base/env.ts'

/** Absent before Node 22.15, where only the bundled authorities can be listed. */
const list = (tls as Partial<typeof tls>).getCACertificates

/** How many certificate authorities Node trusts by default. */
export const trustedCount = (): number => list?.('default').length ?? tls.rootCertificates.length

/** What Node trusts here, as the end of a message about a certificate it does not. Names no path. */
export function describeTrust(env: Env): string {
  const extra = extraCertificates(env)
  const system = readVariable(env, 'NODE_USE_SYSTEM_CA') === '1' ? '1' : 'not set'
  const off = readVariable(env, 'NODE_TLS_REJECT_UNAUTHORIZED') === '0'
  return [
    `Node trusts ${trustedCount()} certificate authorities here`,
    `NODE_EXTRA_CA_CERTS ${extra === 'gave no certificate' ? 'is set, but gave no certificate: check its path' : `is ${extra}`}`,
    `NODE_USE_SYSTEM_CA is ${system}`,
    ...(off ? ['NODE_TLS_REJECT_UNAUTHORIZED=0 hides this from every request: remove it'] : []),
  ].join('; ')
}

/** What became of NODE_EXTRA_CA_CERTS. Node reads the file once, at its start, and only writes a line to stderr when it cannot. */
export function extraCertificates(env: Env): 'not set' | 'set' | 'gave no certificate' {
  if (readVariable(env, 'NODE_EXTRA_CA_CERTS') === undefined) return 'not set'
  return list?.('extra').length === 0 ? 'gave no certificate' : 'set'
}
