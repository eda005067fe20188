import { ServiceError } from '../errors.ts'
import type { CredentialBackend } from './modes/mode.ts'
import type { AccessToken } from './token-credential.ts'

/** Milliseconds from now that no token is valid for, a hundred years: a later date may not be representable. */
const longestLifetimeMs = 36_525 * 86_400_000

/** @returns A token with a valid expiry. @throws {ServiceError} `TOKEN_RESPONSE_INVALID`. */
export function requireUsable(found: Awaited<ReturnType<CredentialBackend['getToken']>>): AccessToken {
  if (found === null || found.token === '') throw invalid('returned no token')
  const { token, expiresOnTimestamp, refreshAfterTimestamp } = found
  if (!(expiresOnTimestamp >= 0 && expiresOnTimestamp <= Date.now() + longestLifetimeMs)) {
    throw invalid('returned a token with an invalid expiry')
  }
  const refresh = refreshAfterTimestamp === undefined ? {} : { refreshAfterTimestamp }
  return { token, expiresOnTimestamp, ...refresh, tokenType: 'Bearer' }
}

function invalid(what: string): ServiceError {
  return new ServiceError('TOKEN_RESPONSE_INVALID', `The credential ${what}`)
}
