import { ServiceError } from '../errors.ts'
import { readVariable, type Env } from '../profile/overrides.ts'
import { showValue } from '../profile/show-value.ts'

/** How this workload proves who it is: the values of AUTH_MODE. */
export const authModes = [
  'managedIdentity',
  'workloadIdentity',
  'platformCli',
  'deviceCode',
  'clientSecret',
  'clientCertificate',
  'usernamePassword',
  'default',
] as const

export type AuthMode = (typeof authModes)[number]

/** Variables that a host with a managed identity sets: App Service, Service Fabric and Arc, Cloud Shell. */
const identityHostVariables = ['IDENTITY_ENDPOINT', 'MSI_ENDPOINT', 'WEBSITE_INSTANCE_ID'] as const

/** Whether this host says that it offers an identity endpoint. */
export function offersManagedIdentity(env: Env): boolean {
  return identityHostVariables.some((name) => readVariable(env, name) !== undefined)
}

/** The first of our own variable and the one a cluster's webhook injects. */
export function readWorkloadVariable(
  env: Env,
  name: 'TENANT_ID' | 'CLIENT_ID' | 'FEDERATED_TOKEN_FILE',
): string | undefined {
  return readVariable(env, `PLATFORM_${name}`) ?? readVariable(env, `AZURE_${name}`)
}

/** The tenant that the variables name for a mode. */
export function readTenant(mode: AuthMode, env: Env): string | undefined {
  return mode === 'workloadIdentity' ? readWorkloadVariable(env, 'TENANT_ID') : readVariable(env, 'PLATFORM_TENANT_ID')
}

/**
 * The mode in force: AUTH_MODE, else what the environment offers: a federated token, an identity endpoint, or the
 * command-line tool of a developer.
 *
 * @throws {ServiceError} `SETTING_INVALID` when AUTH_MODE is none of {@link authModes}.
 */
export function resolveAuthMode(env: Env): AuthMode {
  const asked = readVariable(env, 'AUTH_MODE')
  if (asked !== undefined) {
    const mode = authModes.find((known) => known === asked.trim())
    if (mode !== undefined) return mode
    throw new ServiceError(
      'SETTING_INVALID',
      `AUTH_MODE must be one of ${authModes.join(', ')}, but is ${showValue(asked)}`,
    )
  }
  const federated = (['FEDERATED_TOKEN_FILE', 'CLIENT_ID', 'TENANT_ID'] as const).every(
    (name) => readWorkloadVariable(env, name) !== undefined,
  )
  if (federated) return 'workloadIdentity'
  return offersManagedIdentity(env) ? 'managedIdentity' : 'platformCli'
}
