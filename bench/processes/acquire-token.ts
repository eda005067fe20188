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

/** How many tokens one measurement reads from a cache: a single one takes microseconds. */
export const tokensInARound = 1000

/** Times tokens that the credential has in its cache; the first call fills it. */
export async function readCachedTokens(credential: TokenCredential): Promise<FirstToken> {
  await acquireToken(() => credential)
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  for (let left = tokensInARound; left > 0; left--) await credential.getToken(process.env['BENCH_SCOPE'] ?? '')
  const { user, system } = process.cpuUsage(cpuBefore)
  return { duration: performance.now() - started, cpuTime: (user + system) / 1000 }
}
