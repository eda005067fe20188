import { readSecret, type SecretSource } from '../credential-file.ts'
import { type Application, applicationKeys, buildApplication, type SecretOf } from './application.ts'
import { type BasePlan, clientVariables, type Mode, type SignIn, planSignIn, secretOf } from './mode.ts'

export type ClientSecretSettings = Application & { readonly mode: 'clientSecret' } & SecretOf<'clientSecret'>

export interface ClientSecretPlan extends BasePlan, SignIn {
  readonly mode: 'clientSecret'
  readonly clientSecret: SecretSource
}

export const clientSecret: Mode<ClientSecretSettings, ClientSecretPlan> = {
  credential: 'ClientSecretCredential',
  use: 'pipelines',
  needs: 'client id and secret',
  keys: { ...applicationKeys, clientSecret: 'required', clientSecretPath: 'optional' },
  isApplication: true,
  configured: (settings) => secretOf(settings, 'clientSecret') !== undefined,
  plan(cloud, settings) {
    const [signIn, found] = planSignIn(cloud, settings, { clientSecret: secretOf(settings, 'clientSecret') })
    return { ...signIn, ...found }
  },
  build: buildApplication,
  async variables(plan) {
    const secret = await readSecret(plan.clientSecret)
    return { ...clientVariables(plan), AZURE_CLIENT_SECRET: secret, ARM_CLIENT_SECRET: secret }
  },
}
