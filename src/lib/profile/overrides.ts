import type { FieldPath } from './field-path.ts'

/** Environment variables by name. A blank value counts as unset everywhere. */
export type Env = Readonly<Record<string, string | undefined>>

/** The value of a variable, or `undefined` when it is unset or blank. */
export function readVariable(env: Env, name: string): string | undefined {
  const value = env[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

/**
 * Which variable replaces which field. Of two variables for one field the first one set wins.
 * serviceAudiences.arm has none on purpose.
 */
export const overrideVariables = {
  PLATFORM_AUTHORITY_HOST: 'authorityHost',
  PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'resourceManagerEndpoint',
  PLATFORM_RESOURCE_MANAGER_AUDIENCE: 'resourceManagerAudience',
  PLATFORM_ARM_AUDIENCE: 'resourceManagerAudience',
  PLATFORM_STORAGE_DNS_SUFFIX: 'serviceDnsSuffixes.storage',
  PLATFORM_KEYVAULT_DNS_SUFFIX: 'serviceDnsSuffixes.keyVault',
  PLATFORM_SQL_DNS_SUFFIX: 'serviceDnsSuffixes.sqlServer',
  PLATFORM_ACR_DNS_SUFFIX: 'serviceDnsSuffixes.containerRegistry',
  PLATFORM_STORAGE_AUDIENCE: 'serviceAudiences.storage',
  PLATFORM_KEYVAULT_AUDIENCE: 'serviceAudiences.keyVault',
  PLATFORM_TENANT_ID: 'tenantId',
} as const satisfies Readonly<Record<string, FieldPath>>

export type OverrideVariable = keyof typeof overrideVariables

/** A variable that is set, with the field it would replace. */
export interface Override {
  readonly variable: OverrideVariable
  readonly path: FieldPath
  readonly value: string
}

/** The override variables that are set, in the order of the table. */
export function findOverrides(env: Env): Override[] {
  return Object.entries(overrideVariables).flatMap(([variable, path]) => {
    const value = readVariable(env, variable)
    return value === undefined ? [] : [{ variable: variable as OverrideVariable, path, value }]
  })
}
