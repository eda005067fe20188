import { openEnclave } from '../src/cli/enclave-session.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { interleave, median } from './interleave.ts'
import { startChild } from './processes/child.ts'
import type { FirstToken, TokenJob } from './processes/first-token.ts'
import type { Row } from './row.ts'

const rounds = 200
const warmUp = 30

/** The first token of a fresh credential of ours against one of the bare library, from the same enclave. */
export async function benchFirstToken(): Promise<Row[]> {
  const { enclave, files, close } = await openEnclave()
  const child = startChild<TokenJob>(
    './first-token.ts',
    [],
    cleanEnvironment(enclave.environment('clientSecret', files)),
  )
  try {
    const measurements = {
      ours: () => child.ask<FirstToken>({ credential: 'ours' }),
      bare: () => child.ask<FirstToken>({ credential: 'bare' }),
    }
    await interleave(warmUp, measurements)
    const { ours, bare } = await interleave(rounds, measurements)
    const row = (measure: string, key: keyof FirstToken, rest: Partial<Row>): Row => ({
      measure,
      value: median(ours.map((each) => each[key])),
      unit: 'ms',
      reference: { name: 'bare library', value: median(bare.map((each) => each[key])) },
      n: rounds,
      ...rest,
    })
    return [
      row('first token from the enclave', 'duration', { target: { atMost: 1.1 }, note }),
      row('first token: processor time of the client', 'cpuTime', {}),
    ]
  } finally {
    await child.stop()
    await close()
  }
}

const note =
  `Fresh credentials in turns in one process, after ${warmUp} of each to warm up: a new connection with a full TLS handshake, ` +
  'the login document and the token, by client secret. The bare library gets a new HTTP client each time, as ours has.'
