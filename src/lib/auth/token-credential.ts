import type { AbortSignalLike } from '../transport/attempt.ts'

/** A token, and when it ends. */
export interface AccessToken {
  readonly token: string
  /** Milliseconds since the epoch. */
  readonly expiresOnTimestamp: number
  /** Milliseconds since the epoch from which a new one is worth asking for. */
  readonly refreshAfterTimestamp?: number
  readonly tokenType?: 'Bearer'
}

/** What a caller may ask for besides a scope. Whoever brings one of these gets an attempt of their own. */
export interface GetTokenOptions {
  /** Ends the attempt. */
  readonly abortSignal?: AbortSignalLike
  /** Another tenant than the one of the plan. */
  readonly tenantId?: string
  /** Claims that a service demanded. */
  readonly claims?: string
}

/**
 * What the SDKs of the ecosystem take as a credential (`TokenCredential` of `@azure/core-auth`), in our own words: an application needs no
 * types of the credential library to compile, and `getToken` never answers null.
 */
export interface TokenCredential {
  /**
   * @param scopes An audience followed by `.default`; of several, the first.
   * @throws {ServiceError} whose code says why there is no token.
   */
  getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken>
}
