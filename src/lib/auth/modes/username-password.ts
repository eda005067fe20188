import { refusedClient } from '../explain-refusal.ts'
import { readSecret, secretFrom, type SecretSource } from '../credential-file.ts'
import { invalidResponse, type BasePlan, type Mode } from './mode.ts'
import { signInWith, type SignIn } from './mode.ts'

export interface UsernamePasswordPlan extends BasePlan, SignIn {
  readonly mode: 'usernamePassword'
  readonly username: string
  readonly password: SecretSource
}

export const usernamePassword: Mode<UsernamePasswordPlan> = {
  credential: 'UsernamePasswordCredential',
  use: 'discouraged',
  needs: 'client id, user and password',
  configured: ({ username, password, passwordPath }) =>
    username !== undefined && (password ?? passwordPath) !== undefined,
  plan(profile, settings) {
    const { username } = settings
    const password = secretFrom(settings.password, settings.passwordPath, 'PLATFORM_PASSWORD')
    const [signIn, found] = signInWith(profile, settings, { PLATFORM_USERNAME: username, PLATFORM_PASSWORD: password })
    return { ...signIn, username: found.PLATFORM_USERNAME, password: found.PLATFORM_PASSWORD }
  },
  async build({ authority: { tenantId, ...authority }, clientId, username, password }, { library, options }) {
    const secret = await readSecret(password)
    return new library.UsernamePasswordCredential(tenantId, clientId, username, secret, { ...options(), ...authority })
  },
  explain: refusedClient('CLIENT_NOT_PUBLIC'),
  failure: invalidResponse,
}
