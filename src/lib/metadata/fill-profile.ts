import { textAt, textsOf, withoutUndefined } from '../base/json.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import { metadataUrl } from '../profile/endpoints.ts'
import { describeOrigin, describeSource, type ExplainedProfile } from '../profile/explained-profile.ts'
import { withValueAt, type FieldPath, isPlaceholder, valuesOfAbsent } from '../profile/field-path.ts'
import { findForeignValues } from '../profile/lint-profile.ts'
import { checkDocument, problemOfValue } from '../profile/parse-cloud-profile.ts'
import type { WholeCloudMetadata } from './cloud-metadata.ts'
import { compareWithProfile } from './compare-with-profile.ts'
import { describeCloud, profileRules, type DiscoveredCloud, type ProfileRule } from './profile-rules.ts'

/** How a value was chosen. `given`: by a person or the file of a known cloud. `derived`: by a rule. */
type How = ProfileRule['how'] | 'guessed'

export interface FilledField {
  readonly path: FieldPath
  readonly value: string
  /** `confirmed`: by the metadata. `foreign`: the value belongs to another cloud. */
  readonly certainty: Exclude<How, 'metadata'> | 'confirmed' | 'foreign'
  /** The rule that filled the field, or the origin of the value in the active profile. */
  readonly from: string
  /** The value of the metadata, if it differs. */
  readonly differs?: string
}

/** A value that breaks a rule of profiles. */
type RefusedValue = Pick<FilledField, 'path' | 'value'> & { readonly problem: string }

/** A profile for an operator to check. */
export interface FilledProfile {
  readonly profile: CloudProfile
  /** In the profile's order, without `notes`. */
  readonly fields: readonly FilledField[]
  /** Invalid values in the metadata. The next rule filled these fields, or they have no value. */
  readonly refused: readonly RefusedValue[]
  /** Addresses that an operator should check before the service sends anything there. */
  readonly warnings: readonly string[]
}

export interface FillOptions {
  /** The metadata of the cloud, if available. */
  readonly metadata?: WholeCloudMetadata | undefined
  /** The requested endpoint. Default is the resource manager of the metadata. */
  readonly endpoint?: string
  /** The active profile, whose placeholders, guesses and foreign values the metadata replaces. Without it, a field may get a placeholder. */
  readonly active?: ExplainedProfile
  /** The name of the profile. By default, it is derived from the active profile or the domain of the resource manager. */
  readonly name?: string | undefined
}

/** Whether the operator must replace or confirm the value. */
export function isUncertain({ certainty }: FilledField): boolean {
  return ['guessed', 'placeholder', 'foreign'].includes(certainty)
}

/** Whether a person should check the value: it is uncertain, differs from the metadata, or is a derived address or audience. */
export function needsOperator(field: FilledField): boolean {
  const isDerived = field.certainty === 'derived' && field.path.includes('.')
  return isUncertain(field) || field.differs !== undefined || isDerived
}

/**
 * Makes a custom profile from a cloud's metadata, the active profile, or both. Each field gets the first valid value of these: a given value, the
 * rules for the metadata, the active profile, a placeholder. The notes list the uncertain fields. A known cloud gets the values of its file.
 */
