import { valueAt } from '../base/json.ts'
import { usualStorageAudience } from '../clouds/known-clouds.ts'
import { ownerOf } from '../clouds/owner-of.ts'
import { metadataPath } from './endpoints.ts'
import type { FieldOrigin } from './explained-profile.ts'
import type { FieldPath } from './field-path.ts'
import { isValidValue } from './find-problems.ts'
import { isPlaceholder } from './placeholders.ts'

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
export function derivedValues(document: unknown, given: readonly GivenValue[], isBuiltIn: boolean): GivenValue[] {
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
