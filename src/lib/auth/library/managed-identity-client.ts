import { AsyncLocalStorage } from 'node:async_hooks'
import type { HttpClient, HttpMethods } from '@azure/core-rest-pipeline'
import type { INetworkModule, NetworkRequestOptions } from '@azure/msal-node'
import type { Env } from '../../base/env.ts'
import { ServiceError } from '../../errors.ts'
import { readIdentityVariables } from '../../settings/credential-values.ts'
import type * as library from './credential-library.ts'

interface ClientOptions {
  readonly library: typeof library
  readonly httpClient: HttpClient
  readonly userAssignedClientId?: string | undefined
  /** The origins of the identity endpoints. */
  readonly endpoints: string
  /** The variables of the identity in the environment of the plan. */
  readonly variables: Env
  /** `process.env`; the plan may have been built from other variables. */
  readonly processEnv?: Env | undefined
}

/**
 * Fault: the library keeps the network client of the first credential for the life of the process. So this client forwards to the client of
 * each attempt.
 */
const clientInUse = new AsyncLocalStorage<HttpClient>()
/** Fault: the library keeps the endpoint of the first credential too. */
let endpointsInUse: string | undefined

/**
 * Requests tokens from msal-node. Fault: if a cluster injects a federated token, `ManagedIdentityCredential` becomes a workload identity with
 * another HTTP client and the public authority.
 */
export function managedIdentityBackend(options: ClientOptions) {
  const { library, httpClient, userAssignedClientId, endpoints, variables, processEnv } = options
  if (processEnv !== undefined) refuseOtherVariables(variables, readIdentityVariables(processEnv))
  endpointsInUse ??= endpoints
  if (endpointsInUse !== endpoints) {
    const message = `This process already requests its identity from ${endpointsInUse}, so it cannot use ${endpoints} too`
    throw new ServiceError('MANAGED_IDENTITY_ENDPOINT_FIXED', message)
  }
  const logger = library.createClientLogger('identity:msal')
  // The name that the identity library logs under. Lines with personal data are left out.
  const loggerCallback = (_level: unknown, message: string, isPersonal: boolean) => {
    if (!isPersonal) logger.info(message)
  }
  const application = new library.ManagedIdentityApplication({
    ...(userAssignedClientId === undefined ? {} : { managedIdentityIdParams: { userAssignedClientId } }),
    system: { disableInternalRetries: true, networkClient: networkOf(library), loggerOptions: { loggerCallback } },
  })
  return {
    async getToken(scope: string) {
      // Without `/.default`, and so without the final slash of the audience, as in the identity library.
      const resource = scope.replace(/\/\.default$/, '')
      // Fault: the library caches tokens for the process.
      const acquire = () => application.acquireToken({ resource, forceRefresh: true })
      const { accessToken: token, expiresOn, refreshOn } = await clientInUse.run(httpClient, acquire)
      const refresh = refreshOn === undefined ? {} : { refreshAfterTimestamp: refreshOn.getTime() }
      return { token, expiresOnTimestamp: expiresOn?.getTime() ?? Number.NaN, ...refresh }
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

/** Adapts the guarded client of the current attempt to msal-node. */
function networkOf({ createHttpHeaders, createPipelineRequest, ...others }: typeof library): INetworkModule {
  const pipeline = others.createEmptyPipeline()
  pipeline.addPolicy(others.logPolicy())
  const send = async (method: HttpMethods, url: string, { headers, body: sent }: NetworkRequestOptions = {}) => {
    const request = createPipelineRequest({
      url,
      method,
      headers: createHttpHeaders(headers),
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
