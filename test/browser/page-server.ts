import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PageInput } from '../../src/page/page.ts'
import { renderPage } from '../../src/page/page.ts'

/** A loopback server that shows one page at a time. */
export interface PageServer {
  readonly url: string
  /** Method and address of every request, oldest first. */
  readonly requests: string[]
  /**
   * What `/` responds from now on; of several pages each in turn, as processes behind a load balancer. With `undefined` every route
   * responds 503.
   *
   * @param options `slow` leaves polls without a response, as a run does that takes as long as a token attempt; the health route responds.
   */
  show(input: PageInput | readonly PageInput[] | undefined, options?: { readonly slow?: boolean }): void
  close(): Promise<void>
}

export async function servePage(): Promise<PageServer> {
  let shown: readonly PageInput[] = []
  let turn = 0
  let slow = false
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname
    if (path === '/empty') return response.end()
    const input = shown[turn % shown.length]
    if (input === undefined) return response.writeHead(503).end()
    if (path === '/api/health') {
      return response.setHeader('content-type', 'application/health+json').end('{"status":"pass","checks":{}}')
    }
    const known = request.headers['if-none-match']
    if (slow && known !== undefined) return undefined
    turn += 1
    const page = renderPage(input)
    if (known?.split(', ').includes(page.headers['etag'] ?? '')) return response.writeHead(304, page.headers).end()
    return response.writeHead(path === '/' ? 200 : 404, page.headers).end(page.html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    show(input, options = {}) {
      shown = input === undefined ? [] : [input].flat()
      turn = 0
      slow = options.slow ?? false
      requests.length = 0
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
