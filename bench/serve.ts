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
    const reference = 'bare node:http server, same bytes'
    const measure = `cloud-profile serve: ${path}`
    const busy = `${Math.round(serve.busy * 100)} % and ${Math.round(bare.busy * 100)} %`
    return [
      {
        measure,
        value: serve.requestsPerSecond,
        unit: 'requests/s',
        reference: { name: reference, value: bare.requestsPerSecond },
        target: { atLeast: 0.65 },
        n: rounds,
        note:
          `${rounds} rounds of ${requestsInARound} requests on ${connections} connections in turns, after warm-up. ` +
          `The two kept a processor busy for ${busy} of the time.`,
      },
      {
        measure: `${measure}: processor time of a request`,
        value: serve.cpuTime,
        unit: 'µs',
        reference: { name: reference, value: bare.cpuTime },
        n: rounds,
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
