/** The fields of a profile that a fix may change. Services that a cloud lists beside the required ones have a field each. */
export type ChangeableField =
  | 'authorityHost'
  | 'resourceManagerEndpoint'
  | 'resourceManagerAudience'
  | 'metadataEndpoint'
  | 'tenantId'
  | `serviceDnsSuffixes.${'storage' | 'keyVault' | 'sqlServer' | 'containerRegistry'}`
  | `serviceAudiences.${'arm' | 'storage' | 'keyVault'}`
  | `services.${string}`

/** The one thing that a fix sets: an environment variable, or a field of a profile file. */
export type Change =
  | { readonly variable: string; readonly value?: string }
  | { readonly field: ChangeableField; readonly file: string; readonly value?: string }

/** The variable that overrides a field in a built-in profile. */
const variables: Readonly<Partial<Record<ChangeableField, string>>> = {
  authorityHost: 'PLATFORM_AUTHORITY_HOST',
  resourceManagerEndpoint: 'PLATFORM_RESOURCE_MANAGER_ENDPOINT',
  resourceManagerAudience: 'PLATFORM_RESOURCE_MANAGER_AUDIENCE',
  tenantId: 'PLATFORM_TENANT_ID',
  'serviceDnsSuffixes.storage': 'PLATFORM_STORAGE_DNS_SUFFIX',
  'serviceDnsSuffixes.keyVault': 'PLATFORM_KEYVAULT_DNS_SUFFIX',
  'serviceDnsSuffixes.sqlServer': 'PLATFORM_SQL_DNS_SUFFIX',
  'serviceDnsSuffixes.containerRegistry': 'PLATFORM_ACR_DNS_SUFFIX',
  'serviceAudiences.storage': 'PLATFORM_STORAGE_AUDIENCE',
  'serviceAudiences.keyVault': 'PLATFORM_KEYVAULT_AUDIENCE',
}

/** The file of the profile in force, if overrides have no effect on it. */
export interface SettingsInForce {
  /** The custom profile file; absent for a built-in profile. */
  readonly file?: string | undefined
  /** Whether the override variables apply: to a built-in, and to a file if PLATFORM_OVERRIDE_CUSTOM_PROFILE is true. */
  readonly overridesApply: boolean
}

/** The name of a field as the reader can change it. Without settings, with its variable in parentheses, as documents show it. */
export function nameOfField(field: ChangeableField, settings?: SettingsInForce): string {
  if (settings === undefined && field !== 'tenantId') {
    const variable = variables[field]
    return variable === undefined ? `${field} of the profile` : `${field} (${variable})`
  }
  const change = changeOfField(field, settings)
  if (change === undefined) return `\`${field}\` in a custom profile file (CUSTOM_CLOUD_PROFILE_PATH)`
  return 'variable' in change ? change.variable : `\`${field}\` in ${change.file}`
}

/** The tenant is a setting of the credential too, so its variable always has an effect. */
export function changeOfField(
  field: ChangeableField,
  { file, overridesApply }: SettingsInForce = { overridesApply: true },
  value?: string,
): Change | undefined {
  const variable = variables[field]
  const set = value === undefined ? {} : { value }
  if (variable !== undefined && (overridesApply || field === 'tenantId')) return { variable, ...set }
  return file === undefined ? undefined : { field, file, ...set }
}
