import type { Env } from '../../base/env.ts'
import type { Secret } from '../../base/secret.ts'
import { ServiceError } from '../../errors.ts'
import { identityOffer, type Injected, readIdentityVariables } from '../../settings/credential-values.ts'
import { createEgressPolicy } from '../../transport/egress.ts'
import type { BasePlan, CredentialBackend, Mode, ModeTools } from './mode.ts'

export interface ManagedIdentitySettings {
  readonly mode: 'managedIdentity'
  /** Client id of a user-assigned identity. Default is the system-assigned identity. */
  readonly clientId?: string | undefined
}

/** The credential requests its tokens from an endpoint of the host, not from a login authority. */
export interface Identity {
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
  const named = [identityEndpoint, msiEndpoint, imdsEndpoint, podIdentityHost].flatMap((value) => value ?? [])
  const valid = named.filter((value) => URL.canParse(value))
  return valid.length > 0 ? valid : defaultEndpoints
}

export const managedIdentity: Mode<ManagedIdentitySettings, Identity> = {
  credential: 'ManagedIdentityCredential',
  use: 'hosted apps and virtual machines',
  needs: 'nothing; `PLATFORM_CLIENT_ID` for a user-assigned identity',
  keys: { clientId: 'optional' },
  configured: (settings) => identityOffer(settings) !== undefined,
  plan(_cloud, { clientId, injected, identityVariables: variables }) {
    const egress = createEgressPolicy({ IDENTITY_ENDPOINT: identityEndpoints(injected) })
    return { egress, ...(variables && { variables }), ...(clientId === undefined ? {} : { clientId }) }
  },
  build: identityBackend,
  failure: { code: 'MANAGED_IDENTITY_UNAVAILABLE', message: 'This host gave no managed identity token' },
}

/** Fault: the library keeps the endpoint of the first credential for the life of the process, and its network client too. */
let endpointsInUse: string | undefined

/** Uses msal-node. Fault: if a cluster injects a federated token, `ManagedIdentityCredential` signs in to the public authority by another client. */
function identityBackend(
  { egress, variables, clientId }: BasePlan & Identity,
  { library, processEnv }: ModeTools,
): CredentialBackend {
  if (processEnv !== undefined) refuseOtherVariables(variables?.reveal() ?? {}, readIdentityVariables(processEnv))
  const endpoints = [...egress.origins.keys()].join(' ')
  endpointsInUse ??= endpoints
  if (endpointsInUse !== endpoints) {
    const message = `This process already requests its identity from ${endpointsInUse}, so it cannot use ${endpoints} too`
    throw new ServiceError('MANAGED_IDENTITY_ENDPOINT_FIXED', message)
  }
  const application = new library.ManagedIdentityApplication({
    ...(clientId === undefined ? {} : { managedIdentityIdParams: { userAssignedClientId: clientId } }),
    system: { disableInternalRetries: true, ...library.msalSystem() },
  })
  return {
    async getToken(scope) {
      // Without `/.default`, and so without the final slash of the audience, as in the identity library.
      const resource = scope.replace(/\/\.default$/, '')
      // Fault: the library caches tokens for the process.
      return library.tokenOf(await application.acquireToken({ resource, forceRefresh: true }))
    },
  }
}

/** Fault: the library reads the variables of the process, also for a plan from another environment. */
function refuseOtherVariables(own: Env, ofProcess: Env): void {
  const different = Object.keys({ ...ofProcess, ...own }).filter((name) => ofProcess[name] !== own[name])
  if (different.length === 0) return
  const message = `The environment of the credential has another value of ${different.join(', ')} than the process, and the credential library reads only the variables of the process`
  throw new ServiceError('MANAGED_IDENTITY_ENDPOINT_FIXED', message)
}
