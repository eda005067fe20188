import { equalUrls, parseHttpUrl } from '../base/address.ts'
import type { Env } from '../base/env.ts'
import { shortPrintable } from '../base/printable.ts'
import { equalAuthorities } from '../clouds/equal-values.ts'
import { otherCloudOf, ownerOf } from '../clouds/owner-of.ts'
import { type ChangeableField, changeOfField, type EndpointFacts, layers, nameOfField } from '../findings/finding.ts'
import type { RunFacts, SettingsInForce } from '../findings/finding.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import { isPlaceholder } from '../profile/field-path.ts'
import type { Settings } from '../settings/settings.ts'
import type { FoundCheck, Observed } from './checks.ts'
import type { ConfiguredEndpoint } from './endpoint.ts'
import type { Identity } from './report.ts'

/** The facts of a run: what its checks, the profile, the settings and earlier runs say. Nothing is concluded here. */

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

/** A run by its endpoints. */
export interface IndexedRun extends FactsSource {
  readonly places: ReadonlyMap<string, EndpointRun>
}

export function indexRun(source: FactsSource): IndexedRun {
  const places = source.endpoints.map((endpoint): [string, EndpointRun] => {
    const checks = source.checks.filter((check) => check.endpoint === endpoint.id)
    const observed: Observed = Object.assign({}, ...checks.map((check) => check.observed))
    return [endpoint.id, { ...observed, endpoint, checks }]
  })
  return { ...source, places: new Map(places) }
}

export function collectFacts(indexed: IndexedRun): RunFacts {
  const { cloud, identity, memory, settings, places } = indexed
  const { authorityHost, resourceManagerAudience } = cloud.profile
  const checks = ['metadata', 'resource-manager'].flatMap((id) => places.get(id)?.checks ?? [])
  const named = (name: 'challengeAuthority' | 'publishedAuthority' | 'challengeAudience' | 'publishedAudience') =>
    checks.flatMap((check) => check.evidence?.[name] ?? [])
  const toSet = {
    audienceToSet: [...named('publishedAudience'), ...named('challengeAudience')].find(
      (each) => !equalUrls(each, resourceManagerAudience),
    ),
    // A challenge names the tenant too, so only its host counts. The metadata names the authority with its path.
    authorityToSet:
      named('challengeAuthority').find((each) => !sameHost(each, authorityHost)) ??
      named('publishedAuthority').find((each) => !equalAuthorities(each, authorityHost)),
  }
  const fromProfile = profileFacts(cloud, toSet)
  return {
    ...fromProfile,
    ...toSet,
    mode: settings.authMode,
    tenantId: identity.tenantId,
    clientId: identity.clientId,
    proven: { ...fromProfile.proven, ...Object.fromEntries(memory.proven), ...provenBy(indexed) },
    ...clockOf(indexed),
  }
}

function sameHost(one: string, other: string): boolean {
  return equalAuthorities(one, other) || parseHttpUrl(one)?.host === parseHttpUrl(other)?.host
}

/** What a profile says without a run: what sets its fields, and those that it takes from a built-in, which nobody needs to correct. */
export function profileFacts(
  { profile, source, fields }: FactsSource['cloud'],
  toSet: Pick<RunFacts, 'audienceToSet' | 'authorityToSet'> = {},
): RunFacts {
  const settings: SettingsInForce = {
    file: source.kind === 'file' ? shortPrintable(source.path, 200) : undefined,
    variableOf(field) {
      const origin = fields[field]
      return origin && origin.by !== 'profile'
        ? { variable: origin.from, isDerived: origin.by !== 'variable' }
        : undefined
    },
  }
  const isBuiltIn = (field: ChangeableField) =>
    source.kind === 'built-in' && fields[field]?.by === 'profile' && !isPlaceholder(fields[field].value)
  // If a variable sets the authority, an audience may be left over from the public cloud.
  const hasAuthority = isBuiltIn('authorityHost')
  const proven = Object.fromEntries(
    (Object.keys(fields) as ChangeableField[])
      .filter((field) => isBuiltIn(field) && (hasAuthority || !/audience/i.test(field)))
      .map((field) => [field, `\`${field}\` is the built-in value of ${profile.name}`]),
  )
  // A resource manager that a variable sets knows its cloud better than the rest of the built-in.
  if (!isBuiltIn('resourceManagerEndpoint')) {
    if (toSet.authorityToSet !== undefined) delete proven['authorityHost']
    if (toSet.audienceToSet !== undefined) delete proven['resourceManagerAudience']
  }
  const own = [profile.authorityHost, profile.resourceManagerEndpoint]
  return {
    hasFile: settings.file !== undefined,
    isPublic: own.every((value) => ownerOf(value) !== undefined),
    audience: profile.resourceManagerAudience,
    authority: profile.authorityHost,
    proven,
    nameOf: (field) => nameOfField(field, settings),
    changeOf: (field, value) => changeOfField(field, settings, value),
    ownerOf: (value) => otherCloudOf(value, own)?.displayName,
  }
}

