import { showValue } from '../../base/printable.ts'
import { ServiceError } from '../../errors.ts'
import { invalidResponse, signInWith, type BasePlan, type Mode, type SignIn } from './mode.ts'

/** Library only: a callback is no setting of an environment. */
export interface ClientAssertionPlan extends BasePlan, SignIn {
  readonly mode: 'clientAssertion'
  readonly getAssertion: () => Promise<string>
}

export const clientAssertion: Mode<ClientAssertionPlan> = {
  credential: 'ClientAssertionCredential',
  use: 'applications that sign or fetch an assertion themselves',
  needs: 'client id and a callback',
  plan(profile, settings) {
    const [signIn, { getAssertion }] = signInWith(profile, settings, { getAssertion: settings.getAssertion })
    return { ...signIn, getAssertion }
  },
  build({ authority: { tenantId, ...authority }, clientId, getAssertion }, { library, options }) {
    const assertion = async () => requireAssertion(getAssertion)
    return new library.ClientAssertionCredential(tenantId, clientId, assertion, { ...options(), ...authority })
  },
  failure: invalidResponse,
}

/** The assertion of a callback of the application. @throws {ServiceError} `ARGUMENT_INVALID` if the callback fails or returns no text. */
export async function requireAssertion(getAssertion: () => Promise<string>): Promise<string> {
  let assertion: unknown
  try {
    assertion = await getAssertion()
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${showValue(error.message)}` : showValue(error)
    throw new ServiceError('ARGUMENT_INVALID', `getAssertion failed: ${reason}`, { cause: error })
  }
  if (typeof assertion === 'string' && assertion.trim() !== '') return assertion
  throw new ServiceError('ARGUMENT_INVALID', 'getAssertion must return an assertion as text that is not blank')
}
