import { ServiceError } from '../errors.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { placeholderFields } from '../profile/placeholders.ts'
import { createEgressPolicy, type EgressPolicy } from '../transport/egress.ts'
import type { AuthMode } from './auth-mode.ts'
import { createAuthority } from './authority.ts'
import { credentialNames, type CredentialPlan, type DefaultPlan } from './credential-plan.ts'
import type { CredentialSettings } from './credential-settings.ts'
import { offersManagedIdentity, workloadOf } from './detect-auth-mode.ts'
import { identityEndpoints } from './identity-endpoints.ts'
import { tenantOf } from './tenant.ts'

/**
 * Decides which credential this environment gets and from which values. Pure: nothing is read but its arguments.
 *
 * @throws {ServiceError} `CREDENTIAL_SETTING_MISSING` that names every missing variable of the mode in force.
 */
export function createCredentialPlan(profile: CloudProfile, settings: CredentialSettings): CredentialPlan {
  const { authMode: mode } = settings
  const { clientSecret, clientCertificatePath, clientCertificatePassword, username, password } = settings
  const base = {
    credential: credentialNames[mode],
    placeholders: placeholderFields(profile),
    egress: authorityEgress(profile, settings),
  }
  const tenant = { PLATFORM_TENANT_ID: tenantOf(profile, settings) }
  const application = { ...tenant, PLATFORM_CLIENT_ID: settings.clientId }
  const authority = (tenantId: string) => createAuthority(profile.authorityHost, tenantId)

  switch (mode) {
    case 'clientSecret': {
      const found = require(mode, { ...application, PLATFORM_CLIENT_SECRET: clientSecret })
      return {
        ...base,
        mode,
        clientId: found.PLATFORM_CLIENT_ID,
        authority: authority(found.PLATFORM_TENANT_ID),
        clientSecret: found.PLATFORM_CLIENT_SECRET,
      }
    }
    case 'clientCertificate': {
      const found = require(mode, { ...application, PLATFORM_CLIENT_CERTIFICATE_PATH: clientCertificatePath })
      return {
        ...base,
        mode,
        clientId: found.PLATFORM_CLIENT_ID,
        authority: authority(found.PLATFORM_TENANT_ID),
        certificatePath: found.PLATFORM_CLIENT_CERTIFICATE_PATH,
        ...(clientCertificatePassword && { certificatePassword: clientCertificatePassword }),
      }
    }
    case 'workloadIdentity': {
      const { clientId, tokenFilePath } = workloadOf(settings)
      const found = require(mode, {
        ...tenant,
        PLATFORM_CLIENT_ID: clientId,
        PLATFORM_FEDERATED_TOKEN_FILE: tokenFilePath,
      })
      return {
        ...base,
        mode,
        clientId: found.PLATFORM_CLIENT_ID,
        authority: authority(found.PLATFORM_TENANT_ID),
        tokenFilePath: found.PLATFORM_FEDERATED_TOKEN_FILE,
      }
    }
    case 'deviceCode': {
      const found = require(mode, application)
      return { ...base, mode, clientId: found.PLATFORM_CLIENT_ID, authority: authority(found.PLATFORM_TENANT_ID) }
    }
    case 'usernamePassword': {
      const found = require(mode, { ...application, PLATFORM_USERNAME: username, PLATFORM_PASSWORD: password })
      return {
        ...base,
        mode,
        clientId: found.PLATFORM_CLIENT_ID,
        authority: authority(found.PLATFORM_TENANT_ID),
        username: found.PLATFORM_USERNAME,
        password: found.PLATFORM_PASSWORD,
      }
    }
    case 'managedIdentity': {
      const { clientId } = settings
      const egress = createEgressPolicy({ IDENTITY_ENDPOINT: identityEndpoints(settings.injected) })
      return { ...base, egress, mode, ...(clientId && { clientId }) }
    }
    case 'platformCli': {
      const tenantId = settings.tenantId ?? profile.tenantId
      const { toolEnvironment: environment } = settings
      return { ...base, egress: createEgressPolicy({}), mode, environment, ...(tenantId && { tenantId }) }
    }
    case 'default':
      return { ...base, mode, chain: planChain(profile, settings) }
    default:
      return mode satisfies never
  }
}

/** The members of the default chain that this environment configures, in the order the library's own chain has. */
function planChain(profile: CloudProfile, settings: CredentialSettings): DefaultPlan['chain'] {
  const { clientSecret, clientCertificatePath, username, password } = settings
  const members: readonly (readonly [DefaultPlan['chain'][number]['mode'], boolean])[] = [
    ['clientSecret', clientSecret !== undefined],
    ['clientCertificate', clientCertificatePath !== undefined],
    ['usernamePassword', username !== undefined && password !== undefined],
    ['workloadIdentity', workloadOf(settings).tokenFilePath !== undefined],
    ['managedIdentity', offersManagedIdentity(settings)],
    ['platformCli', true],
  ]
  return members
    .filter(([, configured]) => configured)
    .map(([authMode]) => createCredentialPlan(profile, { ...settings, authMode }) as DefaultPlan['chain'][number])
}

function authorityEgress(profile: CloudProfile, { allowedTokenHosts }: CredentialSettings): EgressPolicy {
  return createEgressPolicy({ AUTHORITY: [profile.authorityHost] }, allowedTokenHosts)
}

/** The values of the variables that a mode requires; all missing ones are named at once. */
function require<T extends Readonly<Record<string, unknown>>>(
  mode: AuthMode,
  values: T,
): { readonly [K in keyof T]: Exclude<T[K], undefined> } {
  const missing = Object.keys(values).filter((name) => values[name] === undefined)
  if (missing.length === 0) return values as { readonly [K in keyof T]: Exclude<T[K], undefined> }
  throw new ServiceError(
    'CREDENTIAL_SETTING_MISSING',
    `AUTH_MODE ${mode} needs ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not set`,
  )
}
