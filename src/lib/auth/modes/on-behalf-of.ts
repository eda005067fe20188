import { ownCopy } from '../../base/json.ts'
import { Secret } from '../../base/secret.ts'
import type { ErrorCode } from '../../errors.ts'
import { readSecret } from '../credential-file.ts'
import { assertionOf, certificatePasswordOf, type ClientProof, explainProof } from './application.ts'
import {
  type BasePlan,
  fileOf,
  type Mode,
  missingSettings,
  type ModeValues,
  planSignIn,
  secretOf,
  type SignIn,
} from './mode.ts'

/** Library only: one credential for each user who called the application (OAuth 2.0 on-behalf-of, RFC 7523). */
export interface OnBehalfOfPlan extends BasePlan, SignIn {
  readonly mode: 'onBehalfOf'
  /** The access token that the user sent to this application. */
  readonly userAssertion: Secret
  readonly proof: ClientProof
}

export const onBehalfOf: Mode<{ readonly mode: 'onBehalfOf' }, OnBehalfOfPlan> = {
  credential: 'OnBehalfOfCredential',
  use: 'web applications that call services as their user',
  needs: 'client id, the token of the user, and a secret, certificate, token file or callback',
  keys: {},
  plan(cloud, settings) {
    const [signIn] = planSignIn(cloud, settings, {})
    const { userAssertion = new Secret('') } = settings
    return { ...signIn, userAssertion, proof: ownCopy(proofOf(settings)) }
  },
  async build({ authority, clientId, userAssertion, proof }, { library }) {
    const given = {
      ...library.credentialOptions(),
      ...authority,
      clientId,
      userAssertionToken: userAssertion.reveal(),
    }
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

/** How the application proves its identity. @throws {ServiceError} `CREDENTIAL_SETTING_MISSING` that names every way. */
function proofOf(settings: ModeValues): ClientProof {
  const { getAssertion } = settings
  const secret = secretOf(settings, 'clientSecret')
  if (secret !== undefined) return { clientSecret: secret }
  if (getAssertion !== undefined) return { getAssertion }
  const tokenFile = fileOf(settings, 'federatedTokenFile')
  if (tokenFile !== undefined) return { tokenFile }
  const certificateFile = fileOf(settings, 'clientCertificatePath')
  if (certificateFile !== undefined) return { certificateFile, ...certificatePasswordOf(settings) }
  const ways = ['clientSecret', 'clientSecretPath', 'clientCertificatePath', 'federatedTokenFile'] as const
  throw missingSettings(settings, ways, { conjunction: ' or ', also: ' or the option getAssertion' })
}
