import { readSecret, secretFrom, type SecretSource } from '../credential-file.ts'
import { type Application, applicationKeys, type SecretOf } from './application.ts'
import {
  type BasePlan,
  clientVariables,
  type Mode,
  type ModeValues,
  type SignIn,
  refusedClient,
  planSignIn,
} from './mode.ts'

export type UsernamePasswordSettings = Application & {
  readonly mode: 'usernamePassword'
  readonly username: string
} & SecretOf<'password'>

export interface UsernamePasswordPlan extends BasePlan, SignIn {
  readonly mode: 'usernamePassword'
  readonly username: string
  readonly password: SecretSource
}

const passwordOf = ({ password, passwordPath }: ModeValues) => secretFrom(password, passwordPath, 'PLATFORM_PASSWORD')

export const usernamePassword: Mode<UsernamePasswordSettings, UsernamePasswordPlan> = {
  credential: 'UsernamePasswordCredential',
  use: 'discouraged',
  needs: 'client id, user and password',
  keys: { ...applicationKeys, username: 'required', password: 'required', passwordPath: 'optional' },
  configured: (settings) => settings.username !== undefined && passwordOf(settings) !== undefined,
  plan(cloud, settings) {
    const [signIn, { PLATFORM_USERNAME: username, PLATFORM_PASSWORD: password }] = planSignIn(cloud, settings, {
      PLATFORM_USERNAME: settings.username,
      PLATFORM_PASSWORD: passwordOf(settings),
    })
    return { ...signIn, username, password }
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
