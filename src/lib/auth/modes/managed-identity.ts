import type { Env } from '../../base/env.ts'
import type { Secret } from '../../base/secret.ts'
import { offersManagedIdentity, type Injected } from '../../settings/credential-values.ts'
import { createEgressPolicy } from '../../transport/egress.ts'
import { managedIdentityBackend } from '../library/managed-identity-client.ts'
import type { BasePlan, Mode } from './mode.ts'

export interface ManagedIdentitySettings {
  readonly mode: 'managedIdentity'
  /** Client id of a user-assigned identity. Default is the system-assigned identity. */
  readonly clientId?: string | undefined
}

/** The credential requests its tokens from an endpoint of the host, not from a login authority. */
export interface ManagedIdentityPlan extends BasePlan {
  readonly mode: 'managedIdentity'
  /** A user-assigned identity; absent for the system-assigned one. */
  readonly clientId?: string
  /** The variables of the identity in the environment of the plan. */
  readonly variables?: Secret<Env>
}

/** The link-local metadata service of a virtual machine, and the agent of a server that Azure Arc manages. */
const defaultEndpoints = ['http://169.254.169.254/', 'http://127.0.0.1:40342/'] as const

/** The endpoints of managed identities: those that the host names, or else the two well-known local services. */
export function identityEndpoints(injected: Injected): readonly string[] {
  const { identityEndpoint, msiEndpoint, imdsEndpoint, podIdentityHost } = injected
  const named = [identityEndpoint, msiEndpoint, imdsEndpoint, podIdentityHost].filter(
    (value): value is string => value !== undefined && URL.canParse(value),
  )
  return named.length > 0 ? named : defaultEndpoints
}

export const managedIdentity: Mode<ManagedIdentitySettings, ManagedIdentityPlan> = {
  credential: 'ManagedIdentityCredential',
  use: 'hosted apps and virtual machines',
  needs: 'nothing; `PLATFORM_CLIENT_ID` for a user-assigned identity',
  keys: { clientId: 'optional' },
  configured: offersManagedIdentity,
  plan(_cloud, { clientId, injected, identityVariables: variables }) {
    const egress = createEgressPolicy({ IDENTITY_ENDPOINT: identityEndpoints(injected) })
    return { egress, ...(variables && { variables }), ...(clientId === undefined ? {} : { clientId }) }
  },
  build({ egress, variables, clientId: userAssignedClientId }, { library, processEnv }) {
    const endpoints = [...egress.origins.keys()].join(' ')
    const identity = { endpoints, variables: variables?.reveal() ?? {} }
    return managedIdentityBackend({ library, userAssignedClientId, ...identity, processEnv })
  },
  variables: ({ clientId }) => ({
    ...(clientId === undefined ? {} : { AZURE_CLIENT_ID: clientId, ARM_CLIENT_ID: clientId }),
    ARM_USE_MSI: 'true',
  }),
  failure: { code: 'MANAGED_IDENTITY_UNAVAILABLE', message: 'This host gave no managed identity token' },
}
