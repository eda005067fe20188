import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineRequest,
  type PipelineResponse,
} from '@azure/core-rest-pipeline'
import type { NetworkRole } from '../../errors.ts'
import { toRequestError } from '../../transport/request-error.ts'
import { NetworkError } from '../../transport/network-error.ts'
import { readBoundedText } from '../../transport/read-bounded-text.ts'
import { createProxiedClient } from '../../transport/send-proxied.ts'
import type { SharedDocuments } from '../../transport/shared-documents.ts'

export interface HostQuestion {
  readonly role: NetworkRole
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly proxy?: URL | undefined
  readonly signal: AbortSignal
  /** Shares the response among concurrent requests for it. */
  readonly documents?: SharedDocuments | undefined
}

const maxBytes = 1024 * 1024

/**
 * One GET without credentials, on a new connection, never repeated or redirected. Any status is a result: unlike the client of credentials,
 * a probe reports an unexpected status.
 *
 * @throws {NetworkError} if there is no response, or the proxy responded instead.
 */
export async function askHost(question: HostQuestion): Promise<PipelineResponse> {
  const { role, url, headers = {}, proxy, signal, documents } = question
  const proxied = createProxiedClient(createDefaultHttpClient(), {})
  const send = async (abortSignal: AbortSignal): Promise<PipelineResponse> => {
    const request = createPipelineRequest({
      url: url.href,
      headers: createHttpHeaders({ accept: 'application/json', ...headers }),
      allowInsecureConnection: url.protocol === 'http:',
      abortSignal,
      // Every status as a stream, which is read with a limit.
      streamResponseStatusCodes: new Set([Number.POSITIVE_INFINITY]),
      disableKeepAlive: true,
    })
    try {
      const { readableStreamBody, ...response } = await proxied.send(request, { role, proxy })
      const bodyAsText =
        readableStreamBody === undefined ? '' : await readBoundedText(readableStreamBody, maxBytes, abortSignal)
      return { ...response, bodyAsText }
    } catch (error) {
      throw describe(error, abortSignal.aborted)
    }
  }
  const describe = (error: unknown, aborted: boolean) => toRequestError(error, { role, url, aborted })
  try {
    const response = await (documents === undefined ? send(signal) : documents.share(url, signal, send))
    if (response.status === 407) {
      throw new NetworkError(role, 'PROXY_FAILED', `The proxy for ${url.host} requires a user name and password (407)`)
    }
    return response
  } catch (error) {
    throw describe(error, signal.aborted)
  }
}
