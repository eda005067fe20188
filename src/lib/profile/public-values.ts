import { builtInDocuments, knownClouds } from '../clouds/known-clouds.ts'
import { type FieldPath } from './field-path.ts'
import { valueAt } from '../base/json.ts'

const publicDocument = builtInDocuments.find(({ environment }) => environment === 'public')
const otherDocuments = builtInDocuments.filter((document) => document !== publicDocument)

/** Other names of the hosts of the public cloud, each beside its own. */
const aliases: readonly (readonly string[])[] = knownClouds
  .map((cloud) => [hostOf(cloud.authorityHost), ...cloud.authorityAliases])
  .concat(knownClouds.map((cloud) => [cloud.resourceManagerEndpoint, ...cloud.audiences].map(hostOf)))

/**
 * Whether a value of a field is the public cloud's: the same host, by any of its names, or a suffix of the same domain.
 * A value that another known cloud has too says nothing; the storage audience is such a one. The key vault audience is
 * not, and is the one most often left in place.
 */
export function isPublicValue(path: FieldPath, value: string): boolean {
  const own = valueAt(publicDocument, path)
  if (typeof own !== 'string' || otherDocuments.some((document) => valueAt(document, path) === own)) return false
  if (own.startsWith('.')) return value.toLowerCase().endsWith(own.replace(/^\.blob\./, '.'))
  if (!URL.canParse(own) || !URL.canParse(value)) return false
  const host = hostOf(own)
  return host === hostOf(value) || aliases.some((names) => names.includes(host) && names.includes(hostOf(value)))
}

function hostOf(url: string): string {
  return new URL(url).hostname
}
