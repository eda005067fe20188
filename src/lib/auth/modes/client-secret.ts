import { readSecret, secretFrom, type SecretSource } from '../credential-file.ts'
import { invalidResponse, type BasePlan, type Mode } from './mode.ts'
import { signInWith, type SignIn } from './mode.ts'

export interface ClientSecretPlan extends BasePlan, SignIn {
  readonly mode: 'clientSecret'
  readonly clientSecret: SecretSource
}

export const clientSecret: Mode<ClientSecretPlan> = {
  credential: 'ClientSecretCredential',
  use: 'pipelines',
  needs: 'client id and secret',
  configured: ({ clientSecret, clientSecretPath }) => (clientSecret ?? clientSecretPath) !== undefined,
  plan(profile, settings) {
    const { clientSecret: secret, clientSecretPath } = settings
    const PLATFORM_CLIENT_SECRET = secretFrom(secret, clientSecretPath, 'PLATFORM_CLIENT_SECRET')
    const [signIn, found] = signInWith(profile, settings, { PLATFORM_CLIENT_SECRET })
    return { ...signIn, clientSecret: found.PLATFORM_CLIENT_SECRET }
  },
  async build({ authority: { tenantId, ...authority }, clientId, clientSecret }, { library, options }) {
    const secret = await readSecret(clientSecret)
    return new library.ClientSecretCredential(tenantId, clientId, secret, { ...options(), ...authority })
  },
  failure: invalidResponse,
}
