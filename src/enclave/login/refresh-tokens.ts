import { randomBytes } from 'node:crypto'
import type { Principal } from '../directory.ts'
import { LoginError } from './login-error.ts'

export type RefreshTokens = ReturnType<typeof createRefreshTokens>

/** Refresh tokens, each valid for any number of uses. */
export function createRefreshTokens() {
  const principals = new Map<string, Principal>()
  return {
    issue: (principal: Principal): string => {
      const token = randomBytes(64).toString('base64url')
      principals.set(token, principal)
      return token
    },
    /** @throws {LoginError} 70000 for an unknown token or another client's. */
    redeem: (token: string, clientId: string): Principal => {
      const principal = principals.get(token)
      if (principal === undefined || principal.clientId !== clientId) throw new LoginError(70000)
      return principal
    },
  }
}
