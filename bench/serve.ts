import type { Apps } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { compareThroughput, connections, requestsInARound, startServer } from './load.ts'
import type { BareResponse } from './processes/bare-server.ts'
import type { Row } from './row.ts'

const rounds = 25
const path = '/api/profile'
const environment = { PLATFORM_CLOUD: 'platform-us-gov-secret', AUTH_MODE: 'clientSecret' }

/** `cloud-profile serve` against a bare node:http server that sends the same bytes. */
export async function benchServe({ packaged }: Apps): Promise<Row[]> {
  const served = await startServer('./packaged-server.ts', packaged, { ...cleanEnvironment(), ...environment })
  const response = JSON.stringify(await responseOf(served.url + path))
  const least = await startServer('./bare-server.ts', response)
  try {
    const targets = { serve: { server: served, path }, bare: { server: least, path } }
    const { serve, bare } = await compareThroughput(rounds, targets)
    return [
      {
        measure: `cloud-profile serve: processor time of a request to ${path}`,
        value: serve.cpuTime,
        unit: 'µs',
        reference: { name: 'bare node:http server, same bytes', value: bare.cpuTime },
        atMost: 1.5,
        n: rounds,
        note:
          `${rounds} rounds of ${requestsInARound} requests on ${connections} connections in turns, after warm-up. ` +
          'Requests in a second would show the limit of the client.',
      },
    ]
  } finally {
    await Promise.all([served.stop(), least.stop()])
  }
}

async function responseOf(url: string): Promise<BareResponse> {
  const response = await fetch(url)
  const nodeHeaders = new Set(['connection', 'date', 'keep-alive'])
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !nodeHeaders.has(name)))
  return { headers, body: await response.text() }
}
