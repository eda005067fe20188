import { equalAuthorities } from '../clouds/equal-values.ts'
import { equalUrls } from '../base/address.ts'
import type { WholeCloudMetadata } from './cloud-metadata.ts'
import { isAudienceOf } from './audiences.ts'

/** Two versions of a cloud's metadata as one. */
export interface MergedMetadata {
  readonly metadata: WholeCloudMetadata
  /** The contradictions between the two. */
  readonly warnings: readonly string[]
}

/**
 * Joins the first version of a cloud's metadata with a newer one. The first decides where both speak, because it is what
 * this service asks; the newer one adds what the first lacks: the tenant, DNS suffixes, addresses, further audiences.
 * It alone names the resource manager. A login authority or a first audience that differs is a warning.
 */
export function mergeMetadata(
  first: WholeCloudMetadata,
  newer: WholeCloudMetadata,
  newerVersion: string,
): MergedMetadata {
  const [audience, ...others] = first.audiences
  const added = newer.audiences.filter((each) => !isAudienceOf(first, each))
  const warn = (field: string, ours: string, theirs: string) =>
    `The version ${newerVersion} of the metadata says ${theirs} for ${field}, the first version ${ours}, which is taken`
  return {
    metadata: {
      ...newer,
      ...first,
      resourceManagerEndpoint: newer.resourceManagerEndpoint,
      audiences: [audience, ...others, ...added],
      ...joined('dnsSuffixes', newer.dnsSuffixes, first.dnsSuffixes),
      ...joined('services', newer.services, first.services),
    },
    warnings: [
      ...(equalAuthorities(first.loginEndpoint, newer.loginEndpoint)
        ? []
        : [warn('the login authority', first.loginEndpoint, newer.loginEndpoint)]),
      ...(equalUrls(audience, newer.audiences[0]) ? [] : [warn('the first audience', audience, newer.audiences[0])]),
    ],
  }
}

function joined<Key extends 'dnsSuffixes' | 'services'>(
  key: Key,
  newer: WholeCloudMetadata[Key],
  first: WholeCloudMetadata[Key],
): Pick<WholeCloudMetadata, Key> | object {
  return newer === undefined && first === undefined ? {} : { [key]: { ...newer, ...first } }
}
