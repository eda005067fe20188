import type { HttpMethods } from '@azure/core-rest-pipeline'
import type { AuthenticationResult, INetworkModule, NetworkRequestOptions } from '@azure/msal-node'
import type * as library from './credential-library.ts'

/** The log and the network of a client of msal-node. They belong to the attempt that uses the client. */
export function msalSystem({ createHttpHeaders, createPipelineRequest, ...others }: typeof library) {
  // The name that the identity library logs under. Lines with personal data are left out.
  const logger = others.createClientLogger('identity:msal')
  const loggerCallback = (_level: unknown, message: string, isPersonal: boolean) => {
    if (!isPersonal) logger.info(message)
  }
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
    const response = await pipeline.sendRequest(others.clientOfAttempt, request)
    // The transport has checked the body.
    const body: never = JSON.parse(response.bodyAsText ?? '') as never
    return { status: response.status, headers: response.headers.toJSON(), body }
  }
  const networkClient: INetworkModule = {
    sendGetRequestAsync: (url, options) => send('GET', url, options),
    sendPostRequestAsync: (url, options) => send('POST', url, options),
  }
  return { networkClient, loggerOptions: { loggerCallback } }
}

/** The token in a result of msal-node. */
export function tokenOf({ accessToken: token, expiresOn, refreshOn }: AuthenticationResult) {
  const refresh = refreshOn === undefined ? {} : { refreshAfterTimestamp: refreshOn.getTime() }
  return { token, expiresOnTimestamp: expiresOn?.getTime() ?? Number.NaN, ...refresh }
}
