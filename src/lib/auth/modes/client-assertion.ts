import { ServiceError } from '../../errors.ts'
import { type Application, applicationKeys, buildApplication, explainProof } from './application.ts'
import { type BasePlan, type Mode, type SignIn, planSignIn } from './mode.ts'

/** A client assertion (RFC 7523) that the application signs or fetches itself. */
export interface ClientAssertionSettings extends Application {
  readonly mode: 'clientAssertion'
  /** Called for each token request. */
  readonly getAssertion: () => Promise<string>
}

/** Library only: an environment cannot contain a callback. */
export interface ClientAssertionPlan extends BasePlan, SignIn {
  readonly mode: 'clientAssertion'
  readonly getAssertion: () => Promise<string>
}

export const clientAssertion: Mode<ClientAssertionSettings, ClientAssertionPlan> = {
  credential: 'ClientAssertionCredential',
  use: 'applications that sign or fetch an assertion themselves',
  needs: 'client id and a callback',
  keys: { ...applicationKeys, getAssertion: 'required' },
  isApplication: true,
  plan(cloud, settings) {
    const [signIn] = planSignIn(cloud, settings, {})
    const { getAssertion } = settings
    // Only settings in code select the mode, and they are refused without a callback.
    if (getAssertion === undefined) throw new ServiceError('UNEXPECTED', 'The mode clientAssertion has no callback')
    return { ...signIn, getAssertion }
  },
  build: buildApplication,
  explain: explainProof,
}
