import { showValue } from '../base/printable.ts'
import type { AbortSignalLike } from '../base/waiting.ts'
import { argumentError } from '../errors.ts'

/** A token and its expiry. */
export interface AccessToken {
  readonly token: string
  /** Milliseconds since the epoch. */
  readonly expiresOnTimestamp: number
  /** Milliseconds since the epoch from which the token should be renewed. */
  readonly refreshAfterTimestamp?: number
  readonly tokenType?: 'Bearer' | 'pop'
}

/** Options of one call. */
export interface GetTokenOptions {
  /** Ends the waiting of this call (`TOKEN_CANCELLED`; its cause is the reason of the signal). Other callers still get their token. */
  readonly abortSignal?: AbortSignalLike
  /**
   * The tenant of a challenge, as SDKs pass it. A tenant other than the credential's is refused (`ARGUMENT_INVALID`), except with
   * platformCli; a domain name is not compared with a GUID.
   */
  readonly tenantId?: string
  /** Claims that a service demanded. They need a new token, which replaces the cached one. */
  readonly claims?: string
  /** Whether the caller handles continuous access evaluation. Its tokens are cached apart from others. */
  readonly enableCae?: boolean
  /** For the credential library, which traces its requests. */
  readonly tracingOptions?: object
}

/** The `TokenCredential` of `@azure/core-auth`, declared here so that an application needs no types of it. `getToken` never returns null. */
export interface TokenCredential {
  /**
   * Gets a token.
   *
   * - Deadline: the `timeoutMs` of the credential. `abortSignal` ends the waiting of one call at once.
   * - Cache: one token for each scope. It is renewed in the background, at the latest at the refresh time that the login authority names, or
   *   else 5 minutes before its expiry. Some processes renew earlier, so that a fleet does not renew at once. While no renewal succeeds, the
   *   token is returned until it expires.
   * - Calls at the same time share one attempt. A failure is not cached.
   *
   * @param scopes An audience followed by `.default`; of several, the first. Anything else is refused (`ARGUMENT_INVALID`).
   * @throws {ServiceError} whose code says why there is no token.
   */
  getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken>
}

/** A credential such as one of `@azure/identity`. Its tokens are passed on unchanged. Without one (`null`), `getToken` fails (`ARGUMENT_INVALID`). */
export interface ApplicationCredential {
  getToken(
    scopes: string | string[],
    options?: GetTokenOptions,
  ): Promise<Pick<AccessToken, 'token' | 'expiresOnTimestamp'> | null>
}

/** Wraps the credential of an application, so that it never returns null. */
export function requireTokens(given: ApplicationCredential): TokenCredential {
  return {
    async getToken(scopes, options) {
      const token = await given.getToken(scopes, options)
      if (token !== null) return token
      const message = `options.credential returned no token for ${showValue(scopes)}`
      throw argumentError({ message, fix: 'Correct the credential that options.credential passes.' })
    },
  }
}
