import { ServiceError } from '../errors.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { readVariable, type Env } from '../profile/overrides.ts'
import { placeholderFields } from '../profile/placeholders.ts'
import { createEgressPolicy, type EgressPolicy } from '../transport/egress.ts'
import { offersManagedIdentity, readWorkloadVariable, resolveAuthMode, type AuthMode } from './auth-mode.ts'
import { createAuthority, isFederationService } from './authority.ts'
import { credentialNames, type CredentialPlan, type DefaultPlan } from './credential-plan.ts'
import { identityEndpoints } from './identity-endpoints.ts'
import { Secret } from './secret.ts'
import { readTokenHosts } from './token-hosts.ts'

/**
 * Decides which credential this environment gets and from which values. Pure: nothing is read but its arguments.
 *
 * @throws {ServiceError} `CREDENTIAL_SETTING_MISSING` that names every missing variable of the mode in force, or
 * `SETTING_INVALID`.
 */
export function createCredentialPlan(profile: CloudProfile, env: Env): CredentialPlan {
  return planFor(resolveAuthMode(env), profile, env)
}

function planFor(mode: AuthMode, profile: CloudProfile, env: Env): CredentialPlan {
  const wanted = new Wanted(mode, env)
  const placeholders = placeholderFields(profile)
  const credential = credentialNames[mode]
  const base = { credential, placeholders, egress: authorityEgress(profile, env) }
  const federated = isFederationService(new URL(profile.authorityHost).pathname)
  const fallbackTenant = profile.tenantId ?? (federated ? 'adfs' : undefined)
  const tenant = () => wanted.variable('PLATFORM_TENANT_ID', fallbackTenant)
  const client = () => wanted.variable('PLATFORM_CLIENT_ID')
  const authority = (tenantId: string) => createAuthority(profile.authorityHost, tenantId)

  switch (mode) {
    case 'clientSecret': {
      const found = { tenantId: tenant(), clientId: client(), clientSecret: wanted.variable('PLATFORM_CLIENT_SECRET') }
      wanted.check()
      const { tenantId, clientId, clientSecret } = found
      return { ...base, mode, clientId, authority: authority(tenantId), clientSecret: new Secret(clientSecret) }
    }
    case 'clientCertificate': {
      const found = {
        tenantId: tenant(),
        clientId: client(),
        path: wanted.variable('PLATFORM_CLIENT_CERTIFICATE_PATH'),
      }
      wanted.check()
      const password = readVariable(env, 'PLATFORM_CLIENT_CERTIFICATE_PASSWORD')
      const certificatePassword = password === undefined ? {} : { certificatePassword: new Secret(password) }
      const { tenantId, clientId, path } = found
      return { ...base, mode, clientId, authority: authority(tenantId), certificatePath: path, ...certificatePassword }
    }
    case 'workloadIdentity': {
      const found = {
        tenantId: wanted.variable('PLATFORM_TENANT_ID', readWorkloadVariable(env, 'TENANT_ID') ?? fallbackTenant),
        clientId: wanted.variable('PLATFORM_CLIENT_ID', readWorkloadVariable(env, 'CLIENT_ID')),
        tokenFilePath: wanted.variable(
          'PLATFORM_FEDERATED_TOKEN_FILE',
          readWorkloadVariable(env, 'FEDERATED_TOKEN_FILE'),
        ),
      }
      wanted.check()
      const { tenantId, clientId, tokenFilePath } = found
      return { ...base, mode, clientId, authority: authority(tenantId), tokenFilePath }
    }
    case 'deviceCode': {
      const found = { tenantId: tenant(), clientId: client() }
      wanted.check()
      return { ...base, mode, clientId: found.clientId, authority: authority(found.tenantId) }
    }
    case 'usernamePassword': {
      const found = { tenantId: tenant(), clientId: client(), username: wanted.variable('PLATFORM_USERNAME') }
      const password = wanted.variable('PLATFORM_PASSWORD')
      wanted.check()
      const { tenantId, clientId, username } = found
      return { ...base, mode, clientId, authority: authority(tenantId), username, password: new Secret(password) }
    }
    case 'managedIdentity': {
      const clientId = readVariable(env, 'PLATFORM_CLIENT_ID')
      const egress = createEgressPolicy({ IDENTITY_ENDPOINT: identityEndpoints(env) })
      return { credential, placeholders, egress, mode, ...(clientId === undefined ? {} : { clientId }) }
    }
    case 'platformCli': {
      const tenantId = readVariable(env, 'PLATFORM_TENANT_ID') ?? profile.tenantId
      return {
        credential,
        placeholders,
        egress: createEgressPolicy({}),
        mode,
        ...(tenantId === undefined ? {} : { tenantId }),
      }
    }
    case 'default':
      return { ...base, mode, chain: planChain(profile, env) }
    default:
      return mode satisfies never
  }
}

/** The members of the default chain that this environment configures, in the order the library's own chain has. */
function planChain(profile: CloudProfile, env: Env): DefaultPlan['chain'] {
  const isSet = (name: string) => readVariable(env, name) !== undefined
  const members: readonly (readonly [DefaultPlan['chain'][number]['mode'], boolean])[] = [
    ['clientSecret', isSet('PLATFORM_CLIENT_SECRET')],
    ['clientCertificate', isSet('PLATFORM_CLIENT_CERTIFICATE_PATH')],
    ['usernamePassword', isSet('PLATFORM_USERNAME') && isSet('PLATFORM_PASSWORD')],
    ['workloadIdentity', readWorkloadVariable(env, 'FEDERATED_TOKEN_FILE') !== undefined],
    ['managedIdentity', offersManagedIdentity(env)],
    ['platformCli', true],
  ]
  return members
    .filter(([, configured]) => configured)
    .map(([mode]) => planFor(mode, profile, env) as DefaultPlan['chain'][number])
}

function authorityEgress(profile: CloudProfile, env: Env): EgressPolicy {
  return createEgressPolicy({ AUTHORITY: [profile.authorityHost] }, readTokenHosts(env))
}

/** Collects the variables a mode requires, so that all missing ones are named at once. */
class Wanted {
  readonly #missing: string[] = []
  readonly #mode: AuthMode
  readonly #env: Env

  constructor(mode: AuthMode, env: Env) {
    this.#mode = mode
    this.#env = env
  }

  variable(name: string, fallback?: string): string {
    const value = readVariable(this.#env, name) ?? fallback
    if (value === undefined) this.#missing.push(name)
    return value ?? ''
  }

  check(): void {
    if (this.#missing.length === 0) return
    throw new ServiceError(
      'CREDENTIAL_SETTING_MISSING',
      `AUTH_MODE ${this.#mode} needs ${this.#missing.join(', ')}, which ${this.#missing.length === 1 ? 'is' : 'are'} not set`,
    )
  }
}
