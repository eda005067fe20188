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

/**
 * A copy of the document with one leaf replaced. A missing group is made; a document or group that is no object stays
 * as it is, for validation to refuse. The document itself is left alone.
 */
export function withValueAt<T>(document: T, path: FieldPath, value: string): T {
  if (!isObject(document)) return document
  const [first = path, second] = path.split('.')
  if (second === undefined) return { ...document, [first]: value }
  const { [first]: group = {} } = document
  return isObject(group) ? { ...document, [first]: { ...group, [second]: value } } : document
}

/** Whether a JSON value is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
