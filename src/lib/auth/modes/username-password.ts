import { readSecret, type SecretSource } from '../credential-file.ts'
import { type Application, applicationKeys, type SecretOf } from './application.ts'
import { type BasePlan, clientVariables, type Mode, type SignIn, refusedClient, planSignIn, secretOf } from './mode.ts'

export type UsernamePasswordSettings = Application & {
  readonly mode: 'usernamePassword'
  readonly username: string
} & SecretOf<'password'>

export interface UsernamePasswordPlan extends BasePlan, SignIn {
  readonly mode: 'usernamePassword'
  readonly username: string
  readonly password: SecretSource
}

export const usernamePassword: Mode<UsernamePasswordSettings, UsernamePasswordPlan> = {
  credential: 'UsernamePasswordCredential',
  use: 'discouraged',
  needs: 'client id, user and password',
  keys: { ...applicationKeys, username: 'required', password: 'required', passwordPath: 'optional' },
  configured: (settings) => settings.username !== undefined && secretOf(settings, 'password') !== undefined,
  plan(cloud, settings) {
    const { username } = settings
    const [signIn, found] = planSignIn(cloud, settings, { username, password: secretOf(settings, 'password') })
    return { ...signIn, ...found }
  },
  async build({ authority: { tenantId, ...authority }, clientId, username, password }, { library }) {
    const secret = await readSecret(password)
    return new library.UsernamePasswordCredential(tenantId, clientId, username, secret, {
      ...library.credentialOptions(),
      ...authority,
    })
  },
  variables: async (plan) => ({
    ...clientVariables(plan),
    AZURE_USERNAME: plan.username,
    AZURE_PASSWORD: await readSecret(plan.password),
  }),
  explain: (error) => refusedClient('CLIENT_NOT_PUBLIC', error),
}
