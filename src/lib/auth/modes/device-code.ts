import { deviceCodeBackend } from '../library/public-client.ts'
import { type Application, applicationKeys } from './application.ts'
import { type BasePlan, clientVariables, type Mode, type SignIn, refusedClient, planSignIn } from './mode.ts'

export interface DeviceCodeSettings extends Application {
  readonly mode: 'deviceCode'
}

export interface DeviceCodePlan extends BasePlan, SignIn {
  readonly mode: 'deviceCode'
}

export const deviceCode: Mode<DeviceCodeSettings, DeviceCodePlan> = {
  credential: 'DeviceCodeCredential',
  use: 'hosts without a browser',
  needs: 'client id; a person approves elsewhere',
  keys: applicationKeys,
  plan: (cloud, settings) => planSignIn(cloud, settings, {})[0],
  build: deviceCodeBackend,
  variables: clientVariables,
  explain: (error) => refusedClient('CLIENT_NOT_PUBLIC', error),
  failure: { code: 'DEVICE_CODE_EXPIRED', message: 'The sign-in gave no token' },
}
