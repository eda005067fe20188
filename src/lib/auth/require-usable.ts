import { ServiceError } from '../errors.ts'
import { maxTokenLifetime } from '../transport/login-responses.ts'
import type { CredentialBackend } from './modes/mode.ts'
import type { AccessToken } from './token-credential.ts'

/** @returns A token with a valid expiry. @throws {ServiceError} `TOKEN_RESPONSE_INVALID`. */
export function requireUsable(found: Awaited<ReturnType<CredentialBackend['getToken']>>): AccessToken {
  if (found === null || found.token === '') throw invalid('returned no token')
  const { token, expiresOnTimestamp, refreshAfterTimestamp } = found
  if (!(expiresOnTimestamp >= 0 && expiresOnTimestamp <= Date.now() + maxTokenLifetime * 1000)) {
    throw invalid('returned a token with an invalid expiry')
  }
  const refresh = refreshAfterTimestamp === undefined ? {} : { refreshAfterTimestamp }
  return { token, expiresOnTimestamp, ...refresh, tokenType: 'Bearer' }
}

function invalid(what: string): ServiceError {
  return new ServiceError('TOKEN_RESPONSE_INVALID', `The credential ${what}`)
}
