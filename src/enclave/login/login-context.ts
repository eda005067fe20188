import type { Directory } from '../directory.ts'
import type { FaultBoard } from '../faults/fault-board.ts'
import type { SigningKey } from '../keys.ts'
import type { VerifyAssertion } from './client-assertion.ts'
import type { DeviceCodes } from './device-codes.ts'
import type { LoginAddresses } from './login-addresses.ts'
import type { RefreshTokens } from './refresh-tokens.ts'
import type { TokenIssuer } from './token-issuer.ts'

/** The state that all endpoints of the login authority share. */
export interface LoginContext {
  readonly origin: string
  readonly addresses: LoginAddresses
  readonly directory: Directory
  readonly federationService: boolean
  /** Whether instance discovery describes this authority. */
  readonly discovery: boolean
  readonly issuer: TokenIssuer
  readonly key: SigningKey
  readonly verifyAssertion: VerifyAssertion
  readonly deviceCodes: DeviceCodes
  readonly refreshTokens: RefreshTokens
  readonly faults: FaultBoard
  readonly foreignOrigin: string
  /** Whether the answered scope is normalized. */
  readonly lenient: boolean
  readonly now: () => number
}
