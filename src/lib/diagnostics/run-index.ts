import type { Env } from '../base/env.ts'
import type { ChangeableField } from '../findings/finding.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import type { Settings } from '../settings/settings.ts'
import type { FoundCheck, Observed } from './checks.ts'
import type { ConfiguredEndpoint } from './endpoint.ts'
import type { Identity } from './report.ts'

/** What the process remembers of earlier runs. Its profile and settings never change, so what was proven stays proven. */
export interface Memory {
  readonly proven: Map<ChangeableField, string>
  /** When each endpoint last worked, by its id, in words. */
  readonly workedUntil: Map<string, string>
}

/** The settings that facts are read from. */
export type FactSettings = Pick<Settings, 'authMode'> & Partial<Settings>

export interface FactsSource {
  readonly checks: readonly FoundCheck[]
  readonly cloud: Pick<ExplainedProfile, 'profile' | 'source' | 'fields'>
  readonly identity: Identity
  readonly settings: FactSettings
  readonly endpoints: readonly ConfiguredEndpoint[]
  readonly memory: Memory
  readonly env: Env
}

/** An endpoint with its checks, and what they observed together. */
export interface EndpointRun extends Observed {
  readonly endpoint: ConfiguredEndpoint
  readonly checks: readonly FoundCheck[]
}

/** A run by its endpoints, and the checks whose results other checks need. */
export interface IndexedRun extends FactsSource {
  readonly places: ReadonlyMap<string, EndpointRun>
  readonly clock: FoundCheck | undefined
  readonly tenant: FoundCheck | undefined
}

export function indexRun(source: FactsSource): IndexedRun {
  const places = source.endpoints.map((endpoint): [string, EndpointRun] => {
    const checks = source.checks.filter((check) => check.endpoint === endpoint.id)
    const observed: Observed = Object.assign({}, ...checks.map((check) => check.observed))
    return [endpoint.id, { ...observed, endpoint, checks }]
  })
  const checkOf = (wanted: string) => source.checks.find(({ id }) => id === wanted)
  return { ...source, places: new Map(places), clock: checkOf('authority.clock'), tenant: checkOf('authority.tenant') }
}
