import { createHttpHeaders, createPipelineRequest, type PipelineResponse } from '@azure/core-rest-pipeline'
import { exchange, type ExchangeOptions } from '../../transport/exchange.ts'

export interface HostQuestion extends Pick<ExchangeOptions, 'role' | 'proxy' | 'signal' | 'documents'> {
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * One GET without credentials, on a new connection, never repeated or redirected. Any status is a result: unlike the client of credentials,
 * a probe reports an unexpected status.
 *
 * @throws {NetworkError} if there is no response, or the proxy responded instead.
 */
export async function askHost({ url, headers = {}, ...options }: HostQuestion): Promise<PipelineResponse> {
  const request = createPipelineRequest({
    url: url.href,
    headers: createHttpHeaders({ accept: 'application/json', ...headers }),
    allowInsecureConnection: url.protocol === 'http:',
    disableKeepAlive: true,
  })
  return exchange(request, options)
}
