import type { Apps } from './apps.ts'
import { compareThroughput, connections, requestsInARound, startServer } from './load.ts'
import type { Row } from './row.ts'

const rounds = 25

/** Requests to `/api/profile` against a hello-world function, each with a separate emulator. */
export async function benchThroughput({ ours, hello, helloSameSize }: Apps): Promise<Row[]> {
  const servers = await Promise.all([ours, hello, helloSameSize].map((app) => startServer('./emulator.ts', app)))
  const [profileServer, helloServer, sameSizeServer] = servers
  if (!profileServer || !helloServer || !sameSizeServer) throw new RangeError('A server is missing')
  try {
    const { profile, plain, sameSize } = await compareThroughput(rounds, {
      profile: { server: profileServer, path: '/api/profile' },
      plain: { server: helloServer, path: '/api/hello' },
      sameSize: { server: sameSizeServer, path: '/api/hello' },
    })
    const busy = `${Math.round(profile.busy * 100)} % and ${Math.round(plain.busy * 100)} %`
    const note =
      `${rounds} rounds of ${requestsInARound} requests on ${connections} connections in turns, after warm-up. ` +
      `/api/profile and hello-world kept a processor busy for ${busy} of the time.`
    const perSecond = (reference: string, value: number, rest: Partial<Row>): Row => ({
      measure: '/api/profile',
      value: profile.requestsPerSecond,
      unit: 'requests/s',
      reference: { name: reference, value },
      n: rounds,
      ...rest,
    })
    return [
      perSecond('hello-world', plain.requestsPerSecond, { target: { atLeast: 0.95 }, note }),
      perSecond('hello-world with a body of the same size', sameSize.requestsPerSecond, {}),
      {
        measure: '/api/profile: processor time of a request',
        value: profile.cpuTime,
        unit: 'µs',
        reference: { name: 'hello-world', value: plain.cpuTime },
        n: rounds,
      },
    ]
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}
