import { equalUrls, parseHttpUrl } from '../base/address.ts'
import { shortPrintable } from '../base/printable.ts'
import { equalAuthorities } from '../clouds/equal-values.ts'
import { otherCloudOf, ownerOf } from '../clouds/owner-of.ts'
import {
  deciderOf,
  describeSource,
  type ExplainedProfile,
  type FieldOrigin,
  type ProfileSource,
} from '../profile/explained-profile.ts'
import { isPlaceholder } from '../profile/field-path.ts'
import type { Evidence } from '../errors.ts'
import {
  type EndpointFacts,
  type Layer,
  layers,
  type RunFacts,
  type ChangeableField,
  changeOfField,
  nameOfField,
  type SettingsInForce,
} from '../findings/finding.ts'
import { type FoundCheck, toDiagnosis } from './checks.ts'
import { type FactsSource, type Memory, withEvidence } from './evidence-of-run.ts'
import type { ConfiguredEndpoint } from './endpoint.ts'

/** The facts of one run, and what of them concerns one check. */
export interface FactsOfRun {
  readonly run: RunFacts
  /** A check with the evidence that other checks and the settings add to it, and the fix that respects all facts of the run. */
  readonly explain: (check: FoundCheck) => FoundCheck
}

/** Collects what all checks of a run, the settings and earlier runs say, before anything is concluded. */
export function collectFacts(source: FactsSource): FactsOfRun {
  const { checks, cloud, identity, endpoints, memory } = source
  const { profile } = cloud
  const named = namedByCloud(checks)
  const audienceToSet = named.audiences.find((each) => !equalUrls(each, profile.resourceManagerAudience))
  const authorityToSet =
    named.challenged.find((each) => !sameHost(each, profile.authorityHost)) ??
    named.published.find((each) => !equalAuthorities(each, profile.authorityHost))
  const fromProfile = profileFacts(cloud, { audienceToSet, authorityToSet })
  const run: RunFacts = {
    ...fromProfile,
    mode: source.settings.authMode,
    tenantId: identity.tenantId,
    clientId: identity.clientId,
    audienceToSet,
    authorityToSet,
    proven: { ...fromProfile.proven, ...Object.fromEntries(memory.proven), ...provenBy(checks, endpoints) },
    ...clockOf(source),
  }
  const explain = (check: FoundCheck): FoundCheck => {
    if (check.code === undefined || check.fix === undefined) return check
    const endpoint = endpoints.find(({ id }) => id === check.endpoint)
    const facts = endpoint === undefined ? run : { ...run, endpoint: endpointFacts(check, endpoint, source, run) }
    const { change: _change, ...complete } = withEvidence(check, endpoint, source, facts)
    const { code = check.code, message, evidence = {} } = complete
    return { ...complete, ...toDiagnosis({ code, message, evidence }, facts) }
  }
  return { run, explain }
}

