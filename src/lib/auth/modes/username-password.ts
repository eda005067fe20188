import type { Secret } from '../secret.ts'
import { invalidResponse, type BasePlan, type Mode } from './mode.ts'
import { signInWith, type SignIn } from './sign-in.ts'

export interface UsernamePasswordPlan extends BasePlan, SignIn {
  readonly mode: 'usernamePassword'
  readonly username: string
  readonly password: Secret
}

export const usernamePassword: Mode<UsernamePasswordPlan> = {
  credential: 'UsernamePasswordCredential',
  use: 'discouraged',
  needs: 'client id, user and password',
  configured: ({ username, password }) => username !== undefined && password !== undefined,
  plan(profile, settings) {
    const { username, password } = settings
    const [signIn, found] = signInWith(profile, settings, { PLATFORM_USERNAME: username, PLATFORM_PASSWORD: password })
    return { ...signIn, username: found.PLATFORM_USERNAME, password: found.PLATFORM_PASSWORD }
  },
  build({ authority: { tenantId, ...authority }, clientId, username, password }, { library, options }) {
    const own = { ...options(), ...authority }
    return new library.UsernamePasswordCredential(tenantId, clientId, username, password.reveal(), own)
  },
  failure: invalidResponse,
}
