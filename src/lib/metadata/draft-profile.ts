import type { CloudProfile } from '../profile/cloud-profile.ts'
import { metadataUrl } from '../profile/endpoints.ts'
import { withValueAt, type FieldPath } from '../profile/field-path.ts'
import { valueAt } from '../base/json.ts'
import { checkProfile } from '../profile/parse-cloud-profile.ts'
import type { WholeCloudMetadata } from './cloud-metadata.ts'
import { compareWithProfile } from './compare-with-profile.ts'
import { type DraftContext, type DraftOrigin, draftContext, draftRules } from './draft-rules.ts'

/** One drafted value, how it came about, and the rule behind it. */
interface DraftedField {
  readonly path: FieldPath
  readonly value: string
  readonly how: DraftOrigin
  readonly rule: string
}

/** A value of the metadata that no profile may have, and why. */
interface RefusedValue {
  readonly path: FieldPath
  readonly value: string
  readonly problem: string
}

export interface ProfileDraft {
  readonly profile: CloudProfile
  /** In the profile's order, without `notes`. */
  readonly fields: readonly DraftedField[]
  /** Values that could not be used; the next rule filled the field, or it is absent. */
  readonly refused: readonly RefusedValue[]
  /** Values that an operator should check before the service sends anything there. */
  readonly warnings: readonly string[]
}

export interface DraftOptions {
  /** The requested endpoint. */
  readonly endpoint: string
  /** The profile's name. Default is one made from the resource manager's domain. */
  readonly name?: string
}

/**
 * Drafts a custom profile from a cloud's metadata. A value that the metadata lacks is derived by the stated rules and listed as derived;
 * what no rule gives is a placeholder under `.invalid`. A value that no profile may have is refused, and the next rule fills its field. The
 * profile's notes repeat all three lists. The draft of a cloud with a built-in profile equals that profile.
 */
export function draftProfile(metadata: WholeCloudMetadata, { endpoint, name }: DraftOptions): ProfileDraft {
  const context = draftContext(metadata, endpoint, name)
  const spelledAs = builtInSpelling(context)
  const refused: RefusedValue[] = []
  for (;;) {
    const fields = fillFields(context, spelledAs, refused)
    const profile = fields.reduce(
      (document, { path, value }) => withValueAt(document, path, value),
      onlyInProfiles(context.known),
    )
    const problems = (checkProfile(profile).problems ?? []).flatMap(({ path, message }) => {
      // A given name and a placeholder have no alternative: validation reports them.
      const field = fields.find((each) => each.path === path && each.how !== 'placeholder' && each.path !== 'name')
      return field === undefined ? [] : [{ path: field.path, value: field.value, problem: message }]
    })
    if (problems.length === 0) {
      const notes = notesOf(fields, refused, endpoint)
      return {
        profile: withValueAt(profile, 'notes', notes) as CloudProfile,
        fields,
        refused,
        warnings: warningsOf(context),
      }
    }
    // A value is refused once: each round has fewer to choose from.
    refused.push(...problems)
  }
}

function fillFields(
  context: DraftContext,
  spelledAs: ReadonlyMap<FieldPath, string>,
  refused: readonly RefusedValue[],
): DraftedField[] {
  return Object.keys(draftRules).flatMap((key) => {
    const path = key as FieldPath
    for (const { how, rule, value: fill } of draftRules[key] ?? []) {
      const value = fill(context)
      if (value === undefined || refused.some((each) => each.path === path && each.value === value)) continue
      const spelling = spelledAs.get(path)
      return spelling === undefined || spelling === value
        ? [{ path, value, how, rule }]
        : [
            {
              path,
              value: spelling,
              how,
              rule: 'the metadata agrees with the built-in profile; the draft uses the spelling of the profile',
            },
          ]
    }
    return []
  })
}

/** What no document says, of the profile of a known cloud. */
function onlyInProfiles(known: CloudProfile | undefined): object {
  const { services, aliases, toolNames, federatedAudience } = known ?? {}
  return Object.fromEntries(
    Object.entries({ services, aliases, toolNames, federatedAudience }).filter(([, value]) => value !== undefined),
  )
}

/** A forged response over plain http could name any address; a response over TLS should not lead out of TLS. */
function warningsOf({ endpoint, metadata }: DraftContext): string[] {
  const isPlain = (url: string) => new URL(url).protocol === 'http:'
  if (isPlain(endpoint)) return ['The metadata came without TLS: anyone on the way can have forged it']
  if (!isPlain(metadata.resourceManagerEndpoint)) return []
  return [
    `The metadata came over https, but names the resource manager ${metadata.resourceManagerEndpoint} without TLS; tokens are not sent there`,
  ]
}

/** If a value of the metadata has the same meaning as in the built-in profile, the spelling of the built-in profile is better. */
function builtInSpelling({ known, metadata }: DraftContext): ReadonlyMap<FieldPath, string> {
  if (known === undefined) return new Map()
  const equal = compareWithProfile(known, metadata).filter((row) => row.equal)
  return new Map(equal.map(({ path }) => [path, String(valueAt(known, path))]))
}

function notesOf(fields: readonly DraftedField[], refused: readonly RefusedValue[], endpoint: string): string {
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
      : `Placeholders to replace with values from the cloud operator: ${placeholders.join(', ')}.`,
    refused.length === 0
      ? ''
      : `Not taken over, because no profile may have it: ${refused.map(({ path, problem }) => `${path} ${problem}`).join('; ')}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}