/** What a profile says without a run: what sets its fields, and those that it takes from a built-in, which nobody needs to correct. */
export function profileFacts(
  { profile, source, fields }: Pick<ExplainedProfile, 'profile' | 'source' | 'fields'>,
  toSet: Pick<RunFacts, 'audienceToSet' | 'authorityToSet'> = {},
): RunFacts {
  const settings: SettingsInForce = {
    file: source.kind === 'file' ? shortPrintable(source.path, 200) : undefined,
    variableOf(field) {
      const origin = fields[field]
      const variable = origin && variableOf(origin, source)
      return variable === undefined ? undefined : { variable, isDerived: !isSetBy(origin, variable) }
    },
  }
  const isBuiltIn = (field: ChangeableField) => {
    const origin = fields[field]
    return origin !== undefined && deciderOf(origin, source) === 'profile' && !isPlaceholder(origin.value)
  }
  const proven: Partial<Record<ChangeableField, string>> = {}
  if (source.kind === 'built-in') {
    for (const field of (Object.keys(fields) as ChangeableField[]).filter(isBuiltIn)) {
      // Beside an authority that a variable sets, an audience may be left over from the public cloud.
      if (/audience/i.test(field) && !isBuiltIn('authorityHost')) continue
      proven[field] = `\`${field}\` is the built-in value of ${source.name}`
    }
    // A resource manager that a variable sets knows its cloud better than the rest of the built-in.
    if (!isBuiltIn('resourceManagerEndpoint')) {
      if (toSet.authorityToSet !== undefined) delete proven.authorityHost
      if (toSet.audienceToSet !== undefined) delete proven.resourceManagerAudience
    }
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

/** The variable that a value comes or derives from. */
const variableOf = ({ from }: FieldOrigin, source: ProfileSource): string | undefined =>
  from === describeSource(source) ? undefined : from.split(' ').at(-1)
const isSetBy = (origin: FieldOrigin | undefined, variable: string): boolean => origin?.from === variable

/** The fields that this run confirms, each with its proof. An accepted token proves most. */
function provenBy(
  checks: readonly FoundCheck[],
  endpoints: readonly ConfiguredEndpoint[],
): Partial<Record<ChangeableField, string>> {
  const proven: Partial<Record<ChangeableField, string>> = {}
  // The metadata says most: it is the cloud's own description of itself.
  const metadataFirst = checks.toSorted((a, b) => Number(b.endpoint === 'metadata') - Number(a.endpoint === 'metadata'))
  for (const { id, status, endpoint, proves = [] } of metadataFirst) {
    if (status === 'fail' || status === 'skip') continue
    const host = endpoints.find((each) => each.id === endpoint)?.url.host ?? 'the service'
    const words: Readonly<Record<string, string>> = {
      metadata: "the cloud's metadata confirms",
      challenge: `the challenge of ${host} confirms`,
      token: `${host} accepted a token of`,
    }
    const how = endpoint === 'metadata' ? 'metadata' : id.endsWith('.challenge') ? 'challenge' : 'token'
    for (const field of proves) proven[field] ??= `${words[how]} ${nounOf(field)}`
  }
  return proven
}

const nounOf = (field: ChangeableField): string =>
  field === 'authorityHost'
    ? 'this login authority'
    : field === 'resourceManagerAudience'
      ? 'this audience'
      : `\`${field}\``

/** Remembers what this run proved and which endpoints worked: an outage of something that worked is not a fault of the profile. */
export function remember(
  memory: Memory,
  checks: readonly FoundCheck[],
  endpoints: readonly ConfiguredEndpoint[],
  at: string,
): void {
  const time = `${at.slice(0, 16).replace('T', ' ')} UTC`
  for (const field of Object.keys(provenBy(checks, endpoints)) as ChangeableField[]) {
    memory.proven.set(field, `it worked in this process until ${time}`)
  }
  for (const { id } of endpoints) {
    const own = checks.filter(({ endpoint }) => endpoint === id)
    const works = own.some(({ status }) => status === 'pass') && own.every(({ status }) => status !== 'fail')
    if (works) memory.workedUntil.set(id, time)
  }
}

/** The authorities and audiences that metadata and challenge of the cloud name. */
function namedByCloud(checks: readonly FoundCheck[]) {
  const evidence = checks
    .filter(({ id }) => id === 'metadata.document' || id === 'resource-manager.challenge')
    .map((check): Evidence => check.evidence ?? {})
  const listed = (names: readonly (keyof Evidence)[]): string[] =>
    evidence.flatMap((each) => names.flatMap((name) => each[name] ?? []))
  return {
    audiences: listed(['publishedAudience', 'challengeAudience']),
    // A challenge names the tenant too. The metadata names the authority itself, whose path counts.
    challenged: listed(['challengeAuthority']),
    published: listed(['publishedAuthority']),
  }
}

function sameHost(one: string, other: string): boolean {
  return equalAuthorities(one, other) || parseHttpUrl(one)?.host === parseHttpUrl(other)?.host
}

/** Seconds of difference that count as agreement. */
const agreeingSeconds = 120

/** The clocks of the hosts decide whose is wrong: that of the login authority, which tokens depend on, or the local one. */
function clockOf({ checks, endpoints }: FactsSource): Pick<RunFacts, 'clock' | 'clockOf'> {
  const hostOf = (id: string) => endpoints.find((each) => each.id === id)?.url.host ?? id
  const clock = checks.find(({ id }) => id === 'authority.clock')
  if (clock?.status === 'pass') return { clock: 'agrees', clockOf: hostOf('authority') }
  const others = checks.filter(({ endpoint, seen }) => endpoint !== 'authority' && seen?.skewSeconds !== undefined)
  const agree = others.length > 0 && others.every(({ seen }) => Math.abs(seen?.skewSeconds ?? 0) <= agreeingSeconds)
  const hosts = [...new Set(others.map(({ endpoint = '' }) => hostOf(endpoint)))].join(' and ')
  if (clock?.status === 'fail')
    return agree ? { clock: 'authority differs', clockOf: hosts } : { clock: 'local clock differs' }
  return agree ? { clock: 'agrees', clockOf: hosts } : {}
}

function endpointFacts(
  check: FoundCheck,
  endpoint: ConfiguredEndpoint,
  { checks, memory }: FactsSource,
  run: RunFacts,
): EndpointFacts {
  const { id, field, accountVariable, protectedResource } = endpoint
  const suffix = field === undefined ? undefined : run.nameOf(field)
  // A proven suffix leaves the name of the account.
  const account = accountVariable !== undefined && field !== undefined && run.proven[field] !== undefined
  const address = accountVariable === undefined ? suffix : account ? accountVariable : `${accountVariable} or ${suffix}`
  return {
    address,
    field: accountVariable === undefined ? field : undefined,
    hasProvenSuffix: account,
    audienceField: protectedResource?.audienceFields[0],
    passed: passedLayer(check, endpoint, checks),
    workedUntil: memory.workedUntil.get(id),
  }
}

/** The highest layer below that of the check that passed at its host, also for another endpoint of the same host. */
function passedLayer(
  { layer, endpoint: id }: FoundCheck,
  { url }: ConfiguredEndpoint,
  checks: readonly FoundCheck[],
): Layer | undefined {
  const limit = layer === undefined ? layers.length : layers.indexOf(layer)
  const passed = checks
    .filter((each) => each.status === 'pass' && (each.endpoint === id || each.evidence?.host === url.host))
    .map((each) => (each.layer === undefined ? -1 : layers.indexOf(each.layer)))
    // A proxy that does not apply proves nothing of the way.
    .filter((index) => index > 0 && index < limit)
  return passed.length === 0 ? undefined : layers[Math.max(...passed)]
}
