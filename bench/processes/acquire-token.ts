import type { TokenCredential } from '@azure/identity'

/** The time of a first token. */
export interface FirstToken {
  /** Milliseconds. */
  readonly duration: number
  /** Milliseconds of processor time of all threads in this time. */
  readonly cpuTime: number
}

/** Measures from before the credential is made until its first token has arrived. Includes the OpenID configuration. */
export async function acquireToken(create: () => TokenCredential): Promise<FirstToken> {
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  const token = await create().getToken(process.env['BENCH_SCOPE'] ?? '')
  const duration = performance.now() - started
  const { user, system } = process.cpuUsage(cpuBefore)
  if (token === null || token.token === '') throw new Error('There is no token')
  return { duration, cpuTime: (user + system) / 1000 }
}

/** Tokens of one measurement from a cache, because a single token takes microseconds. */
export const tokensInARound = 1000

/** Measures tokens from the cache of the credential, after a first call that fills it. */
export async function readCachedTokens(credential: TokenCredential): Promise<FirstToken> {
  await acquireToken(() => credential)
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  for (let left = tokensInARound; left > 0; left--) await credential.getToken(process.env['BENCH_SCOPE'] ?? '')
  const { user, system } = process.cpuUsage(cpuBefore)
  return { duration: performance.now() - started, cpuTime: (user + system) / 1000 }
}
