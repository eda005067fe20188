import { shortPrintable } from '../base/printable.ts'
import { otherCloudOf, ownerOf } from '../clouds/owner-of.ts'
import {
  type ChangeableField,
  changeOfField,
  nameOfField,
  type RunFacts,
  type SettingsInForce,
} from '../findings/finding.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import { isPlaceholder } from '../profile/field-path.ts'

/** What a profile says without a run: what sets its fields, and those that it takes from a built-in, which nobody needs to correct. */
export function profileFacts(
  { profile, source, fields }: Pick<ExplainedProfile, 'profile' | 'source' | 'fields'>,
  toSet: Pick<RunFacts, 'audienceToSet' | 'authorityToSet'> = {},
): RunFacts {
  const settings: SettingsInForce = {
    file: source.kind === 'file' ? shortPrintable(source.path, 200) : undefined,
    variableOf(field) {
      const origin = fields[field]
      if (origin === undefined || origin.by === 'profile') return undefined
      return { variable: origin.from, isDerived: origin.by !== 'variable' }
    },
  }
  const isBuiltIn = (field: ChangeableField) => {
    const origin = fields[field]
    return origin !== undefined && origin.by === 'profile' && !isPlaceholder(origin.value)
  }
  const proven: Partial<Record<ChangeableField, string>> = {}
  if (source.kind === 'built-in') {
    for (const field of (Object.keys(fields) as ChangeableField[]).filter(isBuiltIn)) {
      // If a variable sets the authority, an audience may be left over from the public cloud.
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
