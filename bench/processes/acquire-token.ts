import type { TokenCredential } from '@azure/identity'

/** What one first token took. */
export interface FirstToken {
  /** Milliseconds. */
  readonly duration: number
  /** Milliseconds of processor time in the same span, of all threads. */
  readonly cpuTime: number
}

/** Times all from before the credential is made until it has its first token: OpenID configuration and token. */
export async function acquireToken(create: () => TokenCredential): Promise<FirstToken> {
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  const token = await create().getToken(process.env['BENCH_SCOPE'] ?? '')
  const duration = performance.now() - started
  const { user, system } = process.cpuUsage(cpuBefore)
  if (token === null || token.token === '') throw new Error('There is no token')
  return { duration, cpuTime: (user + system) / 1000 }
}
