import { equalUrls, parseHttpUrl } from '../base/address.ts'
import type { Env } from '../base/env.ts'
import { equalAuthorities } from '../clouds/equal-values.ts'
import type { Evidence } from '../errors.ts'
import { type ChangeableField, type EndpointFacts, type Layer, layers, type RunFacts } from '../findings/finding.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import { profileFacts } from '../profile/profile-facts.ts'
import type { Settings } from '../settings/settings.ts'
import type { Check, Endpoint, Host, HostFacts } from './run.ts'
import { noticedSeconds, toleratedSeconds } from './probes/probe-authority.ts'
import type { Identity } from './report.ts'

/** The facts of a run come from its checks, the profile, the settings and earlier runs. Nothing is concluded here. */
export interface FactsSource {
  readonly checks: readonly Check[]
  readonly cloud: Pick<ExplainedProfile, 'profile' | 'source' | 'fields'>
  readonly identity: Identity
  readonly settings: Pick<Settings, 'authMode'> & Partial<Settings>
  readonly endpoints: readonly Endpoint[]
  readonly memory: Memory
  readonly env: Env
}

/** What the process remembers of earlier runs. Its profile and settings never change, so what was proven stays proven. */
export interface Memory {
  readonly proven: Map<ChangeableField, string>
}

/** The facts of a run, each collected once, for `conclude` and the evidence to read by field. */
export interface CollectedFacts extends FactsSource {
  /** By the id of the endpoint. */
  readonly probed: ReadonlyMap<string, Host>
  readonly facts: RunFacts
  /** The fields that the checks of this run confirm, each with its proof. */
  readonly confirmed: RunFacts['proven']
  /** The host names, if none of them resolves. Then the network is at fault. */
  readonly unresolved: readonly string[]
}

export function collectFacts(source: FactsSource): CollectedFacts {
  const { checks, cloud, identity, memory, settings } = source
  const all = probedEndpoints(source)
  const probed = new Map(all.map((endpoint) => [endpoint.id, endpoint]))
  const lookups = checks.filter(({ layer, endpoint }) => layer === 'dns' && endpoint !== 'identity-endpoint')
  const names = lookups.flatMap(({ endpoint = '' }) => probed.get(endpoint)?.url.hostname ?? [])
  const toSet = namedByCloud(all, cloud.profile)
  const ofProfile = profileFacts(cloud, toSet)
  const confirmed = confirmedBy(all)
  const proven = { ...ofProfile.proven, ...Object.fromEntries(memory.proven), ...confirmed }
  const mode = settings.authMode
  const facts: RunFacts = { ...ofProfile, ...identity, ...toSet, mode, proven, ...clockFacts(all) }
  // An address, a proxy or a name that resolves shows that the network is not at fault.
  const unresolved = lookups.every(({ fault }) => fault === 'DNS_FAILED') ? [...new Set(names)] : []
  return { ...source, probed, confirmed, facts, unresolved }
}

/** The endpoints, each with its checks, and with the observations of all checks on its host. */
function probedEndpoints({ checks, endpoints }: FactsSource): readonly Host[] {
  const byEndpoint = Map.groupBy(checks, ({ endpoint }) => endpoint)
  const checksOf = ({ id }: Endpoint) => byEndpoint.get(id) ?? []
  const byHost = Map.groupBy(endpoints, ({ url }) => url.host)
  return endpoints.map((endpoint) => {
    const own = checksOf(endpoint)
    const ofHost = (byHost.get(endpoint.url.host) ?? []).flatMap(checksOf)
    const passed = ofHost.filter(({ status }) => status === 'pass')
    const observed: HostFacts = Object.assign({}, ...[...ofHost, ...own].map((check) => check.observed))
    const paths = passed.flatMap((check) => check.observed?.path ?? [])
    const distrust = ofHost.find(({ layer, fault }) => layer === 'tls' && fault === 'UNTRUSTED')
    const reached = new Set(passed.flatMap(({ layer }) => layer ?? []))
    return { ...endpoint, ...observed, checks: own, reached, paths, untrusted: distrust?.evidence?.sha256 }
  })
}

export const hostsOf = (probed: readonly Host[]) => [...new Set(probed.map(({ url }) => url.host))]

