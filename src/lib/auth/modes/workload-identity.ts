import { ownCopy } from '../../base/json.ts'
import { workloadOf } from '../../settings/credential-values.ts'
import { readCredentialFile, type SettingFile } from '../credential-file.ts'
import { type Application, applicationKeys, buildApplication, explainProof } from './application.ts'
import { type BasePlan, clientVariables, fileOf, type Mode, type SignIn, planSignIn } from './mode.ts'

export interface WorkloadIdentitySettings extends Application {
  readonly mode: 'workloadIdentity'
  /** Path of the federated token file. */
  readonly federatedTokenFile: string
}

export interface WorkloadIdentityPlan extends BasePlan, SignIn {
  readonly mode: 'workloadIdentity'
  readonly tokenFile: SettingFile
}

export const workloadIdentity: Mode<WorkloadIdentitySettings, WorkloadIdentityPlan> = {
  credential: 'WorkloadIdentityCredential',
  use: 'clusters',
  needs: "client id and token file, which the cluster's webhook injects",
  keys: { ...applicationKeys, federatedTokenFile: 'required' },
  isApplication: true,
  configured: (settings) => workloadOf(settings).tokenFilePath !== undefined,
  plan(cloud, settings) {
    const { clientId, tokenFilePath } = workloadOf(settings)
    const file = fileOf(settings, 'federatedTokenFile', tokenFilePath)
    const [signIn, found] = planSignIn(cloud, ownCopy({ ...settings, clientId }), { federatedTokenFile: file })
    return { ...signIn, tokenFile: found.federatedTokenFile }
  },
  build: buildApplication,
  explain: explainProof,
  async variables(plan) {
    const { path } = plan.tokenFile
    await readCredentialFile(plan.tokenFile)
    const terraform = { ARM_USE_OIDC: 'true', ARM_OIDC_TOKEN_FILE_PATH: path }
    return { ...clientVariables(plan), AZURE_FEDERATED_TOKEN_FILE: path, ...terraform }
  },
}
