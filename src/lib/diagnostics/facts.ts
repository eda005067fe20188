import { equalUrls, parseHttpUrl } from '../base/address.ts'
import type { Env } from '../base/env.ts'
import { equalAuthorities } from '../clouds/equal-values.ts'
import type { Evidence } from '../errors.ts'
import { type ChangeableField, type EndpointFacts, layers, type RunFacts } from '../findings/finding.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import { profileFacts } from '../profile/profile-facts.ts'
import type { Settings } from '../settings/settings.ts'
import { noticedSeconds } from './probes/probe-authority.ts'
import type { Identity } from './report.ts'
import type { Check, Endpoint, Host, HostFacts } from './run.ts'

type Proofs = Partial<Record<ChangeableField, string>>

/** The facts of a run come from its checks, the profile, the settings and earlier runs. Nothing is concluded here. */
export interface FactsSource {
  readonly checks: readonly Check[]
  readonly cloud: Pick<ExplainedProfile, 'profile' | 'source' | 'fields'>
  readonly identity: Identity
  readonly settings: Pick<Settings, 'authMode'> & Partial<Settings>
  readonly endpoints: readonly Endpoint[]
  /** The fields that earlier runs of this process confirmed. Its profile never changes, so what was proven stays proven. */
  readonly remembered?: Readonly<Proofs>
  readonly env: Env
}

/** The facts of a run, each collected once. */
export interface CollectedFacts extends FactsSource {
  /** By the id of the endpoint. */
  readonly hosts: ReadonlyMap<string, Host>
  readonly facts: RunFacts
  /** The fields that the checks of this run confirm, each with its proof. */
  readonly confirmed: Readonly<Proofs>
  /** The host names, if none of them resolves. Then the network is at fault. */
  readonly unresolved: readonly string[]
}

export function collectFacts(source: FactsSource): CollectedFacts {
  const { checks, cloud, identity, remembered, settings } = source
  const all = probedHosts(source)
  const hosts = new Map(all.map((host) => [host.id, host]))
  const lookups = checks.filter(({ layer, endpoint }) => layer === 'dns' && endpoint !== 'identity-endpoint')
  const names = lookups.flatMap(({ endpoint = '' }) => hosts.get(endpoint)?.url.hostname ?? [])
  // An address, a proxy or a name that resolves shows that the network is not at fault.
  const unresolved = lookups.every(({ fault }) => fault === 'DNS_FAILED') ? [...new Set(names)] : []
  const toSet = namedByCloud(all, cloud.profile)
  const ofProfile = profileFacts(cloud, toSet)
  const confirmed = confirmedBy(all)
  const proven = { ...ofProfile.proven, ...remembered, ...confirmed }
  const facts = { ...ofProfile, ...identity, ...toSet, mode: settings.authMode, proven, ...clockFacts(all) }
  return { ...source, hosts, facts, confirmed, unresolved }
}

/** The endpoints, each with its checks, and with the observations of all checks on its host. */
function probedHosts({ checks, endpoints }: FactsSource): readonly Host[] {
  const byEndpoint = Map.groupBy(checks, ({ endpoint }) => endpoint)
  const checksOf = ({ id }: Endpoint) => byEndpoint.get(id) ?? []
  const byHost = Map.groupBy(endpoints, ({ url }) => url.host)
  return endpoints.map((endpoint) => {
    const own = checksOf(endpoint)
    const ofHost = (byHost.get(endpoint.url.host) ?? []).flatMap(checksOf)
    const passed = ofHost.filter(({ status }) => status === 'pass')
    const observed: HostFacts = Object.assign({}, ...[...ofHost, ...own].map((check) => check.observed))
    const distrust = ofHost.find(({ layer, fault }) => layer === 'tls' && fault === 'UNTRUSTED')
    return {
      ...endpoint,
      ...observed,
      checks: own,
      reached: new Set(passed.flatMap(({ layer }) => layer ?? [])),
      paths: passed.flatMap((check) => check.observed?.path ?? []),
      untrusted: distrust?.evidence?.sha256,
    }
  })
}

export const namesOfHosts = (hosts: readonly Host[]) => [...new Set(hosts.map(({ url }) => url.host))]

/** The audience and the login authority that the cloud names, if the profile has others. */
function namedByCloud(hosts: readonly Host[], ours: ExplainedProfile['profile']) {
  const ofCloud = ['metadata', 'resource-manager'].flatMap((id) => hosts.find((each) => each.id === id)?.checks ?? [])
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

/** The fields that the checks confirm, each with its proof. */
function confirmedBy(hosts: readonly Host[]): Proofs {
  const proven: Proofs = {}
  const nouns: Proofs = { authorityHost: 'this login authority', resourceManagerAudience: 'this audience' }
  for (const { id, url, checks } of hosts) {
    for (const { status, layer, proves = [] } of checks) {
      if (status === 'fail' || status === 'skip') continue
      const how = layer === 'token' ? `${url.host} accepted a token of` : `the challenge of ${url.host} confirms`
      const proof = id === 'metadata' ? "the cloud's metadata confirms" : how
      for (const field of proves) proven[field] ??= `${proof} ${nouns[field] ?? `\`${field}\``}`
    }
  }
  return proven
}

/** The local clock is wrong if the majority of the hosts disagree with it. The login authority counts as one of them. */
function clockFacts(hosts: readonly Host[]): Pick<RunFacts, 'clock' | 'clockOf'> {
  const byName = new Map(
    hosts.flatMap((each) => (each.skewSeconds === undefined ? [] : [[each.url.host, each] as const])),
  )
  const clocks = [...byName.values()]
  const agreeing = clocks.filter(({ skewSeconds = 0 }) => Math.abs(skewSeconds) <= noticedSeconds)
  if (agreeing.length * 2 < clocks.length || agreeing.length === 0) return {}
  const authority = clocks.find(({ url }) => url.host === hosts.find(({ id }) => id === 'authority')?.url.host)
  const isOthers = authority === undefined || !agreeing.includes(authority)
  const clockOf = namesOfHosts(isOthers ? agreeing : [authority]).join(' and ')
  return { clock: isOthers && authority !== undefined ? 'authority differs' : 'agrees', clockOf }
}

/** The facts about the endpoint of a check. */
export function endpointFacts(host: Host, { layer }: Pick<Check, 'layer'>, { facts }: CollectedFacts): EndpointFacts {
  const { field, accountVariable, protectedResource, reached } = host
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
