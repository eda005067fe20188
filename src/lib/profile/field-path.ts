/** Every leaf of a profile as a dotted path, in the order people read them. */
export const fieldPaths = [
  'name',
  'displayName',
  'environment',
  'authorityHost',
  'resourceManagerEndpoint',
  'resourceManagerAudience',
  'tenantId',
  'portalUrl',
  'metadataEndpoint',
  'serviceDnsSuffixes.storage',
  'serviceDnsSuffixes.keyVault',
  'serviceDnsSuffixes.sqlServer',
  'serviceDnsSuffixes.containerRegistry',
  'serviceAudiences.arm',
  'serviceAudiences.storage',
  'serviceAudiences.keyVault',
  'notes',
] as const

export type FieldPath = (typeof fieldPaths)[number]

/** The value at a dotted path of any JSON document; `undefined` when a step is missing or no object. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** A copy of the document with one leaf replaced. The document itself is left alone. */
export function withValueAt<T extends object>(document: T, path: FieldPath, value: string): T {
  const [first = path, second] = path.split('.')
  if (second === undefined) return { ...document, [first]: value }
  const group = (document as Record<string, unknown>)[first]
  return { ...document, [first]: { ...(group as object), [second]: value } }
}
