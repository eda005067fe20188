import type { FieldOrigin } from './explained-profile.ts'
import { valueAt, type FieldPath } from './field-path.ts'
import { isValidValue } from './find-problems.ts'
import { isPlaceholder } from './placeholders.ts'

/** A value for one field, and who gives it. */
export interface GivenValue extends FieldOrigin {
  readonly path: FieldPath
}

/**
 * What a replaced resource manager endpoint says beside itself: where a built-in holds a placeholder for an audience of
 * the resource manager, the endpoint takes its place, so that the endpoints which an operator is told to replace are
 * enough for a token. serviceAudiences.arm, which no variable overrides, follows the audience.
 */
export function derivedValues(document: unknown, given: readonly GivenValue[]): GivenValue[] {
  const usable = (wanted: FieldPath) => given.find(({ path, value }) => path === wanted && isValidValue(path, value))
  const endpoint = usable('resourceManagerEndpoint')
  if (endpoint === undefined) return []
  const derive = (path: FieldPath, { value, from }: GivenValue): GivenValue[] => {
    const placeholder = valueAt(document, path)
    const isOpen = typeof placeholder === 'string' && isPlaceholder(placeholder)
    const isGiven = given.some((each) => each.path === path)
    return isOpen && !isGiven && isValidValue(path, value) ? [{ path, value, from: `derived from ${from}` }] : []
  }
  return [
    ...derive('resourceManagerAudience', endpoint),
    ...derive('serviceAudiences.arm', usable('resourceManagerAudience') ?? endpoint),
  ]
}
