import type { CloudProfile } from '../lib/profile/cloud-profile.ts'

/** The fields of a profile for a service, and their names in the exports for languages. */
export interface ProfileField {
  readonly host?: string
  readonly audience?: string
  /** The names in the exports, in the words of TypeScript. The other languages follow by their rules of writing. */
  readonly exportedHost?: string
  readonly exportedAudience?: string
}

export const profileFields: Readonly<Record<string, ProfileField>> = {
  login: { host: 'authorityHost', exportedHost: 'authorityHost' },
  'resource-manager': {
    host: 'resourceManagerEndpoint',
    audience: 'resourceManagerAudience',
    exportedHost: 'resourceManagerEndpoint',
    exportedAudience: 'resourceManagerScope',
  },
  portal: { host: 'portalUrl' },
  gallery: { host: 'services.gallery.url' },
  storage: {
    host: 'serviceDnsSuffixes.storage',
    audience: 'serviceAudiences.storage',
    exportedHost: 'storageSuffix',
    exportedAudience: 'storageScope',
  },
  'key-vault': {
    host: 'serviceDnsSuffixes.keyVault',
    audience: 'serviceAudiences.keyVault',
    exportedHost: 'keyVaultSuffix',
    exportedAudience: 'keyVaultScope',
  },
  sql: { host: 'serviceDnsSuffixes.sqlServer', exportedHost: 'sqlServerSuffix' },
  'container-registry': {
    host: 'serviceDnsSuffixes.containerRegistry',
    audience: 'services.containerRegistry.audience',
    exportedHost: 'containerRegistrySuffix',
  },
  'microsoft-graph': { host: 'services.microsoftGraph.url' },
  'directory-graph': { host: 'services.directoryGraph.url' },
  batch: { audience: 'services.batch.audience' },
  'log-analytics': { host: 'services.logAnalytics.url' },
  'application-insights': { host: 'services.applicationInsights.url' },
  'open-source-databases': { audience: 'services.postgresql.audience' },
  'data-lake-gen1': { audience: 'services.dataLake.audience' },
}

/** The field of a profile that holds the value, if one does. */
export function fieldOf(service: string, isAudience: boolean): string | undefined {
  const fields = Object.hasOwn(profileFields, service) ? profileFields[service] : undefined
  return isAudience ? (fields?.audience ?? fields?.host) : fields?.host
}

/** The value of a field by its dotted path. */
export function valueOfField(profile: CloudProfile, field: string): string | undefined {
  let value: unknown = profile
  for (const key of field.split('.')) value = (value as Readonly<Record<string, unknown>> | undefined)?.[key]
  return typeof value === 'string' ? value : undefined
}
