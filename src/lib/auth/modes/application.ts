import { showValue } from '../../base/printable.ts'
import type { Secret } from '../../base/secret.ts'
import { type ErrorCode, refuseReferences, ServiceError } from '../../errors.ts'
import { workloadOf, type CredentialValues } from '../../settings/credential-values.ts'
import {
  readCredentialFile,
  readSecret,
  secretFrom,
  type SecretSource,
  explainRejectedAssertion,
} from '../credential-file.ts'
import {
  refusedClient,
  type BasePlan,
  type CredentialBackend,
  invalidResponse,
  type Mode,
  type ModeTools,
  requireAll,
  type PendingSignIn,
  signInWith,
} from './mode.ts'
import { certificateAssertion } from '../library/certificate-assertion.ts'
import { explainCertificateDates, readValidCertificate } from '../read-certificate.ts'

// The kinds of credential of an application, by how it proves that it is itself.

interface CertificateProof {
  /** PEM file with the certificate and its private key. */
  readonly certificatePath: string
  readonly certificatePassword?: SecretSource
}

type ClientProof =
  | { readonly clientSecret: SecretSource }
  | CertificateProof
  | { readonly tokenFilePath: string }
  | { readonly getAssertion: () => Promise<string> }

export interface ClientSecretPlan extends BasePlan, PendingSignIn {
  readonly mode: 'clientSecret'
  readonly clientSecret: SecretSource
}

export interface ClientCertificatePlan extends BasePlan, PendingSignIn, CertificateProof {
  readonly mode: 'clientCertificate'
}

export interface WorkloadIdentityPlan extends BasePlan, PendingSignIn {
  readonly mode: 'workloadIdentity'
  readonly tokenFilePath: string
}

/** Library only: an environment cannot contain a callback. */
export interface ClientAssertionPlan extends BasePlan, PendingSignIn {
  readonly mode: 'clientAssertion'
  readonly getAssertion: () => Promise<string>
}

/** Library only: one credential for each user who called the application (OAuth 2.0 on-behalf-of, RFC 7523). */
export interface OnBehalfOfPlan extends BasePlan, PendingSignIn {
  readonly mode: 'onBehalfOf'
  /** The access token that the user sent to this application. */
  readonly userAssertion: Secret
  readonly proof: ClientProof
}

const secretOf = ({ clientSecret: secret, clientSecretPath }: CredentialValues) =>
  secretFrom(secret, clientSecretPath, 'PLATFORM_CLIENT_SECRET')

function passwordOf(settings: CredentialValues): Pick<CertificateProof, 'certificatePassword'> {
  const { clientCertificatePassword: password, clientCertificatePasswordPath: path } = settings
  const certificatePassword = secretFrom(password, path, 'PLATFORM_CLIENT_CERTIFICATE_PASSWORD')
  return certificatePassword === undefined ? {} : { certificatePassword }
}

export const clientSecret: Mode<ClientSecretPlan> = {
  credential: 'ClientSecretCredential',
  use: 'pipelines',
  needs: 'client id and secret',
  configured: (settings) => secretOf(settings) !== undefined,
  plan(profile, settings) {
    const [signIn, found] = signInWith(profile, settings, { PLATFORM_CLIENT_SECRET: secretOf(settings) })
    return { ...signIn, clientSecret: found.PLATFORM_CLIENT_SECRET }
  },
  build: buildApplication,
  failure: invalidResponse,
}

export const clientCertificate: Mode<ClientCertificatePlan> = {
  credential: 'ClientCertificateCredential',
  use: 'pipelines',
  needs: 'client id and PEM file',
  configured: ({ clientCertificatePath }) => clientCertificatePath !== undefined,
  plan(profile, settings) {
    const { clientCertificatePath: PLATFORM_CLIENT_CERTIFICATE_PATH } = settings
    const [signIn, found] = signInWith(profile, settings, { PLATFORM_CLIENT_CERTIFICATE_PATH })
    return { ...signIn, certificatePath: found.PLATFORM_CLIENT_CERTIFICATE_PATH, ...passwordOf(settings) }
  },
  build: buildApplication,
  explain: explainProof,
  failure: invalidResponse,
}

export const workloadIdentity: Mode<WorkloadIdentityPlan> = {
  credential: 'WorkloadIdentityCredential',
  use: 'clusters',
  needs: "client id and token file, which the cluster's webhook injects",
  configured: (settings) => workloadOf(settings).tokenFilePath !== undefined,
  plan(profile, settings) {
    const { clientId, tokenFilePath: PLATFORM_FEDERATED_TOKEN_FILE } = workloadOf(settings)
    const own: CredentialValues = { ...settings, authMode: 'workloadIdentity', clientId }
    const [signIn, found] = signInWith(profile, own, { PLATFORM_FEDERATED_TOKEN_FILE })
    return { ...signIn, tokenFilePath: found.PLATFORM_FEDERATED_TOKEN_FILE }
  },
  build: buildApplication,
  explain: explainProof,
  failure: invalidResponse,
}

