import { builtInProfileNames } from '../../lib/profile/built-in-profiles.ts'
import type { ExplainedProfile } from '../../lib/profile/explained-profile.ts'
import { showValue } from '../../lib/profile/show-value.ts'
import { nearestName } from '../../lib/profile/unknown-fields.ts'
import { explainCloudProfile } from '../../lib/profile/resolve-cloud-profile.ts'
import { UsageError } from '../run-command.ts'

/** The options by which commands choose a profile; without them it is the one this environment selects. */
export const profileOptions = { cloud: { type: 'string' }, profile: { type: 'string' } } as const

export const profileOptionsHelp = `  --cloud NAME       a built-in profile, with the override variables applied
  --profile FILE     a custom profile file`

/** @throws {UsageError} when both are given or the name is unknown. @throws {ServiceError} as the resolver does. */
export function explainChosen({ cloud, profile }: { cloud?: string; profile?: string }): ExplainedProfile {
  if (cloud !== undefined && profile !== undefined) throw new UsageError('Give --cloud or --profile, not both')
  if (profile !== undefined) {
    if (profile.trim() === '') throw new UsageError('--profile needs the path of a file')
    return explainCloudProfile({ customProfilePath: profile })
  }
  if (cloud === undefined) return explainCloudProfile()
  if (!builtInProfileNames.includes(cloud)) throw unknownName('cloud', cloud, builtInProfileNames)
  // A name on the command line is meant; a custom file of the environment would win over it.
  const { CUSTOM_CLOUD_PROFILE_PATH: _path, ...env } = process.env
  return explainCloudProfile({ name: cloud, env })
}

/** The entry of a table that a command-line word names. @throws {UsageError} with the nearest name. */
export function choose<T>(kind: string, name: string, table: Readonly<Record<string, T>>): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined
  if (found === undefined) throw unknownName(kind, name, Object.keys(table))
  return found
}

/** One readable message for a word that is none of the known ones. */
export function unknownName(kind: string, name: string, known: readonly string[]): UsageError {
  const nearest = nearestName(name, known)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return new UsageError(`Unknown ${kind} ${showValue(name)}.${hint} Known are ${known.join(', ')}`)
}
