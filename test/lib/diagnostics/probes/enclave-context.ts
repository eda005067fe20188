import { runProbes } from '../../../../src/lib/diagnostics/probes/probe-endpoint.ts'
import type { Check, ProbeContext } from '../../../../src/lib/diagnostics/run.ts'
import { configuredEndpoints } from '../../../../src/lib/diagnostics/endpoint-table.ts'
import { toDiagnosis } from '../../../../src/lib/diagnostics/checks.ts'
import type { Diagnosis } from '../../../../src/lib/diagnostics/report.ts'
import type { CloudProfile } from '../../../../src/lib/clouds/cloud-profile.ts'
import { identityProviderOf } from '../../../../src/lib/profile/identity-provider.ts'

/** Probes of an enclave's profile: no proxy, and limits that nothing but silence reaches. */
export function contextOf(profile: CloudProfile, changes: Partial<ProbeContext> = {}): ProbeContext {
  const provider = identityProviderOf(profile, profile.tenantId)
  const limits = { signal: AbortSignal.timeout(240_000), timeoutMs: 120_000 }
  return { profile, provider, endpoints: configuredEndpoints(profile, {}), env: {}, ...limits, ...changes }
}

/** What is not well, as `id CODE`. */
export function troublesOf(checks: readonly Pick<Check, 'id' | 'status' | 'code'>[]): string[] {
  return checks
    .filter(({ status }) => status === 'fail' || status === 'warn')
    .map(({ id, code }) => `${id} ${code ?? 'without a code'}`)
}

/** A check by its id, with the cause and the fix that it has without the facts of a run. */
export function checkOf(checks: readonly Check[], id: string): Check & Partial<Diagnosis> {
  const found = checks.find((check) => check.id === id)
  if (found === undefined) throw new Error(`No check ${id} among ${checks.map((check) => check.id).join(', ')}`)
  const { code, message, evidence = {} } = found
  return code === undefined ? found : { ...found, ...toDiagnosis({ code, message, evidence }) }
}

/** The checks of one endpoint alone; none where it is not configured. */
export const probe = (id: string, context: ProbeContext): Promise<readonly Check[]> =>
  runProbes({ ...context, endpoints: context.endpoints.filter((each) => each.id === id) })
