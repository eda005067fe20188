import { isObject, ownCopy, textAt, withoutPrototypes, textsOf, valueAt } from '../base/json.ts'
import { redact } from '../base/printable.ts'
import type { CloudFile, CloudProfile } from '../clouds/cloud-profile.ts'
import { usualStorageAudience } from '../clouds/known-clouds.ts'
import { includesCloud, ownerOf } from '../clouds/owner-of.ts'
import type { Warning } from '../errors.ts'
import { metadataPath } from './endpoints.ts'
import {
  overrideVariables,
  type FieldPath,
  withValueAt,
  isPlaceholder,
  placeholderFields,
  valuesOfAbsent,
} from './field-path.ts'
import { copyOf, findUnknownFields, problemOfValue, parseWithOrigins } from './parse-cloud-profile.ts'

/** The source of a whole profile. */
export type ProfileSource =
  | { readonly kind: 'built-in'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'option' }

/** What selected the profile: nothing, a variable, or an option of the library or the command line. */
export type SelectedBy = 'default' | 'PLATFORM_CLOUD' | 'CUSTOM_CLOUD_PROFILE_PATH' | 'option'

/** Where a value comes from: the profile, a variable, or a rule that derived or dropped the value because of a variable. */
export interface Origin {
  readonly by: 'profile' | 'variable' | 'derived' | 'dropped'
  /** The name of the variable. For `profile`, the source of the profile in words. */
  readonly from: string
}

/** A value and its origin. */
export interface FieldOrigin extends Origin {
  readonly value: string
}

/** A resolved field with the values that it overrides, the strongest first. Parts that may be secret are left out. */
export interface ExplainedField extends FieldOrigin {
  readonly overridden?: readonly FieldOrigin[]
}

/** A resolved profile with the origin of each field and the warnings about it. */
export interface ExplainedProfile {
  readonly profile: CloudProfile
  readonly source: ProfileSource
  readonly selectedBy: SelectedBy
  readonly fields: Readonly<Record<string, ExplainedField>>
  readonly warnings: readonly Warning[]
  /** The known clouds and the operator's clouds, if PLATFORM_KNOWN_CLOUDS is set. */
  readonly clouds?: readonly CloudFile[]
}

/** A source in words. */
export function describeSource(source: ProfileSource): string {
  if (source.kind === 'option') return 'option profile'
  return source.kind === 'built-in' ? `built-in ${source.name}` : `file ${source.path}`
}

const originWords = { profile: '', variable: '', derived: 'derived from ', dropped: 'dropped because of ' } as const

/** An origin in words. */
export function describeOrigin({ by, from }: Origin): string {
  return `${originWords[by]}${from}`
}

/** The override variables that took effect, in the profile's field order. */
export function appliedOverrides({ fields }: Pick<ExplainedProfile, 'fields'>): string[] {
  return Object.values(fields).flatMap(({ by, from }) => (by === 'variable' ? [from] : []))
}

/** Applies overrides, of which the first wins, validates the result and names the origin of each field. `lintProfile` has further warnings. */
export function explainDocument(
  input: unknown,
  source: ProfileSource,
  overrides: readonly GivenValue[],
  selectedBy: SelectedBy = 'option',
): ExplainedProfile {
  const origin = describeSource(source)
  // The cloud files have no blank fields.
  const isBuiltIn = source.kind === 'built-in'
  const document = isBuiltIn ? withoutPrototypes(input) : copyOf(input, origin)
  const all = [...overrides, ...derivedValues(document, overrides, isBuiltIn)]

  const winners = new Map(all.toReversed().map((each) => [each.path, each]))
  let merged = withoutAbsent(document, winners)
  for (const { path, value, by } of winners.values())
    merged = withValueAt(merged, path, by === 'dropped' ? undefined : value)
  const originOf = (path: string) => {
    const winner = winners.get(path as FieldPath)
    return winner === undefined ? origin : describeOrigin(winner)
  }
  // The cloud files have no references, and no override with one comes here.
  const profile = parseWithOrigins(merged, origin, originOf, isBuiltIn ? [] : textsOf(merged))

  const unknown = source.kind === 'file' ? findUnknownFields(document) : []
  const warnings = [...unknown, ...profileWarnings(profile, source)]
  return ownCopy({ profile, source, selectedBy, fields: explainFields(profile, document, origin, all), warnings })
}

/** Removes the fields with a new value from `absent`. */
function withoutAbsent(document: unknown, given: ReadonlyMap<FieldPath, GivenValue>): unknown {
  if (!isObject(document) || !Array.isArray(document['absent'])) return document
  const isOpen = (entry: unknown) => typeof entry !== 'string' || !valuesOfAbsent(entry).some((path) => given.has(path))
  return ownCopy({ ...document, absent: document['absent'].filter(isOpen) })
}

/** The fields of the profile in its order, then those that were dropped. */
function explainFields(
  profile: CloudProfile,
  document: unknown,
  origin: string,
  given: readonly GivenValue[],
): ExplainedProfile['fields'] {
  const fields: Record<string, ExplainedField> = ownCopy({})
  for (const [path, value] of textsOf(profile)) fields[path] = { value, by: 'profile', from: origin }
  for (const { path } of given) {
    const own = textAt(document, path)
    const replaced = given.filter((each) => each.path === path).map(({ value, by, from }) => ({ value, by, from }))
    const all = own === undefined ? replaced : [...replaced, { value: own, by: 'profile', from: origin } as const]
    const [winner, ...others] = all
    // Nothing has validated an overridden value, so it may contain a password and have any length.
    const overridden = others.map((each) => ({ ...each, value: redact(each.value) }))
    if (winner !== undefined) fields[path] = overridden.length > 0 ? { ...winner, overridden } : winner
  }
  return fields
}