/** The fields that this run confirms, each with its proof. The metadata says most: it is the cloud's own description of itself. */
function provenBy({ checks, places }: IndexedRun): RunFacts['proven'] {
  const proven: Partial<Record<ChangeableField, string>> = {}
  const metadataFirst = checks.toSorted((a, b) => Number(b.endpoint === 'metadata') - Number(a.endpoint === 'metadata'))
  for (const { status, endpoint = '', layer, proves = [] } of metadataFirst) {
    if (status === 'fail' || status === 'skip') continue
    const host = places.get(endpoint)?.endpoint.url.host ?? 'the service'
    const accepted = layer === 'token' ? `${host} accepted a token of` : `the challenge of ${host} confirms`
    const how = endpoint === 'metadata' ? "the cloud's metadata confirms" : accepted
    for (const field of proves) proven[field] ??= `${how} ${nouns[field] ?? `\`${field}\``}`
  }
  return proven
}

const nouns: Readonly<Partial<Record<ChangeableField, string>>> = {
  authorityHost: 'this login authority',
  resourceManagerAudience: 'this audience',
}

/** Remembers what this run proved and which endpoints worked: an outage of something that worked is not a fault of the profile. */
export function remember(indexed: IndexedRun, at: string): void {
  const { memory, places } = indexed
  const time = `${at.slice(0, 16).replace('T', ' ')} UTC`
  for (const field of Object.keys(provenBy(indexed)) as ChangeableField[])
    memory.proven.set(field, `it worked in this process until ${time}`)
  for (const [id, { checks }] of places) {
    const works = checks.some(({ status }) => status === 'pass') && checks.every(({ status }) => status !== 'fail')
    if (works) memory.workedUntil.set(id, time)
  }
}

/** Seconds of difference that count as agreement. */
const agreeingSeconds = 120

/** Which clock is wrong, by majority of the hosts: the login authority's, which tokens depend on, or the local one. */
function clockOf({ checks, places }: IndexedRun): Pick<RunFacts, 'clock' | 'clockOf'> {
  const clock = checks.find(({ id }) => id === 'authority.clock')?.status
  const all = [...places.values()]
  const hostsOf = (each: readonly EndpointRun[]) =>
    [...new Set(each.map(({ endpoint }) => endpoint.url.host))].join(' and ')
  const isAuthority = ({ endpoint }: EndpointRun) => endpoint.id === 'authority'
  if (clock === 'pass') return { clock: 'agrees', clockOf: hostsOf(all.filter(isAuthority)) }
  const others = all.filter((each) => !isAuthority(each) && each.skewSeconds !== undefined)
  const agree = others.length > 0 && others.every(({ skewSeconds = 0 }) => Math.abs(skewSeconds) <= agreeingSeconds)
  if (!agree) return clock === 'fail' ? { clock: 'local clock differs' } : {}
  return { clock: clock === 'fail' ? 'authority differs' : 'agrees', clockOf: hostsOf(others) }
}

/** What the run knows about the endpoint of a failure. */
export function endpointFacts(
  { layer }: FoundCheck,
  { endpoint }: EndpointRun,
  { checks, memory }: IndexedRun,
  run: RunFacts,
): EndpointFacts {
  const { id, url, field, accountVariable, protectedResource } = endpoint
  const suffix = field === undefined ? undefined : run.nameOf(field)
  // A proven suffix leaves the name of the account.
  const hasProvenSuffix = accountVariable !== undefined && field !== undefined && run.proven[field] !== undefined
  const account = hasProvenSuffix ? accountVariable : `${accountVariable} or ${suffix}`
  const limit = layer === undefined ? layers.length : layers.indexOf(layer)
  // The highest layer below that passed at the host, also for another endpoint. A proxy that was not used says nothing about the path.
  const passed = layers.findLast(
    (each, index) =>
      index > 0 &&
      index < limit &&
      checks.some(
        (check) =>
          check.status === 'pass' &&
          check.layer === each &&
          (check.endpoint === id || check.evidence?.host === url.host),
      ),
  )
  return {
    address: accountVariable === undefined ? suffix : account,
    field: accountVariable === undefined ? field : undefined,
    hasProvenSuffix,
    audienceField: protectedResource?.audienceFields[0],
    passed,
    workedUntil: memory.workedUntil.get(id),
  }
}
