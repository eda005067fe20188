import { randomBytes } from 'node:crypto'
import type { Principal } from '../directory.ts'
import { LoginError } from './login-error.ts'

/** Refresh tokens, each valid for any number of uses. */
export interface RefreshTokens {
  issue(principal: Principal): string
  /** @throws {LoginError} 70000 for an unknown token or another client's. */
  redeem(token: string, clientId: string): Principal
}

export function createRefreshTokens(): RefreshTokens {
  const principals = new Map<string, Principal>()
  return {
    issue: (principal) => {
      const token = randomBytes(64).toString('base64url')
      principals.set(token, principal)
      return token
    },
    redeem: (token, clientId) => {
      const principal = principals.get(token)
      if (principal === undefined || principal.clientId !== clientId) throw new LoginError(70000)
      return principal
    },
  }
}
