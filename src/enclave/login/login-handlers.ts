import { type Answer, type EnclaveRequest, json } from '../http/answer.ts'
import type { PathParameters } from '../http/route.ts'
import { showApprovalPage, takeDecision } from './approval-page.ts'
import { answerDeviceCodeRequest } from './device-code-endpoint.ts'
import type { LoginContext } from './login-context.ts'
import { LoginError, injectedError, loginErrorAnswer } from './login-error.ts'
import { openIdConfiguration } from './openid-configuration.ts'
import { answerTokenRequest } from './token-endpoint.ts'

export type LoginHandler = (request: EnclaveRequest, parameters: PathParameters) => Answer | Promise<Answer>

/** Names in the place of a tenant that stand for every tenant. */
export const tenantIndependent: ReadonlySet<string> = new Set(['common', 'organizations'])

export type LoginHandlers = ReturnType<typeof createLoginHandlers>

/** The handlers of a login authority; the two kinds of authority serve them at different paths. */
export function createLoginHandlers(options: LoginContext) {
  const { directory, deviceCodes, origin } = options
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
    deviceCode: guarded((request) => answerDeviceCodeRequest(request, options)),
    showApproval: (request: EnclaveRequest) => showApprovalPage(request, deviceCodes),
    takeDecision: (request: EnclaveRequest) => takeDecision(request, deviceCodes, origin),
    authorize: () => json(501, { error: 'unsupported', error_description: 'The enclave has no interactive sign-in.' }),
  }
}

/** Refuses an unknown tenant, and turns a refusal into its answer. */
function guard({ directory, federationService, now }: LoginContext): (handler: LoginHandler) => LoginHandler {
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