export function fillProfile(options: FillOptions): FilledProfile {
  const { metadata, active } = options
  const endpoint = options.endpoint ?? metadata?.resourceManagerEndpoint ?? ''
  const cloud = metadata && describeCloud(metadata, endpoint, active === undefined)
  const candidatesOf = candidates(cloud, options)
  const paths = new Set([...Object.keys(profileRules), ...textsOf(active?.profile).map(([path]) => path)])
  paths.delete('notes')
  const refused: RefusedValue[] = []
  const chosen = new Map<FieldPath, Candidate>()
  let filled: object = active?.profile ?? onlyInProfiles(cloud?.knownProfile)
  for (const path of [...paths] as FieldPath[]) {
    const candidate = candidatesOf(path).find(({ value, how }) => {
      // A name and a placeholder have no alternative. If they are invalid, the validation reports them.
      const problem = path === 'name' || how === 'placeholder' ? undefined : problemOfValue(path, value)
      if (problem !== undefined) refused.push({ path, value, problem })
      return problem === undefined
    })
    if (candidate === undefined) continue
    chosen.set(path, candidate)
    filled = withValueAt(filled, path, candidate.value)
  }
  const missing = [...chosen].flatMap(([path, { how }]) => (how === 'absent' ? [path] : []))
  const absent = [...new Set<string>([...(active?.profile.absent ?? []), ...missing])]
  if (absent.length > 0) filled = { ...filled, absent: absent.filter((entry) => hasNoValue(filled, entry)) }
  const { profile = filled as CloudProfile } = checkDocument(filled)
  const fields = fieldsOf(profile, chosen, options)
  const document = metadata && describeDocument(active?.profile.metadataEndpoint ?? endpoint, metadata)
  const sources = [active && describeSource(active.source), document].filter((each) => each !== undefined)
  const notes = notesOf(fields, refused, `Written by cloud-profile discover, from ${sources.join(' and ')}.`)
  return { profile: withValueAt(profile, 'notes', notes), fields, refused, warnings: cloud ? warningsOf(cloud) : [] }
}

/** The address of the document, with the versions that the values come from. */
function describeDocument(endpoint: string, { versions = [] }: WholeCloudMetadata): string {
  const [address = ''] = metadataUrl(endpoint).split(/[?&]api-version=/)
  return versions.length === 0 ? address : `${address} (api-version ${versions.join(' and ')})`
}

/** Whether an entry of `absent` is still true. The metadata may have a value that the active profile declares absent. */
const hasNoValue = (document: object, entry: string): boolean =>
  valuesOfAbsent(entry).every((path) => isPlaceholder(textAt(document, path) ?? '.invalid'))

type Candidate = Pick<FilledField, 'value' | 'from'> & { readonly how: How }

/** Returns a function that lists the possible values of a field, best first. */
function candidates(cloud: DiscoveredCloud | undefined, { active, name }: FillOptions) {
  const spelledAs = cloud && comparedWith(cloud.knownProfile, cloud.metadata)
  const foreign = foreignIn(active?.profile, active)
  return (path: FieldPath): readonly Candidate[] => {
    if (path === 'name' && (name !== undefined || active !== undefined)) return [nameOf(active, name)]
    const rules = (profileRules[path] ?? []).flatMap(({ how, from: rule, value: fill }): Candidate[] => {
      const value = cloud && fill(cloud, path)
      if (value === undefined) return []
      const spelling = spelledAs?.get(path)
      if (spelling?.equal === true && spelling.profile !== value)
        return [{ value: spelling.profile, how, from: sameAsKnownCloud }]
      return [{ value, how, from: active !== undefined && how === 'metadata' ? how : rule }]
    })
    const [own, origin] = [textAt(active?.profile, path), active?.fields[path]]
    if (own === undefined) return rules
    const how = origin?.by !== 'derived' ? 'given' : guesses.has(path) ? 'guessed' : 'derived'
    const candidate: Candidate = { value: own, how, from: origin === undefined ? '' : describeOrigin(origin) }
    const isSure = !isPlaceholder(own) && (foreign.has(path) ? origin?.by !== 'profile' : how !== 'guessed')
    return isSure ? [candidate] : [...rules.filter((each) => each.how !== 'placeholder'), candidate]
  }
}

const sameAsKnownCloud = 'the metadata agrees with the file of this known cloud, whose spelling is used'

/** A cloud chooses its audiences freely, so an audience derived from a host or a suffix is a guess. */
const guesses: ReadonlySet<string> = new Set([
  'resourceManagerAudience',
  'serviceAudiences.arm',
  'serviceAudiences.keyVault',
])

