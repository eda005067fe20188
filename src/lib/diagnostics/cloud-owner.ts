import { knownClouds } from '../clouds/known-clouds.ts'
import { ownerOf } from '../clouds/owner-of.ts'
import { builtInProfileNames } from '../clouds/known-clouds.ts'

/** A known cloud, as far as a fix names it. */
export interface ValueOwner {
  readonly name: string
  readonly displayName: string
  /** Whether PLATFORM_CLOUD takes its name. */
  readonly isSelectable: boolean
}

/** The known clouds that a URL, an audience or a suffix belongs to. */
export function ownersOf(value: string): readonly ValueOwner[] {
  const selectable: readonly string[] = builtInProfileNames
  return (ownerOf(value, knownClouds)?.clouds ?? []).map(({ name, displayName }) => ({
    name,
    displayName,
    isSelectable: selectable.includes(name),
  }))
}

/** The known cloud of a value, if the profile belongs to another one. @param own Values of the profile. */
export function otherCloudOf(value: string, own: readonly string[]): ValueOwner | undefined {
  const [owner, ...more] = ownersOf(value)
  const ours = new Set(own.flatMap((each) => ownersOf(each).map(({ name }) => name)))
  return owner === undefined || [owner, ...more].some(({ name }) => ours.has(name)) ? undefined : owner
}
