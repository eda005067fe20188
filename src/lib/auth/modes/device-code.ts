import { refusedClient } from '../explain-refusal.ts'
import type { BasePlan, Mode } from './mode.ts'
import { signInWith, type SignIn } from './mode.ts'

export interface DeviceCodePlan extends BasePlan, SignIn {
  readonly mode: 'deviceCode'
}

export const deviceCode: Mode<DeviceCodePlan> = {
  credential: 'DeviceCodeCredential',
  use: 'hosts without a browser',
  needs: 'client id; a person approves elsewhere',
  plan: (profile, settings) => signInWith(profile, settings, {})[0],
  build({ authority: { tenantId, ...authority }, clientId }, { library, options, onDeviceCode }) {
    const own = { tenantId, clientId, userPromptCallback: onDeviceCode }
    return new library.DeviceCodeCredential({ ...options(), ...authority, ...own })
  },
  explain: refusedClient('CLIENT_NOT_PUBLIC'),
  failure: { code: 'DEVICE_CODE_EXPIRED', message: 'The sign-in gave no token' },
}
