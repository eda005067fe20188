import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import {
  createDefaultHttpClient,
  createEmptyPipeline,
  createHttpHeaders,
  createPipelineRequest,
  proxyPolicy,
  type PipelineResponse,
} from '@azure/core-rest-pipeline'
import type { NetworkRole } from '../../errors.ts'
import { describeFailure } from '../../transport/describe-failure.ts'
import { NetworkError } from '../../transport/network-error.ts'
import { readBoundedText } from '../../transport/read-bounded-text.ts'
import type { DocumentShare } from '../../transport/document-share.ts'
import { hostnameOf } from './connect.ts'

export interface HostQuestion {
  readonly role: NetworkRole
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly proxy?: URL | undefined
  readonly signal: AbortSignal
  /** Shares the answer with whoever else asks for it now. */
  readonly documents?: DocumentShare | undefined
}

const maxBytes = 1024 * 1024

/**
 * One GET without credentials, on a connection of its own, never repeated and never redirected. Any status is an answer:
 * unlike the client of credentials, a probe wants to look at the one that is wrong.
 *
 * @throws {NetworkError} when there is no answer, or the proxy's instead.
 */
export async function askHost(question: HostQuestion): Promise<PipelineResponse> {
  const { role, url, headers = {}, proxy, signal, documents } = question
  const pipeline = createEmptyPipeline()
  if (proxy !== undefined) pipeline.addPolicy(proxyPolicy(settingsOf(proxy), { customNoProxyList: [] }))
  const Agent = url.protocol === 'http:' ? HttpAgent : HttpsAgent
  const request = createPipelineRequest({
    url: url.href,
    headers: createHttpHeaders({ accept: 'application/json', ...headers }),
    allowInsecureConnection: url.protocol === 'http:',
    abortSignal: signal,
    // Every status as a stream, which is read with a limit.
    streamResponseStatusCodes: new Set([Number.POSITIVE_INFINITY]),
    // The library connects to an IPv6 address with its brackets, which nothing resolves.
    requestOverrides: { hostname: hostnameOf(url) },
    ...(proxy === undefined ? { agent: new Agent({ keepAlive: false }) } : {}),
  })
  const describe = (error: unknown) =>
    describeFailure(error, { role, url, aborted: signal.aborted, proxied: proxy !== undefined })
  const send = async (): Promise<PipelineResponse> => {
    try {
      const { readableStreamBody, ...response } = await pipeline.sendRequest(createDefaultHttpClient(), request)
      const bodyAsText =
        readableStreamBody === undefined ? '' : await readBoundedText(readableStreamBody, maxBytes, signal)
      return { ...response, bodyAsText }
    } catch (error) {
      // Described here, for whoever shares the document knows nothing of the signal that ended it.
      throw describe(error)
    }
  }
  try {
    const response = await (documents === undefined ? send() : documents.get(url.href, send))
    if (response.status === 407) {
      throw new NetworkError(role, 'PROXY_FAILED', `The proxy on the way to ${url.host} wants a user name and password`)
    }
    return response
  } catch (error) {
    throw describe(error)
  }
}

function settingsOf(proxy: URL) {
  const { protocol, hostname, port, username, password } = proxy
  const defaultPort = protocol === 'https:' ? 443 : 80
  return { host: `${protocol}//${hostname}`, port: port === '' ? defaultPort : Number(port), username, password }
}
