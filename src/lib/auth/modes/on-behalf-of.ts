import { Secret } from '../../base/secret.ts'
import { clientCertificate, proofByCertificate } from './client-certificate.ts'
import { requireAssertion } from './client-assertion.ts'
import { readSecret, secretFrom, type SecretSource } from '../credential-file.ts'
import { readFederatedToken } from './workload-identity.ts'
import { invalidResponse, requireAll, signInWith, type BasePlan, type Mode, type SignIn } from './mode.ts'

/** How an application proves that it is itself. */
type ClientProof =
  | { readonly clientSecret: SecretSource }
  | { readonly certificatePath: string; readonly certificatePassword?: SecretSource }
  | { readonly tokenFilePath: string }
  | { readonly getAssertion: () => Promise<string> }

/** Library only: one credential for each user who called the application (OAuth 2.0 on-behalf-of, RFC 7523). */
export interface OnBehalfOfPlan extends BasePlan, SignIn {
  readonly mode: 'onBehalfOf'
  /** The access token that the user sent to this application. */
  readonly userAssertion: Secret
  readonly proof: ClientProof
}

export const onBehalfOf: Mode<OnBehalfOfPlan> = {
  credential: 'OnBehalfOfCredential',
  use: 'web applications that call services as their user',
  needs: 'client id, the token of the user, and a secret, certificate, token file or callback',
  plan(profile, settings) {
    const { clientCertificatePath, federatedTokenFile: tokenFilePath, getAssertion, userAssertion } = settings
    const clientSecret = secretFrom(settings.clientSecret, settings.clientSecretPath, 'PLATFORM_CLIENT_SECRET')
    const [signIn] = signInWith(profile, settings, {})
    const found = requireAll(settings, {
      userAssertion,
      clientSecret: clientSecret ?? clientCertificatePath ?? tokenFilePath ?? getAssertion,
    })
    const base = { ...signIn, userAssertion: found.userAssertion }
    if (clientSecret !== undefined) return { ...base, proof: { clientSecret } }
    if (getAssertion !== undefined) return { ...base, proof: { getAssertion } }
    if (tokenFilePath !== undefined) return { ...base, proof: { tokenFilePath } }
    const { certificatePath, certificatePassword } = clientCertificate.plan(profile, settings)
    return { ...base, proof: { certificatePath, ...(certificatePassword && { certificatePassword }) } }
  },
  async build({ authority, clientId, userAssertion, proof }, { library, options }) {
    const shared = { ...options(), ...authority, clientId, userAssertionToken: userAssertion.reveal() }
    if ('clientSecret' in proof) {
      return new library.OnBehalfOfCredential({ ...shared, clientSecret: await readSecret(proof.clientSecret) })
    }
    return new library.OnBehalfOfCredential({ ...shared, getAssertion: await assertionOf(clientId, proof) })
  },
  failure: invalidResponse,
}

async function assertionOf(
  clientId: string,
  proof: Exclude<ClientProof, { readonly clientSecret: SecretSource }>,
): Promise<() => Promise<string>> {
  if ('getAssertion' in proof) return async () => requireAssertion(proof.getAssertion)
  if ('tokenFilePath' in proof) return async () => readFederatedToken(proof.tokenFilePath)
  return proofByCertificate(clientId, proof)
}
