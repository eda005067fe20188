import { equalUrls, parseHttpUrl } from '../base/address.ts'
import { equalAuthorities } from '../clouds/equal-values.ts'
import { type ChangeableField, type EndpointFacts, type Layer, layers, type RunFacts } from '../findings/finding.ts'
import { type FoundCheck, toDiagnosis } from './checks.ts'
import type { ConfiguredEndpoint } from './endpoint.ts'
import { withEvidence } from './evidence-of-run.ts'
import { profileFacts } from './profile-facts.ts'
import type { EndpointRun, IndexedRun } from './run-index.ts'

/** What all checks of a run, the settings and earlier runs say, before anything is concluded. */
export function collectFacts(indexed: IndexedRun): RunFacts {
  const { cloud, identity, memory, settings } = indexed
  const { profile } = cloud
  const evidence = ['metadata', 'resource-manager'].flatMap((id) => indexed.places.get(id)?.checks ?? [])
  const named = (name: 'challengeAuthority' | 'publishedAuthority' | 'challengeAudience' | 'publishedAudience') =>
    evidence.flatMap((check) => check.evidence?.[name] ?? [])
  const audienceToSet = [...named('publishedAudience'), ...named('challengeAudience')].find(
    (each) => !equalUrls(each, profile.resourceManagerAudience),
  )
  // A challenge names the tenant too. The metadata names the authority itself, whose path counts.
  const authorityToSet =
    named('challengeAuthority').find((each) => !sameHost(each, profile.authorityHost)) ??
    named('publishedAuthority').find((each) => !equalAuthorities(each, profile.authorityHost))
  const fromProfile = profileFacts(cloud, { audienceToSet, authorityToSet })
  return {
    ...fromProfile,
    mode: settings.authMode,
    tenantId: identity.tenantId,
    clientId: identity.clientId,
    audienceToSet,
    authorityToSet,
    proven: { ...fromProfile.proven, ...Object.fromEntries(memory.proven), ...provenBy(indexed) },
    ...clockOf(indexed),
  }
}

/** A check with the evidence that other checks and the settings add to it, and the fix that respects all facts of the run. */
export function explainCheck(check: FoundCheck, indexed: IndexedRun, run: RunFacts): FoundCheck {
  if (check.code === undefined || check.fix === undefined) return check
  const place = indexed.places.get(check.endpoint ?? '')
  const facts = place === undefined ? run : { ...run, endpoint: endpointFacts(check, place, indexed, run) }
  const { change: _change, ...complete } = withEvidence(check, place, indexed, facts)
  const { code = check.code, message, evidence = {} } = complete
  return { ...complete, ...toDiagnosis({ code, message, evidence }, facts) }
}

/** The fields that this run confirms, each with its proof. An accepted token proves most. */
function provenBy({ checks, places }: Pick<IndexedRun, 'checks' | 'places'>): RunFacts['proven'] {
  const proven: Partial<Record<ChangeableField, string>> = {}
  // The metadata says most: it is the cloud's own description of itself.
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
  for (const field of Object.keys(provenBy(indexed)) as ChangeableField[]) {
    memory.proven.set(field, `it worked in this process until ${time}`)
  }
  for (const [id, { checks }] of places) {
    const works = checks.some(({ status }) => status === 'pass') && checks.every(({ status }) => status !== 'fail')
    if (works) memory.workedUntil.set(id, time)
  }
}

function sameHost(one: string, other: string): boolean {
  return equalAuthorities(one, other) || parseHttpUrl(one)?.host === parseHttpUrl(other)?.host
}

/** Seconds of difference that count as agreement. */
const agreeingSeconds = 120

/** The clocks of the hosts decide whose is wrong: the clock of the login authority, which tokens depend on, or the local one. */
function clockOf({ clock, places }: IndexedRun): Pick<RunFacts, 'clock' | 'clockOf'> {
  const hostsOf = (all: readonly (EndpointRun | undefined)[]) =>
    [...new Set(all.flatMap((each) => each?.endpoint.url.host ?? []))].join(' and ')
  if (clock?.status === 'pass') return { clock: 'agrees', clockOf: hostsOf([places.get('authority')]) }
  const others = [...places.values()].filter(
    ({ endpoint, skewSeconds }) => endpoint.id !== 'authority' && skewSeconds !== undefined,
  )
  const agree = others.length > 0 && others.every(({ skewSeconds = 0 }) => Math.abs(skewSeconds) <= agreeingSeconds)
  if (clock?.status !== 'fail') return agree ? { clock: 'agrees', clockOf: hostsOf(others) } : {}
  return agree ? { clock: 'authority differs', clockOf: hostsOf(others) } : { clock: 'local clock differs' }
}

function endpointFacts(
  check: FoundCheck,
  { endpoint }: EndpointRun,
  indexed: IndexedRun,
  run: RunFacts,
): EndpointFacts {
  const { id, field, accountVariable, protectedResource } = endpoint
  const suffix = field === undefined ? undefined : run.nameOf(field)
  // A proven suffix leaves the name of the account.
  const hasProvenSuffix = accountVariable !== undefined && field !== undefined && run.proven[field] !== undefined
  const account = hasProvenSuffix ? accountVariable : `${accountVariable} or ${suffix}`
  return {
    address: accountVariable === undefined ? suffix : account,
    field: accountVariable === undefined ? field : undefined,
    hasProvenSuffix,
    audienceField: protectedResource?.audienceFields[0],
    passed: passedLayer(check, endpoint, indexed),
    workedUntil: indexed.memory.workedUntil.get(id),
  }
}

/** The highest layer below the layer of the check that passed at its host, also for another endpoint of the same host. */
function passedLayer(
  { layer }: FoundCheck,
  { id, url }: ConfiguredEndpoint,
  { checks }: IndexedRun,
): Layer | undefined {
  const limit = layer === undefined ? layers.length : layers.indexOf(layer)
  const passed = checks
    .filter((each) => each.status === 'pass' && (each.endpoint === id || each.evidence?.host === url.host))
    .map((each) => (each.layer === undefined ? -1 : layers.indexOf(each.layer)))
    // A proxy that was not used says nothing about the path to the host.
    .filter((index) => index > 0 && index < limit)
  return passed.length === 0 ? undefined : layers[Math.max(...passed)]
}
