import { nearestName } from '../base/names.ts'
import { showValue } from '../base/printable.ts'
import type { CloudFile } from '../clouds/cloud-profile.ts'
import { builtInClouds, knownClouds } from '../clouds/known-clouds.ts'
import { knownFiles } from '../clouds/known-files.ts'
import { ServiceError } from '../errors.ts'
import { missingFields } from './profile-files.ts'

/** Where a name of a cloud was given, and what the reader can do instead. */
export interface NamePlace {
  /** Such as `PLATFORM_CLOUD`. */
  readonly subject: string
  readonly origin?: string
  /** The names that are valid there. */
  readonly names: readonly string[]
  /** What to change, if the catalog's fix names a setting that the caller did not use. */
  readonly fix?: string | undefined
  /** Says how to use a profile file. */
  readonly useFile: (path: string) => string
  /** The path of a file of this package where the reader is. Default is its path in the package. */
  readonly pathOf?: ((file: string) => string) | undefined
}

/** The error for a name that isn't valid in a place. Every place has the same hint. */
export function unsupportedCloud(name: string, { subject, origin = '', names, useFile, pathOf, fix }: NamePlace) {
  const text = `Unsupported ${subject} ${showValue(name)}${origin}`
  const known = cloudOfName(name, names)
  const isValid = known !== undefined && names.includes(known.name)
  const missing = known === undefined || isValid ? [] : missingFields(known)
  if (known !== undefined && missing.length > 0) {
    const { displayName, resourceManagerEndpoint = 'https://management.CLOUD/' } = known
    const message = `${text}: the published values of ${displayName} lack ${missing.join(', ')}. In that cloud run: cloud-profile discover ${resourceManagerEndpoint} --name ${known.name} --output ${known.name}.json; then complete the file and ${useFile('its path')}`
    return new ServiceError('UNSUPPORTED_CLOUD', message, { fix })
  }
  const file = known && !isValid ? fileOf(known, pathOf) : undefined
  const meant =
    known && (file === undefined ? `Did you mean ${known.name}? ` : `For ${known.displayName}, ${useFile(file)}. `)
  const message = `${text}. ${meant ?? ''}Use one of ${names.join(', ')}, or ${useFile('a profile file')}`
  return new ServiceError('UNSUPPORTED_CLOUD', message, { fix })
}

/** The path of a known cloud's file. `undefined` for a built-in one, which is selected by its name. */
export function fileOf(
  cloud: CloudFile | undefined,
  pathOf: NamePlace['pathOf'] = (path: string): string => path,
): string | undefined {
  const file = Object.keys(knownFiles).find((each) => knownFiles[each] === cloud)
  return file === undefined ? undefined : pathOf(`cloud-profiles/known/${file}.json`)
}

const allClouds = [...new Set([...builtInClouds, ...knownClouds])]

/**
 * The cloud that a name means, regardless of letter case and punctuation: its own name, the name of its file, its name in another tool, or a
 * name that these resemble. A short word resembles a valid name only.
 */
function cloudOfName(name: string, valid: readonly string[]): CloudFile | undefined {
  const bare = (text: string) => text.toLowerCase().replace(/^platform-|[^a-z0-9]/g, '')
  const wanted = bare(name.slice(0, 64))
  const known = allClouds.flatMap((cloud) => {
    const file = Object.keys(knownFiles).find((each) => knownFiles[each] === cloud)
    const names = [cloud.name, file ?? cloud.name, ...Object.values(cloud.toolNames ?? {})]
    return names.map((each) => ({ name: each, cloud }))
  })
  const similar =
    nearestName(name.trim(), valid) ??
    (wanted.length < 8
      ? undefined
      : nearestName(
          name,
          known.map((each) => each.name),
        ))
  return (known.find((each) => bare(each.name) === wanted) ?? known.find((each) => each.name === similar))?.cloud
}
