import { ownCopy } from '../../base/json.ts'
import type { Secret } from '../../base/secret.ts'
import type { ErrorCode } from '../../errors.ts'
import { readSecret } from '../credential-file.ts'
import {
  type Application,
  applicationKeys,
  assertionOf,
  type Certificate,
  certificatePasswordKeys,
  certificatePasswordOf,
  type ClientProof,
  explainProof,
  type None,
  type OptionalSecret,
  type SecretOf,
  secretOf,
  type Text,
} from './application.ts'
import type { ClientAssertionSettings } from './client-assertion.ts'
import { type BasePlan, type Mode, type ModeValues, type SignIn, requireAll, planSignIn } from './mode.ts'

type Proof =
  | (SecretOf<'clientSecret'> & None<'clientCertificatePath' | 'federatedTokenFile' | 'getAssertion'>)
  | (Certificate &
      OptionalSecret<'clientCertificatePassword'> &
      None<'clientSecret' | 'clientSecretPath' | 'federatedTokenFile' | 'getAssertion'>)
  | (Text<'federatedTokenFile'> & None<'clientSecret' | 'clientSecretPath' | 'clientCertificatePath' | 'getAssertion'>)
  | (Pick<ClientAssertionSettings, 'getAssertion'> &
      None<'clientSecret' | 'clientSecretPath' | 'clientCertificatePath' | 'federatedTokenFile'>)

/** On behalf of a user: one credential for each token that a user sent to this application. */
export type OnBehalfOfSettings = Application & {
  readonly mode: 'onBehalfOf'
  /** The access token of the user. Its audience is this application. */
  readonly userAssertion: string
} & Proof

/** Library only: one credential for each user who called the application (OAuth 2.0 on-behalf-of, RFC 7523). */
export interface OnBehalfOfPlan extends BasePlan, SignIn {
  readonly mode: 'onBehalfOf'
  /** The access token that the user sent to this application. */
  readonly userAssertion: Secret
  readonly proof: ClientProof
}

export const onBehalfOf: Mode<OnBehalfOfSettings, OnBehalfOfPlan> = {
  credential: 'OnBehalfOfCredential',
  use: 'web applications that call services as their user',
  needs: 'client id, the token of the user, and a secret, certificate, token file or callback',
  keys: {
    ...applicationKeys,
    userAssertion: 'required',
    clientSecret: 'optional',
    clientSecretPath: 'optional',
    clientCertificatePath: 'optional',
    ...certificatePasswordKeys,
    federatedTokenFile: 'optional',
    getAssertion: 'optional',
  },
  oneOf: ['clientSecret', 'clientSecretPath', 'clientCertificatePath', 'federatedTokenFile', 'getAssertion'],
  plan(cloud, settings) {
    const [signIn] = planSignIn(cloud, settings, {})
    const { userAssertion } = settings
    const found = requireAll(settings, { userAssertion, clientSecret: proofOf(settings) })
    return { ...signIn, userAssertion: found.userAssertion, proof: found.clientSecret }
  },
  async build({ authority, clientId, userAssertion, proof }, { library }) {
    const given = { ...library.credentialOptions(), ...authority, clientId, userAssertionToken: userAssertion.reveal() }
    return 'clientSecret' in proof
      ? new library.OnBehalfOfCredential({ ...given, clientSecret: await readSecret(proof.clientSecret) })
      : new library.OnBehalfOfCredential({ ...given, getAssertion: await assertionOf(clientId, proof) })
  },
  explain(error, { proof }) {
    const code = codesOfUser[error.evidence?.['errorNumber'] ?? '']
    return code === undefined ? explainProof(error, proof) : error.again({ code })
  },
}

/** The codes of errors about the token or the consent of the user. */
const codesOfUser: Readonly<Record<string, ErrorCode | undefined>> = {
  AADSTS50013: 'USER_ASSERTION_REJECTED',
  AADSTS500133: 'USER_ASSERTION_REJECTED',
  AADSTS65001: 'CONSENT_REQUIRED',
}

function proofOf(settings: ModeValues): ClientProof | undefined {
  const { clientCertificatePath: certificatePath, federatedTokenFile: tokenFilePath, getAssertion } = ownCopy(settings)
  const secret = secretOf(settings)
  if (secret !== undefined) return { clientSecret: secret }
  if (getAssertion !== undefined) return { getAssertion }
  if (tokenFilePath !== undefined) return { tokenFilePath }
  return certificatePath === undefined ? undefined : { certificatePath, ...certificatePasswordOf(settings) }
}