function profileWarnings(profile: CloudProfile, source: ProfileSource): Warning[] {
  const placeholders = placeholdersToReplace({ profile, source })
  const commands = source.kind === 'built-in' ? placeholderVariables(profile, placeholders) : []
  const warnings: Warning[] = []
  if (placeholders.length > 0)
    warnings.push({
      code: 'PLACEHOLDER_FIELD',
      ...(commands.length > 0 && { commands }),
      ...(placeholders.length === 1 && { field: placeholders[0] }),
      message: `Ask the cloud operator for the values of ${placeholders.join(', ')}, which are placeholders`,
    })
  if (profile.serviceAudiences.arm !== profile.resourceManagerAudience) {
    const message = 'serviceAudiences.arm differs from resourceManagerAudience, which tokens are requested for'
    warnings.push({ code: 'ARM_AUDIENCE_DIFFERS', field: 'serviceAudiences.arm', message })
  }
  return warnings
}

/** A value for one field, with its origin. A dropped field has an empty value. */
export interface GivenValue extends FieldOrigin {
  readonly path: FieldPath
}

/** The placeholders that an operator must replace. In a built-in, an audience derives from its replaced endpoint or suffix ({@link derivedValues}). */
export function placeholdersToReplace({
  profile,
  source,
}: Pick<ExplainedProfile, 'profile' | 'source'>): readonly FieldPath[] {
  const placeholders = placeholderFields(profile)
  if (source.kind !== 'built-in') return placeholders
  const isStack = profile.environment === 'platformstackcloud'
  return placeholders.filter((path) => {
    const replaced = isStack && path === 'resourceManagerAudience' ? undefined : audienceRules[path]?.[0]
    return replaced === undefined || !placeholders.includes(replaced)
  })
}

/** The variables that replace placeholders, as lines to paste and edit. An unchanged value is still a placeholder, so it reaches no host. */
export function placeholderVariables(profile: CloudProfile, placeholders: readonly FieldPath[]): string[] {
  return placeholders.flatMap((path) => {
    const variable = Object.keys(overrideVariables).find((name) => overrideVariables[name] === path)
    return variable === undefined ? [] : [`export ${variable}=${textAt(profile, path) ?? ''}`]
  })
}

type AudienceRule = readonly [source: FieldPath, valueOf: (value: string) => string]

/** The field that an audience derives from in a built-in, and the audience that known clouds have for its value. */
const audienceRules = /* @__PURE__ */ ownCopy<Readonly<Record<string, AudienceRule>>>({
  resourceManagerAudience: ['resourceManagerEndpoint', (url) => url],
  'serviceAudiences.arm': ['resourceManagerEndpoint', (url) => url],
  'serviceAudiences.storage': ['serviceDnsSuffixes.storage', () => usualStorageAudience],
  'serviceAudiences.keyVault': ['serviceDnsSuffixes.keyVault', (suffix) => `https://${suffix.slice(1)}/`],
})

/**
 * The values that derive from overridden values.
 *
 * In a built-in, a placeholder of an audience becomes the audience that known clouds have, so it is enough to override the login authority, the
 * resource manager and the DNS suffixes. No variable overrides `serviceAudiences.arm`, so it takes the value of resourceManagerAudience. A
 * stack generates its audience, so there the placeholder remains until the audience is discovered.
 */
function derivedValues(document: unknown, given: readonly GivenValue[], isBuiltIn: boolean): GivenValue[] {
  const validOverride = (wanted: FieldPath) =>
    given.find(({ path, value }) => path === wanted && problemOfValue(path, value) === undefined)
  const endpoint = validOverride('resourceManagerEndpoint')
  const isStack = valueAt(document, 'environment') === 'platformstackcloud'
  const audiences = Object.entries(isBuiltIn ? audienceRules : {}).flatMap(([key, [source, valueOf]]): GivenValue[] => {
    const path = key as FieldPath
    const replaced = validOverride(source)
    const isOfManager = replaced !== undefined && replaced === endpoint
    const named = isOfManager && path === 'serviceAudiences.arm' ? validOverride('resourceManagerAudience') : undefined
    const from = named ?? (isOfManager && isStack ? undefined : replaced)
    if (from === undefined || given.some((each) => each.path === path)) return []
    const value = valueOf(from.value)
    const isReplaced = isPlaceholder(textAt(document, path) ?? '') && problemOfValue(path, value) === undefined
    return isReplaced ? [{ path, value, by: 'derived', from: from.from }] : []
  })
  return endpoint === undefined || isPlaceholder(endpoint.value)
    ? audiences
    : [...derivedAddresses(document, endpoint), ...audiences]
}

/** An overridden resource manager gets its own metadata endpoint, unless a private one is set, and no portal of another known cloud. */
function derivedAddresses(document: unknown, { value: endpoint, from }: GivenValue): GivenValue[] {
  const clouds = ownerOf(endpoint)?.clouds ?? []
  const isForeign = (value: string) => ownerOf(value)?.clouds.some((cloud) => includesCloud(clouds, cloud)) === false
  const [metadata, portal] = [textAt(document, 'metadataEndpoint'), textAt(document, 'portalUrl')]
  const values: GivenValue[] = []
  if (metadata === undefined || isPlaceholder(metadata) || isForeign(metadata))
    values.push({ path: 'metadataEndpoint', value: `${endpoint}${metadataPath}`, by: 'derived', from })
  if (portal !== undefined && isForeign(portal)) values.push({ path: 'portalUrl', value: '', by: 'dropped', from })
  return values
}
