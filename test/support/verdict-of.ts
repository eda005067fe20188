import { failedCheck } from '../../src/lib/diagnostics/checks.ts'
import { conclude } from '../../src/lib/diagnostics/conclude.ts'
import { configuredEndpoints } from '../../src/lib/diagnostics/endpoint-table.ts'
import { collectFacts, type FactsSource } from '../../src/lib/diagnostics/facts.ts'
import type { Check, HostFacts, Verdict } from '../../src/lib/diagnostics/run.ts'
import { type ErrorCode, type Evidence, type NetworkFault, ServiceError } from '../../src/lib/errors.ts'
import { layers } from '../../src/lib/findings/finding.ts'
import { faults } from '../../src/lib/findings/network-faults.ts'
import { explainProfile } from '../../src/lib/profile/resolve-cloud-profile.ts'
import { readSettings } from '../../src/lib/settings/settings.ts'

const subjects = ['AUTHORITY', 'RESOURCE_MANAGER', 'METADATA', 'IDENTITY_ENDPOINT', 'SERVICE']

/** A check of a sample with the endpoint, layer and fault that the product gives it. */
export function placed<T extends Pick<Check, 'id' | 'code'>>(
  check: T,
): T & Pick<Check, 'endpoint' | 'layer' | 'fault' | 'of'> {
  const [group = '', name = ''] = check.id.split('.')
  const layer = layers.find((each) => each === name) ?? (name === 'accepts-token' ? 'token' : 'response')
  const role = subjects.find((each) => check.code?.startsWith(`${each}_`))
  const fault = check.code?.slice((role?.length ?? 0) + 1) as NetworkFault
  const known = role !== undefined && Object.hasOwn(faults, fault) ? { fault } : {}
  const of = name === 'acquired' ? 'attempt' : 'claims'
  if (group === 'token') return { ...check, ...known, of, endpoint: 'authority', layer: 'token' }
  const isOfNoHost = ['profile', 'report', 'cloud'].includes(group)
  return { ...check, ...known, ...(!isOfNoHost && { endpoint: group, layer }) }
}

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
  const { endpoints = configuredEndpoints(cloud.profile, settings) } = given
  const identity = { tenantId: 't', clientId: 'c' }
  const source = { checks, identity, env, ...given, endpoints, cloud, settings }
  return conclude(collectFacts(source), { status, cached: false }, false)
}
