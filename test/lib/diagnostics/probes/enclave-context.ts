import type { ProbeContext } from '../../../../src/lib/diagnostics/probes/probe-context.ts'
import type { Check } from '../../../../src/lib/diagnostics/report.ts'
import type { CloudProfile } from '../../../../src/lib/profile/cloud-profile.ts'
import { tenantOf } from '../../../../src/lib/auth/tenant.ts'
import { readSettings } from '../../../../src/lib/settings/settings.ts'

/** Probes of an enclave's profile: no proxy, short layers, a deadline that nothing should reach. */
export function contextOf(profile: CloudProfile, changes: Partial<ProbeContext> = {}): ProbeContext {
  const tenantId = tenantOf(profile, readSettings({}))
  const tenant = tenantId === undefined ? {} : { tenantId }
  return { profile, ...tenant, env: {}, signal: AbortSignal.timeout(15_000), timeoutMs: 1500, ...changes }
}

/** What is not well, as `id CODE`. */
export function troublesOf(checks: readonly Check[]): string[] {
  return checks
    .filter(({ status }) => status === 'fail' || status === 'warn')
    .map(({ id, code }) => `${id} ${code ?? 'without a code'}`)
}

export function checkOf(checks: readonly Check[], id: string): Check {
  const found = checks.find((check) => check.id === id)
  if (found === undefined) throw new Error(`No check ${id} among ${checks.map((check) => check.id).join(', ')}`)
  return found
}
