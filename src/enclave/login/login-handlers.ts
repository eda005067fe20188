import type { Directory } from '../directory.ts'
import type { FaultBoard } from '../faults/fault-board.ts'
import { type Answer, type EnclaveRequest, json } from '../http/answer.ts'
import type { PathParameters } from '../http/route.ts'
import type { SigningKey } from '../keys.ts'
import { showApprovalPage, takeDecision } from './approval-page.ts'
import type { VerifyAssertion } from './client-assertion.ts'
import { answerDeviceCodeRequest } from './device-code-endpoint.ts'
import type { DeviceCodes } from './device-codes.ts'
import type { LoginAddresses } from './login-addresses.ts'
import { LoginError, injectedError, loginErrorAnswer } from './login-error.ts'
import { openIdConfiguration } from './openid-configuration.ts'
import type { RefreshTokens } from './refresh-tokens.ts'
import { answerTokenRequest } from './token-endpoint.ts'
import type { TokenIssuer } from './token-issuer.ts'

export interface LoginAuthorityOptions {
  readonly origin: string
  readonly addresses: LoginAddresses
  readonly directory: Directory
  readonly federationService: boolean
  readonly issuer: TokenIssuer
  readonly key: SigningKey
  readonly verifyAssertion: VerifyAssertion
  readonly deviceCodes: DeviceCodes
  readonly refreshTokens: RefreshTokens
  readonly faults: FaultBoard
  readonly foreignOrigin: string
  readonly now: () => number
}

export type LoginHandler = (request: EnclaveRequest, parameters: PathParameters) => Answer | Promise<Answer>

/** Documents and flows that need no tenant of their own. */
const tenantIndependent = new Set(['common', 'organizations'])

export type LoginHandlers = ReturnType<typeof createLoginHandlers>

/** What a login authority does, apart from the paths at which it does it. */
export function createLoginHandlers(options: LoginAuthorityOptions) {
  const { addresses, directory, deviceCodes, origin } = options
  const guarded = guard(options)
  return {
    openIdConfiguration: guarded((_, { tenant = directory.tenantId }) => {
      const injected = options.faults.find('aadsts', 'login/openid-configuration')
      if (injected) throw injectedError(injected)
      const issuerTenant = tenantIndependent.has(tenant) ? '{tenantid}' : directory.tenantId
      return json(200, openIdConfiguration({ ...options, tenant, issuerTenant }))
    }),
    keys: guarded(() => json(200, { keys: [options.key.publicJwk] })),
    token: guarded((request) => answerTokenRequest(request, options)),
    deviceCode: guarded((request) =>
      answerDeviceCodeRequest(request, { ...options, approvalPage: addresses.approvalPage }),
    ),
    showApproval: (request: EnclaveRequest) => showApprovalPage(request, deviceCodes),
    takeDecision: (request: EnclaveRequest) => takeDecision(request, deviceCodes, origin),
    authorize: () => json(501, { error: 'unsupported', error_description: 'The enclave has no interactive sign-in.' }),
  }
}

/** Refuses an unknown tenant, and turns a refusal into its answer. */
function guard({ directory, federationService, now }: LoginAuthorityOptions): (handler: LoginHandler) => LoginHandler {
  return (handler) => async (request, parameters) => {
    try {
      const { tenant } = parameters
      if (tenant !== undefined && !tenantIndependent.has(tenant) && !directory.isTenant(tenant)) {
        throw new LoginError(90002, `Tenant: '${tenant}'.`)
      }
      return await handler(request, parameters)
    } catch (error) {
      if (!(error instanceof LoginError)) throw error
      const id = request.headers['client-request-id']
      const correlationId = typeof id === 'string' ? id : undefined
      return loginErrorAnswer(error, { federationService, now, correlationId })
    }
  }
}
