import {
  createHttpHeaders,
  createPipelineRequest,
  type HttpClient,
  type PipelineRequest,
} from '@azure/core-rest-pipeline'

/** An answer that needs no network, or an error in its place. */
export interface MemoryAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly error?: Error
}

/** Answers in memory: the first call with the first answer, and the last answer for all that follow. */
export function memoryClient(
  ...answers: readonly MemoryAnswer[]
): HttpClient & { readonly requests: PipelineRequest[] } {
  const requests: PipelineRequest[] = []
  return {
    requests,
    async sendRequest(request) {
      requests.push(request)
      const answer = answers[requests.length - 1] ?? answers.at(-1) ?? {}
      const { status = 200, headers = {}, body = {}, error } = answer
      if (error !== undefined) throw error
      const bodyAsText = typeof body === 'string' ? body : JSON.stringify(body)
      return { request, status, headers: createHttpHeaders({ ...headers }), bodyAsText }
    },
  }
}

export const requestOf = (url: string, headers: Readonly<Record<string, string>> = {}): PipelineRequest =>
  createPipelineRequest({ url, headers: createHttpHeaders({ ...headers }), allowInsecureConnection: true })

/** An error as Node makes it. */
export const nodeError = (code: string): Error => Object.assign(new Error(`a text with hunter2 of ${code}`), { code })
