import { overrideVariables } from '../../src/lib/profile/field-path.ts'

/** A value each override variable may have, other than every built-in's. */
export const overrideValues = {
  PLATFORM_AUTHORITY_HOST: 'https://login.override.example/',
  PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://arm.override.example/',
  PLATFORM_RESOURCE_MANAGER_AUDIENCE: 'https://audience.override.example/',
  PLATFORM_ARM_AUDIENCE: 'https://alias.override.example/',
  PLATFORM_STORAGE_DNS_SUFFIX: '.blob.override.example',
  PLATFORM_KEYVAULT_DNS_SUFFIX: '.vault.override.example',
  PLATFORM_SQL_DNS_SUFFIX: '.sql.override.example',
  PLATFORM_ACR_DNS_SUFFIX: '.acr.override.example',
  PLATFORM_STORAGE_AUDIENCE: 'https://storage.override.example/',
  PLATFORM_KEYVAULT_AUDIENCE: 'https://vault.override.example/',
  PLATFORM_TENANT_ID: 'override.example',
} as const

export const overrides = Object.entries(overrideVariables).map(([variable, path]) => ({
  variable,
  path,
  value: overrideValues[variable as keyof typeof overrideValues],
}))
