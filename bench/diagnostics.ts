import { join } from 'node:path'
import { startEnclave, writeEnclaveFiles } from 'cloud-profile-enclave/enclave'
import type { Apps } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { compareThroughput, connections, requestsInARound, startServer, type Server } from './load.ts'
import type { Row } from './row.ts'

const rounds = 25

/** `/api/diagnostics` with a cached token against `/api/profile`, of a service that uses an enclave. */
export async function benchDiagnostics({ ours, directory }: Apps): Promise<Row[]> {
  const enclave = await startEnclave()
  const files = await writeEnclaveFiles(enclave, join(directory, 'enclave'))
  try {
    const server = await startServer(
      './emulator.ts',
      ours,
      cleanEnvironment(enclave.environment('clientSecret', files)),
    )
    try {
      await expectToken(server)
      const { diagnostics, profile } = await compareThroughput(rounds, {
        diagnostics: { server, path: '/api/diagnostics' },
        profile: { server, path: '/api/profile' },
      })
      await expectToken(server)
      return [
        {
          measure: '/api/diagnostics with a cached token: processor time of a request',
          value: diagnostics.cpuTime,
          unit: 'µs',
          reference: { name: '/api/profile', value: profile.cpuTime },
          atMost: 2,
          n: rounds,
          note:
            `${rounds} rounds of ${requestsInARound} requests on ${connections} connections in turns, after warm-up, ` +
            'with a client secret against the enclave.',
        },
      ]
    } finally {
      await server.stop()
    }
  } finally {
    await enclave.close()
  }
}

/** A report about a failed token request would be fast too. */
async function expectToken({ url }: Server): Promise<void> {
  const report = (await (await fetch(`${url}/api/diagnostics`)).json()) as {
    readonly token: { readonly status: string }
  }
  if (report.token.status !== 'acquired') throw new Error(`There is no token: ${JSON.stringify(report.token)}`)
}
