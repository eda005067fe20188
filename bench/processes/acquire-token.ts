import type { TokenCredential } from '@azure/identity'

/** The time of a first token. */
export interface FirstToken {
  /** Milliseconds. */
  readonly duration: number
  /** Bytes of resident memory after the token. */
  readonly residentMemory: number
}

/** Measures from before the credential is made until its first token has arrived. Includes the OpenID configuration. */
export async function acquireToken(create: () => TokenCredential): Promise<FirstToken> {
  const started = performance.now()
  const token = await create().getToken(process.env['BENCH_SCOPE'] ?? '')
  const duration = performance.now() - started
  if (token === null || token.token === '') throw new Error('There is no token')
  return { duration, residentMemory: process.memoryUsage.rss() }
}

/** Tokens of one measurement from a cache, because a single token takes microseconds. */
export const tokensInARound = 1000

/** Measures tokens from the cache of the credential, after a first call that fills it. */
export async function readCachedTokens(credential: TokenCredential): Promise<FirstToken> {
  await acquireToken(() => credential)
  const started = performance.now()
  for (let left = tokensInARound; left > 0; left--) await credential.getToken(process.env['BENCH_SCOPE'] ?? '')
  return { duration: performance.now() - started, residentMemory: process.memoryUsage.rss() }
}
