import { explainRejectedAssertion, refusedClient } from '../explain-refusal.ts'
import { type BasePlan, type Mode, type SignIn, invalidResponse, signInWith } from './mode.ts'
import { refuseReferences } from '../../errors.ts'
import { workloadOf } from '../../settings/credential-values.ts'
import { readCredentialFile } from '../credential-file.ts'

export interface WorkloadIdentityPlan extends BasePlan, SignIn {
  readonly mode: 'workloadIdentity'
  readonly tokenFilePath: string
}

export async function readFederatedToken(path: string): Promise<string> {
  const token = await readCredentialFile(path, 'PLATFORM_FEDERATED_TOKEN_FILE')
  refuseReferences({ 'The value in the file of PLATFORM_FEDERATED_TOKEN_FILE': token.trim() })
  return token
}

export const workloadIdentity: Mode<WorkloadIdentityPlan> = {
  credential: 'WorkloadIdentityCredential',
  use: 'clusters',
  needs: "client id and token file, which the cluster's webhook injects",
  configured: (settings) => workloadOf(settings).tokenFilePath !== undefined,
  plan(profile, settings) {
    const { clientId, tokenFilePath } = workloadOf(settings)
    const [signIn, found] = signInWith(
      profile,
      { ...settings, authMode: 'workloadIdentity', clientId },
      { PLATFORM_FEDERATED_TOKEN_FILE: tokenFilePath },
    )
    return { ...signIn, tokenFilePath: found.PLATFORM_FEDERATED_TOKEN_FILE }
  },
  // WorkloadIdentityCredential reads the file without a limit, and a proxy of the cluster from the environment.
  async build({ authority: { tenantId, ...authority }, clientId, tokenFilePath }, { library, options }) {
    await readFederatedToken(tokenFilePath)
    const assertion = () => readFederatedToken(tokenFilePath)
    return new library.ClientAssertionCredential(tenantId, clientId, assertion, { ...options(), ...authority })
  },
  explain: (error, { tokenFilePath }) =>
    explainRejectedAssertion(refusedClient('CLIENT_ASSERTION_REJECTED')(error), () =>
      readFederatedToken(tokenFilePath),
    ),
  failure: invalidResponse,
}