function nameOf(active: ExplainedProfile | undefined, name: string | undefined): Candidate {
  if (name !== undefined) return { value: name.trim(), how: 'given', from: 'given by --name' }
  const own = active?.profile.name ?? ''
  const value = active?.source.kind === 'file' ? own : `${own}-custom`
  return { value, how: 'derived', from: 'derived from the name of the profile' }
}

/** The values of a known cloud that metadata documents don't contain. */
function onlyInProfiles(profile: Partial<CloudProfile> = {}): object {
  const { services, aliases, toolNames, federatedAudience, guessedHosts } = profile
  return withoutUndefined({ services, aliases, toolNames, federatedAudience, guessedHosts })
}

const foreignIn = (profile: CloudProfile | undefined, active: ExplainedProfile | undefined): ReadonlySet<string> =>
  new Set(profile && findForeignValues({ profile, clouds: active?.clouds }).map(({ path }) => path))

const comparedWith = (profile: CloudProfile | undefined, metadata: WholeCloudMetadata | undefined) =>
  new Map(profile && metadata && compareWithProfile(profile, metadata).map((row) => [row.path, row]))

function fieldsOf(
  profile: CloudProfile,
  chosen: ReadonlyMap<string, Candidate>,
  { metadata, active }: FillOptions,
): FilledField[] {
  const compared = comparedWith(profile, metadata)
  const foreign = foreignIn(profile, active)
  return textsOf(profile).flatMap(([key, value]): FilledField[] => {
    const path = key as FieldPath
    const { how, from } = chosen.get(path) ?? {}
    if (how === undefined || from === undefined || path === 'notes') return []
    const row = compared.get(path)
    const certaintyOf = () => {
      if (foreign.has(path)) return 'foreign'
      if (how !== 'absent' && isPlaceholder(value)) return 'placeholder'
      return row?.equal === true || how === 'metadata' ? 'confirmed' : how
    }
    return [{ path, value, from, certainty: certaintyOf(), ...(row?.equal === false && { differs: row.metadata }) }]
  })
}

/** Warns about metadata that came over http, which anyone on the path can forge, and about an http address in metadata that came over TLS. */
function warningsOf({ endpoint, metadata: { resourceManagerEndpoint } }: DiscoveredCloud): string[] {
  const isPlain = (url: string) => new URL(url).protocol === 'http:'
  if (isPlain(endpoint)) return ['The metadata came without TLS, so anyone on the path can have forged it']
  const message = `The metadata came over https, but its resource manager ${resourceManagerEndpoint} has no TLS; no token is sent there`
  return isPlain(resourceManagerEndpoint) ? [message] : []
}

const titles = {
  confirmed: 'Confirmed by the metadata of the cloud',
  derived: 'Derived, to be confirmed',
  absent: 'Not in this cloud',
  guessed: 'Guessed, to be confirmed by the cloud operator',
  placeholder: 'Placeholders to replace with values from the cloud operator',
  foreign: 'Values of another cloud, to be replaced',
} as const

/** Lists the uncertain fields by certainty, with the reason. */
function notesOf(fields: readonly FilledField[], refused: readonly RefusedValue[], source: string): string {
  const sentences = Object.entries(titles).flatMap(([certainty, title]) => {
    const shown = fields.filter((field) => field.certainty === certainty)
    const byReason = Map.groupBy(shown, ({ from }) => (certainty === 'derived' ? ` (${from})` : ''))
    const parts = [...byReason].map(([reason, own]) => `${own.map(({ path }) => path).join(', ')}${reason}`)
    return parts.length === 0 ? [] : [`${title}: ${parts.join('; ')}.`]
  })
  const left = refused.map(({ path, problem }) => `${path} ${problem}`).join('; ')
  const last = left === '' ? [] : [`Values of the metadata that break a rule of profiles: ${left}.`]
  return [source, ...sentences, ...last].join(' ')
}
