import { shortPrintable } from '../base/printable.ts'
import { otherCloudOf, ownerOf } from '../clouds/owner-of.ts'
import { type ChangeableField, changeOfField, nameOfField, type RunFacts } from '../findings/finding.ts'
import type { ExplainedProfile } from './explained-profile.ts'
import { isPlaceholder } from './field-path.ts'

/** The facts of a profile without a run. A value of a built-in profile is proven, so no fix corrects it. */
export function profileFacts(
  { profile, source, fields }: Pick<ExplainedProfile, 'profile' | 'source' | 'fields'>,
  toSet: Pick<RunFacts, 'audienceToSet' | 'authorityToSet'> = {},
): RunFacts {
  const settings = {
    file: source.kind === 'file' ? shortPrintable(source.path, 200) : undefined,
    variableOf(field: ChangeableField) {
      const { by = 'profile', from: variable = '' } = fields[field] ?? {}
      return by === 'profile' ? undefined : { variable, isDerived: by !== 'variable' }
    },
  }
  const isBuiltIn = (field: ChangeableField) =>
    source.kind === 'built-in' && fields[field]?.by === 'profile' && !isPlaceholder(fields[field].value)
  const proven: Partial<Record<ChangeableField, string>> = {}
  for (const field of Object.keys(fields) as ChangeableField[]) {
    // If a variable sets the authority, an audience may be left over from the public cloud.
    const isDoubtful = !isBuiltIn('authorityHost') && /audience/i.test(field)
    if (isBuiltIn(field) && !isDoubtful) proven[field] = `\`${field}\` is the built-in value of ${profile.name}`
  }
  // A resource manager that a variable sets knows its cloud better than the rest of the built-in.
  if (!isBuiltIn('resourceManagerEndpoint')) {
    if (toSet.authorityToSet !== undefined) delete proven.authorityHost
    if (toSet.audienceToSet !== undefined) delete proven.resourceManagerAudience
  }
  const own = [profile.authorityHost, profile.resourceManagerEndpoint]
  return {
    file: settings.file,
    isPublic: own.every((value) => ownerOf(value) !== undefined),
    audience: profile.resourceManagerAudience,
    authority: profile.authorityHost,
    proven,
    nameOf: (field) => nameOfField(field, settings),
    changeOf: (field, value) => changeOfField(field, settings, value),
    ownerOf: (value) => otherCloudOf(value, own)?.displayName,
  }
}
