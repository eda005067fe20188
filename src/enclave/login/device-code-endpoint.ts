import type { Directory } from '../directory.ts'
import type { FaultBoard } from '../faults/fault-board.ts'
import { type Answer, type EnclaveRequest, formOf, json } from '../http/answer.ts'
import { authenticateClient } from './client-authentication.ts'
import type { VerifyAssertion } from './client-assertion.ts'
import type { DeviceCodes } from './device-codes.ts'
import { injectedError } from './login-error.ts'
import { requestedResource } from './requested-resource.ts'

export interface DeviceCodeEndpointOptions {
  readonly directory: Directory
  readonly verifyAssertion: VerifyAssertion
  readonly deviceCodes: DeviceCodes
  readonly approvalPage: string
  readonly faults: FaultBoard
}

/**
 * Answers one POST to the device code endpoint.
 *
 * @throws {LoginError} For a client or scope that may not sign in.
 */
export async function answerDeviceCodeRequest(
  request: EnclaveRequest,
  options: DeviceCodeEndpointOptions,
): Promise<Answer> {
  const { directory, verifyAssertion, deviceCodes, approvalPage, faults } = options
  const injected = faults.find('aadsts', 'login/device-code')
  if (injected) throw injectedError(injected)

  const form = formOf(request)
  const clientId = await authenticateClient(form, 'public', directory, verifyAssertion)
  const { userCode, deviceCode, lifetimeSeconds, intervalSeconds } = deviceCodes.start(
    clientId,
    requestedResource(form, directory),
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
