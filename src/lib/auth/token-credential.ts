import type { AbortSignalLike } from '../transport/attempt.ts'

/** A token and its expiry. */
export interface AccessToken {
  readonly token: string
  /** Milliseconds since the epoch. */
  readonly expiresOnTimestamp: number
  /** Milliseconds since the epoch from which the token should be renewed. */
  readonly refreshAfterTimestamp?: number
  readonly tokenType?: 'Bearer'
}

/** Options of one call. A call with any of them makes a separate attempt. */
export interface GetTokenOptions {
  /** Cancels the attempt. */
  readonly abortSignal?: AbortSignalLike
  /**
   * The tenant of a challenge, as SDKs pass it. A tenant other than that of the credential is refused (`ARGUMENT_INVALID`), except with
   * platformCli; a domain name is not compared with a GUID.
   */
  readonly tenantId?: string
  /** Claims that a service demanded. */
  readonly claims?: string
}

/**
 * A credential for the SDKs (`TokenCredential` of `@azure/core-auth`), declared here so that an application needs no types of the credential
 * library to compile. `getToken` never returns null.
 */
export interface TokenCredential {
  /**
   * Gets a token.
   *
   * - Deadline: the `timeoutMs` of the credential. `abortSignal` cancels the attempt at once (`TOKEN_CANCELLED`).
   * - Cache: the credential returns the same token until 5 minutes before its expiry, or until the refresh time that the login authority
   *   names. A token that is valid for less than 5 minutes is not cached, nor is one of platformCli: each call runs the tool.
   * - Calls at the same time share one attempt, except calls with `abortSignal`, `tenantId` or `claims`. A failure is not cached.
   *
   * @param scopes An audience followed by `.default`; of several, the first. Anything else is refused (`ARGUMENT_INVALID`).
   * @throws {ServiceError} whose code says why there is no token.
   */
  getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken>
}
