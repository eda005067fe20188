import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type Enclave, startEnclave } from '../../../../src/enclave/enclave.ts'
import type { ProbeContext } from '../../../../src/lib/diagnostics/probes/probe-context.ts'
import type { Check } from '../../../../src/lib/diagnostics/report.ts'
import type { CloudProfile } from '../../../../src/lib/profile/cloud-profile.ts'

/** A running enclave whose root this process trusts. */
export async function startTrustedEnclave(): Promise<Enclave> {
  const enclave = await startEnclave()
  setDefaultCACertificates([...getCACertificates('default'), enclave.ca.certificatePem])
  return enclave
}

/** Probes of an enclave's profile: no proxy, short layers, a deadline that nothing should reach. */
export function contextOf(profile: CloudProfile, changes: Partial<ProbeContext> = {}): ProbeContext {
  return { profile, env: {}, signal: AbortSignal.timeout(15_000), timeoutMs: 1500, ...changes }
}

/** What is not well, as `id CODE`; certificates of the enclave are short-lived, so their warning does not count. */
export function troublesOf(checks: readonly Check[]): string[] {
  return checks
    .filter(({ status, code }) => (status === 'fail' || status === 'warn') && code !== 'CERTIFICATE_EXPIRES_SOON')
    .map(({ id, code }) => `${id} ${code ?? 'without a code'}`)
}

export function checkOf(checks: readonly Check[], id: string): Check {
  const found = checks.find((check) => check.id === id)
  if (found === undefined) throw new Error(`No check ${id} among ${checks.map((check) => check.id).join(', ')}`)
  return found
}
