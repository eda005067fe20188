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

/** Options of one call. A call with any of them makes an attempt of its own. */
export interface GetTokenOptions {
  /** Cancels the attempt. */
  readonly abortSignal?: AbortSignalLike
  /** Another tenant than the one of the plan. */
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
   * @param scopes An audience followed by `.default`; of several, the first.
   * @throws {ServiceError} whose code says why there is no token.
   */
  getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken>
}
