import { ServiceError } from '../errors.ts'
import type { Source } from './modes/mode.ts'
import type { AccessToken } from './token-credential.ts'

/** Milliseconds from now that no token's end lies beyond, a hundred years: a date of it may not even exist. */
const longestLifetimeMs = 36_525 * 86_400_000

/** A token that everything further on can take for granted. @throws {ServiceError} `TOKEN_RESPONSE_INVALID`. */
export function requireUsable(found: Awaited<ReturnType<Source['getToken']>>): AccessToken {
  if (found === null || found.token === '') throw invalid('returned no token')
  const { token, expiresOnTimestamp, refreshAfterTimestamp } = found
  if (!(expiresOnTimestamp >= 0 && expiresOnTimestamp <= Date.now() + longestLifetimeMs)) {
    throw invalid('returned a token with an odd end')
  }
  const refresh = refreshAfterTimestamp === undefined ? {} : { refreshAfterTimestamp }
  return { token, expiresOnTimestamp, ...refresh, tokenType: 'Bearer' }
}

function invalid(what: string): ServiceError {
  return new ServiceError('TOKEN_RESPONSE_INVALID', `The credential ${what}`)
}
