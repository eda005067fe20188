import { usualStorageAudience } from '../clouds/known-clouds.ts'
import type { FieldOrigin } from './explained-profile.ts'
import { type FieldPath } from './field-path.ts'
import { valueAt } from '../base/json.ts'
import { isValidValue } from './find-problems.ts'
import { isPlaceholder } from './placeholders.ts'

/** A value for one field, and who gives it. */
export interface GivenValue extends FieldOrigin {
  readonly path: FieldPath
}

/**
 * What a replaced endpoint or suffix says beside itself: where a built-in holds a placeholder for an audience, it gives the value that the
 * clouds known by name have, so that what an operator is told to replace (login authority, resource manager, DNS suffixes) is enough.
 * serviceAudiences.arm, which no variable overrides, follows the audience.
 */
export function derivedValues(document: unknown, given: readonly GivenValue[]): GivenValue[] {
  const usable = (wanted: FieldPath) => given.find(({ path, value }) => path === wanted && isValidValue(path, value))
  const derive = (path: FieldPath, from: GivenValue | undefined, valueOf = ({ value }: GivenValue) => value) => {
    if (from === undefined || given.some((each) => each.path === path)) return []
    const [placeholder, value] = [valueAt(document, path), valueOf(from)]
    const isOpen = typeof placeholder === 'string' && isPlaceholder(placeholder)
    return isOpen && isValidValue(path, value) ? [{ path, value, from: `derived from ${from.from}` }] : []
  }
  const endpoint = usable('resourceManagerEndpoint')
  return [
    ...derive('resourceManagerAudience', endpoint),
    ...derive('serviceAudiences.arm', endpoint && (usable('resourceManagerAudience') ?? endpoint)),
    ...derive('serviceAudiences.storage', usable('serviceDnsSuffixes.storage'), () => usualStorageAudience),
    ...derive(
      'serviceAudiences.keyVault',
      usable('serviceDnsSuffixes.keyVault'),
      ({ value }) => `https://${value.slice(1)}/`,
    ),
  ]
}
