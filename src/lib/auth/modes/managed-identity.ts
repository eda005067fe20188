import type { HttpClient, HttpMethods } from '@azure/core-rest-pipeline'
import type { INetworkModule, NetworkRequestOptions } from '@azure/msal-node'
import { ServiceError } from '../../errors.ts'
import { createEgressPolicy } from '../../transport/egress.ts'
import { offersManagedIdentity } from '../detect-auth-mode.ts'
import { identityEndpoints } from '../identity-endpoints.ts'
import type { BasePlan, Mode, ModeTools } from './mode.ts'

/** Exempt from authority and instance discovery: it asks an endpoint of its host. */
export interface ManagedIdentityPlan extends BasePlan {
  readonly mode: 'managedIdentity'
  /** A user-assigned identity; absent for the system-assigned one. */
  readonly clientId?: string
}

/**
 * The endpoints of the first credential of this kind. The library keeps the source of identities, with the client it sends by, for the life
 * of the process: a second credential with other endpoints would ask those of the first.
 */
let endpointsInUse: string | undefined

export const managedIdentity: Mode<ManagedIdentityPlan> = {
  credential: 'ManagedIdentityCredential',
  use: 'hosted apps and virtual machines',
  needs: 'nothing; `PLATFORM_CLIENT_ID` for a user-assigned identity',
  configured: offersManagedIdentity,
  plan(_profile, { clientId, injected }) {
    const egress = createEgressPolicy({ IDENTITY_ENDPOINT: identityEndpoints(injected) })
    return { egress, ...(clientId === undefined ? {} : { clientId }) }
  },
  // The credential of the identity library turns into a workload identity, with a client of its own and without our authority, where a
  // cluster injects a federated token. So it is the library beneath it that is asked.
  build({ egress, clientId: userAssignedClientId }, { library, httpClient }) {
    const endpoints = [...egress.origins.keys()].join(' ')
    endpointsInUse ??= endpoints
    if (endpointsInUse !== endpoints) {
      const message = `This process already asks ${endpointsInUse} for its identity, so it cannot ask ${endpoints} too`
      throw new ServiceError('MANAGED_IDENTITY_UNAVAILABLE', message)
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
        networkClient: networkOf(httpClient, library),
        loggerOptions: { loggerCallback },
      },
    })
    // What the library keeps, it keeps for the process: a new credential asks once for itself.
    const asked = new Set<string>()
    return {
      async getToken(scope) {
        const request = { resource: resourceOf(scope), forceRefresh: !asked.has(scope) }
        const { accessToken: token, expiresOn, refreshOn } = await application.acquireToken(request)
        asked.add(scope)
        const refresh = refreshOn === undefined ? {} : { refreshAfterTimestamp: refreshOn.getTime() }
        return { token, expiresOnTimestamp: expiresOn?.getTime() ?? Number.NaN, ...refresh }
      },
    }
  },
  failure: { code: 'MANAGED_IDENTITY_UNAVAILABLE', message: 'This host gave no managed identity token' },
}

/** As the identity library asks: without `/.default`, and so without the final slash of the audience. */
function resourceOf(scope: string): string {
  return scope.replace(/\/\.default$/, '')
}

/** Our guarded client, as the library beneath takes one. */
function networkOf(httpClient: HttpClient, library: ModeTools['library']): INetworkModule {
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
    const response = await pipeline.sendRequest(httpClient, request)
    // The library names the type of the body; what it may be was judged when it came in.
    const body: never = JSON.parse(response.bodyAsText ?? '') as never
    return { status: response.status, headers: response.headers.toJSON(), body }
  }
  return {
    sendGetRequestAsync: (url, options) => send('GET', url, options),
    sendPostRequestAsync: (url, options) => send('POST', url, options),
  }
}
