import { AsyncLocalStorage } from 'node:async_hooks'
import type { HttpClient, HttpMethods } from '@azure/core-rest-pipeline'
import type { INetworkModule, NetworkRequestOptions } from '@azure/msal-node'
import { ServiceError } from '../../errors.ts'
import type { Env } from '../../base/env.ts'
import { createEgressPolicy, type EgressPolicy } from '../../transport/egress.ts'
import { offersManagedIdentity, readIdentityVariables, readInjected } from '../../settings/credential-values.ts'
import { identityEndpoints } from '../identity-endpoints.ts'
import type { Secret } from '../../base/secret.ts'
import type { BasePlan, Mode, ModeTools } from './mode.ts'

/** Signs in to no authority: it asks an endpoint of its host. */
export interface ManagedIdentityPlan extends BasePlan {
  readonly mode: 'managedIdentity'
  /** A user-assigned identity; absent for the system-assigned one. */
  readonly clientId?: string
  /** The variables of the identity in the environment of the plan. */
  readonly variables?: Secret<Env>
}

/** The library keeps the network client of the first credential for the life of the process, so that one serves the client of each attempt. */
const clientInUse = new AsyncLocalStorage<HttpClient>()
/** The endpoints of the first credential, which the library keeps too. */
let endpointsInUse: string | undefined

export const managedIdentity: Mode<ManagedIdentityPlan> = {
  credential: 'ManagedIdentityCredential',
  use: 'hosted apps and virtual machines',
  needs: 'nothing; `PLATFORM_CLIENT_ID` for a user-assigned identity',
  configured: offersManagedIdentity,
  plan(_profile, { clientId, injected, identityVariables: variables }) {
    const egress = createEgressPolicy({ IDENTITY_ENDPOINT: identityEndpoints(injected) })
    return { egress, ...(variables && { variables }), ...(clientId === undefined ? {} : { clientId }) }
  },
  // If a cluster injects a federated token, ManagedIdentityCredential turns into a workload identity with its own HTTP client and the
  // public authority, so the library beneath it is used.
  build({ egress, variables, clientId: userAssignedClientId }, { library, httpClient, processEnv }) {
    const endpoints = listOf(egress)
    if (processEnv !== undefined) refuseOtherIdentity(endpoints, variables?.reveal() ?? {}, processEnv)
    endpointsInUse ??= endpoints
    if (endpointsInUse !== endpoints) {
      const message = `This process already requests its identity from ${endpointsInUse}, so it cannot request it from ${endpoints} too`
      throw new ServiceError('MANAGED_IDENTITY_ENDPOINT_FIXED', message)
    }
    const logger = library.createClientLogger('identity:msal')
    // The name that the identity library logs under. Lines with personal data are left out.
    const loggerCallback = (_level: unknown, message: string, isPersonal: boolean) => {
      if (!isPersonal) logger.info(message)
    }
    const application = new library.ManagedIdentityApplication({
      ...(userAssignedClientId === undefined ? {} : { managedIdentityIdParams: { userAssignedClientId } }),
      system: {
        disableInternalRetries: true,
        networkClient: networkOf(library),
        loggerOptions: { loggerCallback },
      },
    })
    return {
      async getToken(scope) {
        // The library caches tokens for the process.
        const request = { resource: resourceOf(scope), forceRefresh: true }
        const {
          accessToken: token,
          expiresOn,
          refreshOn,
        } = await clientInUse.run(httpClient, () => application.acquireToken(request))
        const refresh = refreshOn === undefined ? {} : { refreshAfterTimestamp: refreshOn.getTime() }
        return { token, expiresOnTimestamp: expiresOn?.getTime() ?? Number.NaN, ...refresh }
      },
    }
  },
  failure: { code: 'MANAGED_IDENTITY_UNAVAILABLE', message: 'This host gave no managed identity token' },
}

const listOf = ({ origins }: EgressPolicy): string => [...origins.keys()].join(' ')

/** The library reads the variables of the process, also for a plan from another environment. */
function refuseOtherIdentity(endpoints: string, variables: Env, processEnv: Env): void {
  const own = listOf(createEgressPolicy({ IDENTITY_ENDPOINT: identityEndpoints(readInjected(processEnv)) }))
  if (own === endpoints) {
    const ofProcess = readIdentityVariables(processEnv)
    const names = new Set([...Object.keys(ofProcess), ...Object.keys(variables)])
    const different = [...names].filter((name) => ofProcess[name] !== variables[name])
    if (different.length === 0) return
    const message = `The environment of the credential has another value of ${different.join(', ')} than the process, and the credential library reads only that of the process`
    throw new ServiceError('MANAGED_IDENTITY_ENDPOINT_FIXED', message)
  }
  const message = `The environment of the credential names the identity endpoint ${endpoints}, but that of the process names ${own}, and the credential library reads only that of the process`
  throw new ServiceError('MANAGED_IDENTITY_ENDPOINT_FIXED', message)
}

/** Without `/.default`, and so without the final slash of the audience, as in the identity library. */
function resourceOf(scope: string): string {
  return scope.replace(/\/\.default$/, '')
}

/** The guarded client of the current attempt as the library beneath takes it. */
function networkOf(library: ModeTools['library']): INetworkModule {
  const pipeline = library.createEmptyPipeline()
  pipeline.addPolicy(library.logPolicy())
  const send = async (method: HttpMethods, url: string, { headers, body: sent }: NetworkRequestOptions = {}) => {
    const request = library.createPipelineRequest({
      url,
      method,
      headers: library.createHttpHeaders(headers),
      allowInsecureConnection: true,
      ...(sent === undefined ? {} : { body: sent }),
    })
    const httpClient = clientInUse.getStore()
    if (httpClient === undefined) throw new ServiceError('UNEXPECTED', 'The request belongs to no attempt')
    const response = await pipeline.sendRequest(httpClient, request)
    // The transport has checked the body.
    const body: never = JSON.parse(response.bodyAsText ?? '') as never
    return { status: response.status, headers: response.headers.toJSON(), body }
  }
  return {
    sendGetRequestAsync: (url, options) => send('GET', url, options),
    sendPostRequestAsync: (url, options) => send('POST', url, options),
  }
}