/** The audience and the login authority that the cloud names, if the profile has others. */
function namedByCloud(probed: readonly Host[], ours: ExplainedProfile['profile']) {
  const ofCloud = ['metadata', 'resource-manager'].flatMap((id) => probed.find((each) => each.id === id)?.checks ?? [])
  const named = (name: keyof Evidence) => ofCloud.flatMap(({ evidence }) => evidence?.[name] ?? [])
  const hostOf = (url: string) => parseHttpUrl(url)?.host
  const isOther = (authority: string) => !equalAuthorities(authority, ours.authorityHost)
  const audiences = [...named('publishedAudience'), ...named('challengeAudience')]
  // A challenge names the tenant too, so only its host counts. The metadata names the authority with its path.
  const challenged = named('challengeAuthority').filter((each) => hostOf(each) !== hostOf(ours.authorityHost))
  return {
    audienceToSet: audiences.find((each) => !equalUrls(each, ours.resourceManagerAudience)),
    authorityToSet: challenged.find(isOther) ?? named('publishedAuthority').find(isOther),
  }
}

/** The fields that the checks confirm, each with its proof. The metadata is the best proof, because the cloud publishes it. */
function confirmedBy(probed: readonly Host[]): RunFacts['proven'] {
  const proven: Partial<Record<ChangeableField, string>> = {}
  const nouns: RunFacts['proven'] = { authorityHost: 'this login authority', resourceManagerAudience: 'this audience' }
  const rankOf = ({ id }: Host) => (id === 'metadata' ? 0 : 1)
  for (const { id, url, checks } of probed.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    for (const { status, layer, proves = [] } of checks) {
      if (status === 'fail' || status === 'skip') continue
      const how = layer === 'token' ? `${url.host} accepted a token of` : `the challenge of ${url.host} confirms`
      const proof = id === 'metadata' ? "the cloud's metadata confirms" : how
      for (const field of proves) proven[field] ??= `${proof} ${nouns[field] ?? `\`${field}\``}`
    }
  }
  return proven
}

/** Remembers the proven fields. If their endpoints fail later, the profile isn't at fault. */
export function remember({ memory, confirmed }: CollectedFacts, at: string): void {
  const time = `${at.slice(0, 16).replace('T', ' ')} UTC`
  for (const field of Object.keys(confirmed) as ChangeableField[])
    memory.proven.set(field, `it worked in this process until ${time}`)
}

/** Decides by majority of the hosts whether the local clock or the login authority's is wrong. */
function clockFacts(probed: readonly Host[]): Pick<RunFacts, 'clock' | 'clockOf'> {
  const agrees = ({ skewSeconds = 0 }: Host) => Math.abs(skewSeconds) <= noticedSeconds
  const clocks = probed.filter(({ skewSeconds }) => skewSeconds !== undefined)
  const authority = clocks.find(({ id }) => id === 'authority')
  if (authority !== undefined && agrees(authority)) return { clock: 'agrees', clockOf: authority.url.host }
  const differs = Math.abs(authority?.skewSeconds ?? 0) > toleratedSeconds
  const others = clocks.filter((each) => each !== authority)
  if (others.length === 0 || !others.every(agrees)) return differs ? { clock: 'local clock differs' } : {}
  return { clock: differs ? 'authority differs' : 'agrees', clockOf: hostsOf(others).join(' and ') }
}

/** The facts about the endpoint of a check. @param layer The layer of the check. */
export function endpointFacts(endpoint: Host, layer: Layer | undefined, run: CollectedFacts): EndpointFacts {
  const { field, accountVariable, protectedResource, reached } = endpoint
  const { facts } = run
  const suffix = field && facts.nameOf(field)
  // If the suffix is proven, only the account name can be wrong.
  const hasProvenSuffix = accountVariable !== undefined && field !== undefined && facts.proven[field] !== undefined
  const account = accountVariable && (hasProvenSuffix ? accountVariable : `${accountVariable} or ${suffix}`)
  // Without the proxy layer: an unused proxy passes, too.
  const below = layers.slice(1, layer === undefined ? layers.length : layers.indexOf(layer))
  return {
    address: account ?? suffix,
    field: account === undefined ? field : undefined,
    hasProvenSuffix,
    audienceField: protectedResource?.audienceFields[0],
    passed: below.findLast((each) => reached.has(each)),
  }
}
