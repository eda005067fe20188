import type { Secret } from '../secret.ts'
import { invalidResponse, type BasePlan, type Mode } from './mode.ts'
import { signInWith, type SignIn } from './sign-in.ts'

export interface ClientSecretPlan extends BasePlan, SignIn {
  readonly mode: 'clientSecret'
  readonly clientSecret: Secret
}

export const clientSecret: Mode<ClientSecretPlan> = {
  credential: 'ClientSecretCredential',
  use: 'pipelines',
  needs: 'client id and secret',
  configured: ({ clientSecret }) => clientSecret !== undefined,
  plan(profile, settings) {
    const [signIn, found] = signInWith(profile, settings, { PLATFORM_CLIENT_SECRET: settings.clientSecret })
    return { ...signIn, clientSecret: found.PLATFORM_CLIENT_SECRET }
  },
  build({ authority: { tenantId, ...authority }, clientId, clientSecret }, { library, options }) {
    return new library.ClientSecretCredential(tenantId, clientId, clientSecret.reveal(), { ...options(), ...authority })
  },
  failure: invalidResponse,
}
