import { type Answer, type EnclaveRequest, formOf, json } from '../http/answer.ts'
import { authenticateClient } from './client-authentication.ts'
import type { LoginContext } from './login-context.ts'
import { injectedError } from './login-error.ts'
import { requestedResource } from './requested-resource.ts'

/**
 * Answers one POST to the device code endpoint.
 *
 * @throws {LoginError} For a client or scope that may not sign in.
 */
export async function answerDeviceCodeRequest(request: EnclaveRequest, options: LoginContext): Promise<Answer> {
  const { addresses, directory, verifyAssertion, deviceCodes, faults } = options
  const { approvalPage } = addresses
  const injected = faults.find('aadsts', 'login/device-code')
  if (injected) throw injectedError(injected)

  const form = formOf(request)
  const clientId = await authenticateClient(form, 'public', directory, verifyAssertion)
  const { userCode, deviceCode, lifetimeSeconds, intervalSeconds } = deviceCodes.start(
    clientId,
    requestedResource(form, options),
  )
  return json(200, {
    user_code: userCode,
    device_code: deviceCode,
    verification_uri: approvalPage,
    verification_uri_complete: `${approvalPage}?user_code=${userCode}`,
    expires_in: lifetimeSeconds,
    interval: intervalSeconds,
    message: `To sign in, open ${approvalPage} in a web browser and enter the code ${userCode}.`,
  })
}
