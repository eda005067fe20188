import type { CloudProfile } from '../profile/cloud-profile.ts'
import { metadataUrl } from '../profile/endpoints.ts'
import { fieldPaths, valueAt, withValueAt, type FieldPath } from '../profile/field-path.ts'
import type { CloudMetadata } from './cloud-metadata.ts'
import { compareWithProfile } from './compare-with-profile.ts'
import { draftContext, type DraftContext } from './draft-context.ts'
import { draftRules, type DraftOrigin } from './draft-rules.ts'

/** One drafted value, how it came about, and the rule behind it. */
export interface DraftedField {
  readonly path: FieldPath
  readonly value: string
  readonly how: DraftOrigin
  readonly rule: string
}

export interface ProfileDraft {
  /** Not yet validated. */
  readonly profile: CloudProfile
  /** In the profile's order, without `notes`. */
  readonly fields: readonly DraftedField[]
}

export interface DraftOptions {
  /** The endpoint that was asked. */
  readonly endpoint: string
  /** The profile's name. Default is one made from the resource manager's domain. */
  readonly name?: string
}

/**
 * Drafts a custom profile from a cloud's metadata. What the metadata does not give is derived by the stated rules and
 * listed as derived; what no rule gives is a placeholder under `.invalid`. The profile's notes repeat both lists. A
 * cloud whose values are built in comes out as the built-in profile says.
 */
export function draftProfile(metadata: CloudMetadata, { endpoint, name }: DraftOptions): ProfileDraft {
  const context = draftContext(metadata, endpoint, name)
  const spelledAs = builtInSpelling(context)
  const fields: DraftedField[] = []
  for (const path of fieldPaths) {
    if (path === 'notes') continue
    for (const { how, rule, value: fill } of draftRules[path]) {
      const value = fill(context)
      if (value === undefined) continue
      const spelling = spelledAs.get(path)
      fields.push(
        spelling === undefined || spelling === value
          ? { path, value, how, rule }
          : {
              path,
              value: spelling,
              how,
              rule: 'the metadata means the same as the built-in profile, whose spelling is kept',
            },
      )
      break
    }
  }
  let profile: object = {}
  for (const { path, value } of fields) profile = withValueAt(profile, path, value)
  profile = withValueAt(profile, 'notes', notesOf(fields, endpoint))
  return { profile: profile as CloudProfile, fields }
}

/** Where the metadata means the same as the built-in profile, the built-in's spelling is the better one. */
function builtInSpelling({ known, metadata }: DraftContext): ReadonlyMap<FieldPath, string> {
  if (known === undefined) return new Map()
  const equal = compareWithProfile(known, metadata).filter((row) => row.equal)
  return new Map(equal.map(({ path }) => [path, String(valueAt(known, path))]))
}

function notesOf(fields: readonly DraftedField[], endpoint: string): string {
  const pathsByRule = new Map<string, FieldPath[]>()
  for (const { path, how, rule } of fields) {
    if (how === 'derived') pathsByRule.set(rule, [...(pathsByRule.get(rule) ?? []), path])
  }
  const derived = [...pathsByRule].map(([rule, paths]) => `${paths.join(', ')} (${rule})`)
  const placeholders = fields.filter(({ how }) => how === 'placeholder').map(({ path }) => path)
  return [
    `Drafted from ${metadataUrl(endpoint)}.`,
    derived.length === 0 ? '' : `Derived, to be confirmed: ${derived.join('; ')}.`,
    placeholders.length === 0
      ? ''
      : `Placeholders, to be replaced with what the cloud operator gives out: ${placeholders.join(', ')}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}
