import { workloadOf } from '../../settings/credential-values.ts'
import { readCredentialFile } from '../credential-file.ts'
import { type Application, applicationKeys, buildApplication, explainProof } from './application.ts'
import { type BasePlan, clientVariables, type Mode, type SignIn, planSignIn } from './mode.ts'

export interface WorkloadIdentitySettings extends Application {
  readonly mode: 'workloadIdentity'
  /** Path of the federated token file. */
  readonly federatedTokenFile: string
}

export interface WorkloadIdentityPlan extends BasePlan, SignIn {
  readonly mode: 'workloadIdentity'
  readonly tokenFilePath: string
}

export const workloadIdentity: Mode<WorkloadIdentitySettings, WorkloadIdentityPlan> = {
  credential: 'WorkloadIdentityCredential',
  use: 'clusters',
  needs: "client id and token file, which the cluster's webhook injects",
  keys: { ...applicationKeys, federatedTokenFile: 'required' },
  isApplication: true,
  configured: (settings) => workloadOf(settings).tokenFilePath !== undefined,
  plan(cloud, settings) {
    const { clientId, tokenFilePath: PLATFORM_FEDERATED_TOKEN_FILE } = workloadOf(settings)
    const [signIn, found] = planSignIn(cloud, { ...settings, clientId }, { PLATFORM_FEDERATED_TOKEN_FILE })
    return { ...signIn, tokenFilePath: found.PLATFORM_FEDERATED_TOKEN_FILE }
  },
  build: buildApplication,
  explain: explainProof,
  async variables(plan) {
    const { tokenFilePath: file } = plan
    await readCredentialFile(file, 'PLATFORM_FEDERATED_TOKEN_FILE')
    const terraform = { ARM_USE_OIDC: 'true', ARM_OIDC_TOKEN_FILE_PATH: file }
    return { ...clientVariables(plan), AZURE_FEDERATED_TOKEN_FILE: file, ...terraform }
  },
}
