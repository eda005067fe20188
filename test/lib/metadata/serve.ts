import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, vi } from 'vitest'

/**
 * Serves answers on loopback, one server per call, closed after each test. A proxy of the machine's environment must
 * not come between.
 */
export function useServers(): { serve: (listener: RequestListener) => Promise<string> } {
  const servers: Server[] = []
  beforeEach(() => {
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']) {
      vi.stubEnv(name, undefined)
    }
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await Promise.all(
      servers.splice(0).map(async (server) => {
        const closed = new Promise((resolve) => server.close(resolve))
        server.closeAllConnections()
        await closed
      }),
    )
  })
  return {
    async serve(listener) {
      const server = createServer(listener)
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
  }
}
