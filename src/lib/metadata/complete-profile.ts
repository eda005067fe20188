import { textsOf, valueAt } from '../base/json.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { describeSource, type ExplainedProfile, type FieldOrigin } from '../profile/explained-profile.ts'
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

export interface CompletedField {
  readonly path: FieldPath
  readonly value: string
  /** The origin of the value, as {@link ExplainedProfile} has it, or `metadata`. */
  readonly from: string
  readonly certainty: Certainty
  /** The value of the metadata, if it differs. */
  readonly differs?: string
}

/** A profile to sign off. */
export interface CompletedProfile {
  readonly profile: CloudProfile
  /** In the profile's order, without `notes`. */
  readonly fields: readonly CompletedField[]
}

/** A cloud chooses its audiences freely, so an audience derived from a host or a suffix is a guess. */
const guesses: ReadonlySet<string> = new Set([
  'resourceManagerAudience',
  'serviceAudiences.arm',
  'serviceAudiences.keyVault',
])

/** Certainties that need a check by the operator. */
export function isOpen({ certainty }: CompletedField): boolean {
  return ['guessed', 'placeholder', 'foreign'].includes(certainty)
}

/**
 * Makes a custom profile of the active one: the metadata, if available, replaces absent values, placeholders, guesses and values of
 * another cloud, and confirms others. A given value stays, and the result names the value of the metadata if it differs. Pure.
 *
 * @param name Default is that of the profile; a built-in's gets `-custom`.
 */
export function completeProfile(
  { profile: active, fields: origins, source, clouds }: ExplainedProfile,
  metadata: WholeCloudMetadata | undefined,
  name = source.kind === 'file' ? active.name : `${active.name}-custom`,
): CompletedProfile {
  const draft = metadata && draftProfile(metadata, { endpoint: active.resourceManagerEndpoint }).fields
  const published = new Map(
    (draft ?? []).flatMap(({ path, value, how }) => (how === 'metadata' ? [[path as string, value] as const] : [])),
  )
  const originOf = (path: string) => origins[path]?.from ?? ''
  const foreignIn = (profile: CloudProfile) =>
    new Set<string>(findForeignValues(profile, {}, clouds).map(({ path }) => path))
  const wasForeign = foreignIn(active)
  const own = (path: string) => textOf(active, path)
  const isSure = (path: string, value: string) => {
    if (isPlaceholder(value)) return false
    if (wasForeign.has(path)) return originOf(path) !== describeSource(source)
    return !isGuess(path, originOf(path))
  }
  /** The first rule that gives a value. */
  const rules: readonly ((path: string) => FieldOrigin | undefined)[] = [
    (path) => (path === 'name' ? { value: name, from: 'derived from the name of the profile' } : undefined),
    (path) => {
      const value = own(path)
      return value !== undefined && isSure(path, value) ? { value, from: originOf(path) } : undefined
    },
    (path) => {
      const value = published.get(path)
      return value === undefined ? undefined : { value, from: 'metadata' }
    },
    (path) => {
      const value = own(path)
      return value === undefined ? undefined : { value, from: originOf(path) }
    },
  ]
  const chosen = new Map<string, FieldOrigin>()
  for (const path of new Set([...textsOf(active).map(([each]) => each), ...published.keys()])) {
    const found = rules.map((rule) => rule(path)).find((each) => each !== undefined)
    if (found !== undefined) chosen.set(path, found)
  }
  let profile = active
  for (const [path, { value }] of chosen) profile = withValueAt(profile, path as FieldPath, value)

  const compared = new Map(
    metadata === undefined ? [] : compareWithProfile(profile, metadata).map((row) => [row.path, row]),
  )
  const isForeign = foreignIn(profile)
  const fields = textsOf(profile).flatMap(([key, value]): CompletedField[] => {
    const path = key as FieldPath
    if (path === 'notes') return []
    const row = compared.get(path)
    const { from = '' } = chosen.get(path) ?? {}
    const certainty = isForeign.has(path)
      ? 'foreign'
      : isPlaceholder(value)
        ? 'placeholder'
        : row?.equal === true || from === 'metadata'
          ? 'confirmed'
          : certaintyOf(path, from)
    return [{ path, value, from, certainty, ...(row?.equal === false ? { differs: row.metadata } : {}) }]
  })
  return { profile: withValueAt(profile, 'notes', notesOf(fields, describeSource(source))), fields }
}

function textOf(document: unknown, path: string): string | undefined {
  const value = valueAt(document, path)
  return typeof value === 'string' ? value : undefined
}

function isGuess(path: string, from: string): boolean {
  return from.startsWith('derived from ') && guesses.has(path)
}

function certaintyOf(path: string, from: string): Certainty {
  if (isGuess(path, from)) return 'guessed'
  return from.startsWith('derived from ') ? 'derived' : 'given'
}

function notesOf(fields: readonly CompletedField[], source: string): string {
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
