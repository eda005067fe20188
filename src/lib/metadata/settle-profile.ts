import { textsOf, valueAt } from '../base/json.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { describeSource, type ExplainedProfile } from '../profile/explained-profile.ts'
import { withValueAt, type FieldPath } from '../profile/field-path.ts'
import { findForeignValues } from '../profile/foreign-values.ts'
import { isPlaceholder } from '../profile/placeholders.ts'
import type { WholeCloudMetadata } from './cloud-metadata.ts'
import { compareWithProfile } from './compare-with-profile.ts'
import { draftProfile } from './draft-profile.ts'

/**
 * How sure a value is: the metadata confirms it, somebody gave it, a rule that holds for every known cloud derives it; or it is a guess,
 * a placeholder, or the value of another cloud.
 */
export type Certainty = 'confirmed' | 'given' | 'derived' | 'guessed' | 'placeholder' | 'foreign'

export interface SettledField {
  readonly path: FieldPath
  readonly value: string
  /** The origin of the value, as {@link ExplainedProfile} has it, or `metadata`. */
  readonly from: string
  readonly certainty: Certainty
  /** The value of the metadata, if it differs. */
  readonly differs?: string
}

/** A profile to sign off. */
export interface SettledProfile {
  readonly profile: CloudProfile
  /** In the profile's order, without `notes`. */
  readonly fields: readonly SettledField[]
}

/** A cloud chooses its audiences freely, so an audience derived from a host or a suffix is a guess. */
const guesses: ReadonlySet<FieldPath> = new Set([
  'resourceManagerAudience',
  'serviceAudiences.arm',
  'serviceAudiences.keyVault',
])

/** Certainties that need a check by the operator. */
export function isOpen({ certainty }: SettledField): boolean {
  return ['guessed', 'placeholder', 'foreign'].includes(certainty)
}

/**
 * Makes a custom profile of the active one: the metadata, if available, replaces absent values, placeholders, guesses and values of
 * another cloud, and confirms others. A given value stays, and the result names the value of the metadata if it differs. Pure.
 *
 * @param name Default is that of the profile; a built-in's gets `-custom`.
 */
export function settleProfile(
  { profile: active, fields: origins, source, clouds }: ExplainedProfile,
  metadata: WholeCloudMetadata | undefined,
  name = source.kind === 'file' ? active.name : `${active.name}-custom`,
): SettledProfile {
  const draft = metadata && draftProfile(metadata, { endpoint: active.resourceManagerEndpoint }).fields
  const published = new Map(
    (draft ?? []).flatMap(({ path, value, how }) => (how === 'metadata' ? [[path, value] as const] : [])),
  )
  const originOf = (path: FieldPath) => origins[path]?.from ?? ''
  const foreignIn = (profile: CloudProfile) => new Set(findForeignValues(profile, {}, clouds).map(({ path }) => path))
  const wasForeign = foreignIn(active)
  const isUnsure = (path: FieldPath) => {
    const value = valueAt(active, path)
    if (typeof value !== 'string' || isPlaceholder(value)) return true
    if (wasForeign.has(path)) return originOf(path) === describeSource(source)
    return isGuess(path, originOf(path))
  }
  let profile = active
  const taken = new Set<FieldPath>()
  for (const [path, value] of published) {
    if (!isUnsure(path)) continue
    profile = withValueAt(profile, path, value)
    taken.add(path)
  }
  profile = withValueAt(profile, 'name', name)

  const compared = new Map(
    metadata === undefined ? [] : compareWithProfile(profile, metadata).map((row) => [row.path, row]),
  )
  const isForeign = foreignIn(profile)
  const fields = textsOf(profile).flatMap(([key, value]): SettledField[] => {
    const path = key as FieldPath
    if (path === 'notes') return []
    const row = compared.get(path)
    const from = taken.has(path)
      ? 'metadata'
      : path === 'name'
        ? 'derived from the name of the profile'
        : originOf(path)
    const certainty = isForeign.has(path)
      ? 'foreign'
      : isPlaceholder(value)
        ? 'placeholder'
        : row?.equal === true || taken.has(path)
          ? 'confirmed'
          : certaintyOf(path, from)
    return [{ path, value, from, certainty, ...(row?.equal === false ? { differs: row.metadata } : {}) }]
  })
  return { profile: withValueAt(profile, 'notes', notesOf(fields, describeSource(source))), fields }
}

function isGuess(path: FieldPath, from: string): boolean {
  return from.startsWith('derived from ') && guesses.has(path)
}

function certaintyOf(path: FieldPath, from: string): Certainty {
  if (isGuess(path, from)) return 'guessed'
  return from.startsWith('derived from ') ? 'derived' : 'given'
}

function notesOf(fields: readonly SettledField[], source: string): string {
  const sentences = (['confirmed', 'derived', 'guessed', 'placeholder', 'foreign'] as const).flatMap((certainty) => {
    const paths = fields.filter((field) => field.certainty === certainty).map(({ path }) => path)
    return paths.length === 0 ? [] : [`${titles[certainty]}: ${paths.join(', ')}.`]
  })
  return [`Written by cloud-profile discover, from ${source}.`, ...sentences].join(' ')
}

const titles = {
  confirmed: 'Confirmed by the metadata of the cloud',
  derived: 'Derived',
  guessed: 'Guessed, to be confirmed by the cloud operator',
  placeholder: 'Placeholders, to be replaced with values from the cloud operator',
  foreign: 'Values of another cloud, to be replaced',
} as const
