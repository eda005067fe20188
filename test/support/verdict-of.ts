import { failedCheck } from '../../src/lib/diagnostics/checks.ts'
import { conclude } from '../../src/lib/diagnostics/conclude.ts'
import { configuredEndpoints } from '../../src/lib/diagnostics/endpoint-table.ts'
import { collectFacts, type FactsSource } from '../../src/lib/diagnostics/facts.ts'
import type { Check, HostFacts, Verdict } from '../../src/lib/diagnostics/run.ts'
import { type ErrorCode, type Evidence, ServiceError } from '../../src/lib/errors.ts'
import { explainProfile } from '../../src/lib/profile/resolve-cloud-profile.ts'
import { readSettings } from '../../src/lib/settings/settings.ts'
import { placed } from './placed.ts'

/** A failed check with its place. `id` says endpoint and layer, such as `authority.tls`. */
export const failed = (id: string, code: ErrorCode, evidence: Evidence = {}, observed: HostFacts = {}): Check => ({
  ...placed(failedCheck({ id }, new ServiceError(code, `What ${id} says`, { evidence }))),
  observed,
})

export const passed = (id: string, more: Partial<Check> = {}): Check => ({
  ...placed({ id, status: 'pass', message: '', durationMs: 1 }),
  ...more,
})

type Given = Partial<Omit<FactsSource, 'checks' | 'env'>> & {
  readonly env?: Readonly<Record<string, string>>
  readonly status?: 'acquired' | 'failed' | 'pending'
}

/** The verdict on checks. Default is a failed token attempt with the default profile. */
export function verdictOf(checks: readonly Check[], { env = {}, status = 'failed', ...given }: Given = {}): Verdict {
  const { cloud = explainProfile({ env }), settings = readSettings({ AUTH_MODE: 'clientSecret', ...env }) } = given
  const endpoints = configuredEndpoints(cloud.profile, settings)
  const identity = { tenantId: 't', clientId: 'c' }
  const source = { checks, identity, endpoints, env, ...given, cloud, settings }
  return conclude(collectFacts(source), { status, cached: false }, false)
}