export const clientAssertion: Mode<ClientAssertionPlan> = {
  credential: 'ClientAssertionCredential',
  use: 'applications that sign or fetch an assertion themselves',
  needs: 'client id and a callback',
  plan(profile, settings) {
    const [signIn, { getAssertion }] = signInWith(profile, settings, { getAssertion: settings.getAssertion })
    return { ...signIn, getAssertion }
  },
  build: buildApplication,
  explain: explainProof,
  failure: invalidResponse,
}

export const onBehalfOf: Mode<OnBehalfOfPlan> = {
  credential: 'OnBehalfOfCredential',
  use: 'web applications that call services as their user',
  needs: 'client id, the token of the user, and a secret, certificate, token file or callback',
  plan(profile, settings) {
    const [signIn] = signInWith(profile, settings, {})
    const { userAssertion } = settings
    const found = requireAll(settings, { userAssertion, clientSecret: proofOf(settings) })
    return { ...signIn, userAssertion: found.userAssertion, proof: found.clientSecret }
  },
  async build({ authority, clientId, userAssertion, proof }, { library, options }) {
    const given = { ...options(), ...authority, clientId, userAssertionToken: userAssertion.reveal() }
    return 'clientSecret' in proof
      ? new library.OnBehalfOfCredential({ ...given, clientSecret: await readSecret(proof.clientSecret) })
      : new library.OnBehalfOfCredential({ ...given, getAssertion: await assertionOf(clientId, proof) })
  },
  explain(error, { proof }) {
    const code = codesOfUser[error.evidence?.['errorNumber'] ?? '']
    return code === undefined
      ? explainProof(error, proof)
      : new ServiceError(code, error.message, { cause: error.cause, evidence: error.evidence ?? {} })
  },
  failure: invalidResponse,
}

/** What a number means about the token or the consent of the user. */
const codesOfUser: Readonly<Record<string, ErrorCode | undefined>> = {
  AADSTS50013: 'USER_ASSERTION_REJECTED',
  AADSTS500133: 'USER_ASSERTION_REJECTED',
  AADSTS65001: 'CONSENT_REQUIRED',
}

function proofOf(settings: CredentialValues): ClientProof | undefined {
  const { clientCertificatePath: certificatePath, federatedTokenFile: tokenFilePath, getAssertion } = settings
  const secret = secretOf(settings)
  if (secret !== undefined) return { clientSecret: secret }
  if (getAssertion !== undefined) return { getAssertion }
  if (tokenFilePath !== undefined) return { tokenFilePath }
  return certificatePath === undefined ? undefined : { certificatePath, ...passwordOf(settings) }
}

async function buildApplication(
  plan: PendingSignIn & ClientProof,
  { library, options }: ModeTools,
): Promise<CredentialBackend> {
  const { clientId } = plan
  const { tenantId, ...authority } = plan.authority
  const given = { ...options(), ...authority }
  return 'clientSecret' in plan
    ? new library.ClientSecretCredential(tenantId, clientId, await readSecret(plan.clientSecret), given)
    : new library.ClientAssertionCredential(tenantId, clientId, await assertionOf(clientId, plan), given)
}

type AssertionProof = Exclude<ClientProof, { readonly clientSecret: SecretSource }>

/**
 * The callback that gives the client assertion. An unusable file is reported before anything is contacted, and read again for each
 * assertion: WorkloadIdentityCredential of the library reads it without a limit.
 */
async function assertionOf(clientId: string, proof: AssertionProof): Promise<() => Promise<string>> {
  if ('getAssertion' in proof) return async () => requireAssertion(proof.getAssertion)
  if ('tokenFilePath' in proof) {
    await readFederatedToken(proof.tokenFilePath)
    return async () => readFederatedToken(proof.tokenFilePath)
  }
  await readValidCertificate(proof)
  return certificateAssertion(clientId, async () => readValidCertificate(proof))
}

async function readFederatedToken(path: string): Promise<string> {
  const token = await readCredentialFile(path, 'PLATFORM_FEDERATED_TOKEN_FILE')
  refuseReferences({ 'The value in the file of PLATFORM_FEDERATED_TOKEN_FILE': token.trim() })
  return token
}

/** The assertion of a callback of the application. @throws {ServiceError} `ARGUMENT_INVALID` if the callback fails or returns no text. */
async function requireAssertion(getAssertion: () => Promise<string>): Promise<string> {
  let assertion: unknown
  try {
    assertion = await getAssertion()
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${showValue(error.message)}` : showValue(error)
    throw new ServiceError('ARGUMENT_INVALID', `getAssertion failed: ${reason}`, { cause: error })
  }
  if (typeof assertion === 'string' && assertion.trim() !== '') return assertion
  throw new ServiceError('ARGUMENT_INVALID', 'getAssertion must return an assertion as text that is not blank')
}

/** Adds what the file of a rejected assertion shows: when a certificate expired, what must be registered for a federated token. */
async function explainProof(error: ServiceError, proof: ClientProof): Promise<ServiceError> {
  if ('clientSecret' in proof) return error
  const rejected = refusedClient('CLIENT_ASSERTION_REJECTED', error)
  if ('certificatePath' in proof) return explainCertificateDates(rejected, proof.certificatePath)
  if ('getAssertion' in proof) return rejected
  return explainRejectedAssertion(rejected, async () => readFederatedToken(proof.tokenFilePath))
}
