import type { Warning } from '../errors.ts'
import type { CloudProfile } from './cloud-profile.ts'
import {
  type ExplainedField,
  type ExplainedProfile,
  type FieldOrigin,
  type ProfileSource,
  type SelectedBy,
  describeSource,
} from './explained-profile.ts'
import { isValidValue, parseWithOrigins, withoutBlanks } from './parse-cloud-profile.ts'
import { type FieldPath, type Override, withValueAt } from './field-path.ts'
import { textsOf, valueAt } from '../base/json.ts'
import { isPlaceholder, placeholderFields } from './placeholders.ts'
import { redact } from '../base/printable.ts'
import { findUnknownFields } from './unknown-fields.ts'
import { usualStorageAudience } from '../clouds/known-clouds.ts'
import { ownerOf } from '../clouds/owner-of.ts'
import { metadataPath } from './endpoints.ts'

/**
 * Applies overrides to a document, validates the result and names the origin of each field. The warnings are about unknown fields,
 * placeholders and differing audiences; `lintProfile` has the others.
 *
 * @param overrides If two replace one field, the first wins.
 * @throws {ServiceError} `PROFILE_INVALID` with the origin of each wrong field.
 */
export function explainDocument(
  input: unknown,
  source: ProfileSource,
  overrides: readonly Override[],
  selectedBy: SelectedBy = 'option',
): ExplainedProfile {
  const document = withoutBlanks(input)
  const origin = describeSource(source)
  const given: readonly GivenValue[] = overrides.map(({ path, value, variable }) => ({ path, value, from: variable }))
  const all = [...given, ...derivedValues(document, given, source.kind === 'built-in')]

  const winners = new Map<FieldPath, GivenValue>()
  for (const each of all) if (!winners.has(each.path)) winners.set(each.path, each)
  let merged = document
  for (const { path, value } of winners.values()) merged = withValueAt(merged, path, value)
  const profile = parseWithOrigins(
    withoutBlanks(merged),
    origin,
    (path) => winners.get(path as FieldPath)?.from ?? origin,
  )

  const fields: Record<string, ExplainedField> = {}
  const original = new Map(textsOf(document))
  // The values of the profile in its order, then those that were dropped.
  const paths = new Set([...textsOf(profile).map(([path]) => path as FieldPath), ...winners.keys()])
  for (const path of paths) {
    const candidates: FieldOrigin[] = all.filter((each) => each.path === path)
    const value = original.get(path)
    if (value !== undefined) candidates.push({ value, from: origin })
    const [winner, ...overridden] = candidates.map(({ value, from }) => ({ value, from }))
    if (winner !== undefined)
      fields[path] = overridden.length > 0 ? { ...winner, overridden: overridden.map(shownOverridden) } : winner
  }
  // A built-in has no unknown field, and the search would slow down every cold start.
  const unknown = source.kind === 'file' ? findUnknownFields(document) : []
  return { profile, source, selectedBy, fields, warnings: [...unknown, ...profileWarnings(profile)] }
}

/** An overridden value was never validated: it may contain a password, and have any length. */
function shownOverridden({ value, from }: FieldOrigin): FieldOrigin {
  return { value: redact(value), from }
}

function profileWarnings(profile: CloudProfile): Warning[] {
  const warnings: Warning[] = []
  const placeholders = placeholderFields(profile)
  if (placeholders.length > 0) {
    warnings.push({
      code: 'PLACEHOLDER_FIELD',
      message: `Ask the cloud operator for the values of ${placeholders.join(', ')}, which are placeholders`,
    })
  }
  if (profile.serviceAudiences.arm !== profile.resourceManagerAudience) {
    warnings.push({
      code: 'ARM_AUDIENCE_DIFFERS',
      message:
        'serviceAudiences.arm differs from resourceManagerAudience; tokens are requested for resourceManagerAudience (no variable overrides serviceAudiences.arm)',
    })
  }
  return warnings
}

/** A value for one field, with its origin. A blank value removes an optional field. */
export interface GivenValue extends FieldOrigin {
  readonly path: FieldPath
}

/**
 * The values that are derived from replaced values.
 *
 * - Beside a replaced resource manager, a metadata endpoint that is absent, a placeholder or another known cloud's would name a host that
 *   this cloud does not have: it becomes that of the resource manager. A portal of another known cloud is dropped.
 * - In a built-in, a placeholder for an audience becomes what the known clouds have, so that login authority, resource manager and DNS
 *   suffixes are enough. `serviceAudiences.arm`, which no variable overrides, follows the audience. A stack generates the audience of its
 *   resource manager, so there the placeholder stays until the audience is discovered.
 */
function derivedValues(document: unknown, given: readonly GivenValue[], isBuiltIn: boolean): GivenValue[] {
  const usable = (wanted: FieldPath) => given.find(({ path, value }) => path === wanted && isValidValue(path, value))
  const endpoint = usable('resourceManagerEndpoint')
  return [
    ...(endpoint === undefined || isPlaceholder(endpoint.value) ? [] : followingEndpoint(document, endpoint)),
    ...(isBuiltIn ? derivedAudiences(document, given, usable) : []),
  ]
}

function followingEndpoint(document: unknown, endpoint: GivenValue): GivenValue[] {
  const clouds = ownerOf(endpoint.value)?.clouds ?? []
  const isForeign = (value: string) => {
    const owner = ownerOf(value)
    return owner !== undefined && !owner.clouds.some((cloud) => clouds.includes(cloud))
  }
  const [metadata, portal] = [valueAt(document, 'metadataEndpoint'), valueAt(document, 'portalUrl')]
  const isOpen = typeof metadata !== 'string' || isPlaceholder(metadata) || isForeign(metadata)
  const derived = `derived from ${endpoint.from}`
  return [
    ...(isOpen
      ? [{ path: 'metadataEndpoint', value: `${endpoint.value}${metadataPath}`, from: derived } as const]
      : []),
    ...(typeof portal === 'string' && isForeign(portal)
      ? [{ path: 'portalUrl', value: '', from: `dropped because of ${endpoint.from}` } as const]
      : []),
  ]
}

function derivedAudiences(
  document: unknown,
  given: readonly GivenValue[],
  usable: (wanted: FieldPath) => GivenValue | undefined,
): GivenValue[] {
  const derive = (path: FieldPath, from: GivenValue | undefined, valueOf = ({ value }: GivenValue) => value) => {
    if (from === undefined || given.some((each) => each.path === path)) return []
    const [placeholder, value] = [valueAt(document, path), valueOf(from)]
    const isOpen = typeof placeholder === 'string' && isPlaceholder(placeholder)
    return isOpen && isValidValue(path, value) ? [{ path, value, from: `derived from ${from.from}` }] : []
  }
  const isStack = valueAt(document, 'environment') === 'platformstackcloud'
  const replaced = usable('resourceManagerEndpoint')
  const endpoint = isStack ? undefined : replaced
  return [
    ...derive('resourceManagerAudience', endpoint),
    ...derive('serviceAudiences.arm', replaced && (usable('resourceManagerAudience') ?? endpoint)),
    ...derive('serviceAudiences.storage', usable('serviceDnsSuffixes.storage'), () => usualStorageAudience),
    ...derive(
      'serviceAudiences.keyVault',
      usable('serviceDnsSuffixes.keyVault'),
      ({ value }) => `https://${value.slice(1)}/`,
    ),
  ]
}
