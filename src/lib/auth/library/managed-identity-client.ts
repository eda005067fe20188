import type { Env } from '../../base/env.ts'
import { ServiceError } from '../../errors.ts'
import { readIdentityVariables } from '../../settings/credential-values.ts'
import type * as library from './credential-library.ts'
import { msalSystem, tokenOf } from './msal-network.ts'

interface ClientOptions {
  readonly library: typeof library
  readonly userAssignedClientId?: string | undefined
  /** The origins of the identity endpoints. */
  readonly endpoints: string
  /** The variables of the identity in the environment of the plan. */
  readonly variables: Env
  /** `process.env`; the plan may have been built from other variables. */
  readonly processEnv?: Env | undefined
}

/** Fault: the library keeps the endpoint of the first credential for the life of the process, and its network client too. */
let endpointsInUse: string | undefined

/**
 * Requests tokens from msal-node. Fault: if a cluster injects a federated token, `ManagedIdentityCredential` becomes a workload identity with
 * another HTTP client and the public authority.
 */
export function managedIdentityBackend(options: ClientOptions) {
  const { library, userAssignedClientId, endpoints, variables, processEnv } = options
  if (processEnv !== undefined) refuseOtherVariables(variables, readIdentityVariables(processEnv))
  endpointsInUse ??= endpoints
  if (endpointsInUse !== endpoints) {
    const message = `This process already requests its identity from ${endpointsInUse}, so it cannot use ${endpoints} too`
    throw new ServiceError('MANAGED_IDENTITY_ENDPOINT_FIXED', message)
  }
  const application = new library.ManagedIdentityApplication({
    ...(userAssignedClientId === undefined ? {} : { managedIdentityIdParams: { userAssignedClientId } }),
    system: { disableInternalRetries: true, ...msalSystem(library) },
  })
  return {
    async getToken(scope: string) {
      // Without `/.default`, and so without the final slash of the audience, as in the identity library.
      const resource = scope.replace(/\/\.default$/, '')
      // Fault: the library caches tokens for the process.
      return tokenOf(await application.acquireToken({ resource, forceRefresh: true }))
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
