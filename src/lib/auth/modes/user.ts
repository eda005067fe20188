import { readSecret, secretFrom, type SecretSource } from '../credential-file.ts'
import { refusedClient, type BasePlan, invalidResponse, type Mode, type PendingSignIn, signInWith } from './mode.ts'
import type { CredentialValues } from '../../settings/credential-values.ts'

// The kinds of credential by which a person signs in through an application.

export interface DeviceCodePlan extends BasePlan, PendingSignIn {
  readonly mode: 'deviceCode'
}

export interface UsernamePasswordPlan extends BasePlan, PendingSignIn {
  readonly mode: 'usernamePassword'
  readonly username: string
  readonly password: SecretSource
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
  explain: (error) => refusedClient('CLIENT_NOT_PUBLIC', error),
  failure: { code: 'DEVICE_CODE_EXPIRED', message: 'The sign-in gave no token' },
}

const passwordOf = ({ password, passwordPath }: CredentialValues) =>
  secretFrom(password, passwordPath, 'PLATFORM_PASSWORD')

export const usernamePassword: Mode<UsernamePasswordPlan> = {
  credential: 'UsernamePasswordCredential',
  use: 'discouraged',
  needs: 'client id, user and password',
  configured: (settings) => settings.username !== undefined && passwordOf(settings) !== undefined,
  plan(profile, settings) {
    const [signIn, { PLATFORM_USERNAME: username, PLATFORM_PASSWORD: password }] = signInWith(profile, settings, {
      PLATFORM_USERNAME: settings.username,
      PLATFORM_PASSWORD: passwordOf(settings),
    })
    return { ...signIn, username, password }
  },
  async build({ authority: { tenantId, ...authority }, clientId, username, password }, { library, options }) {
    const secret = await readSecret(password)
    return new library.UsernamePasswordCredential(tenantId, clientId, username, secret, { ...options(), ...authority })
  },
  explain: (error) => refusedClient('CLIENT_NOT_PUBLIC', error),
  failure: invalidResponse,
}
