import { showValue } from '../../base/printable.ts'
import { Secret } from '../../base/secret.ts'
import { argumentError, type ErrorCode, mustBe, nameOfError, refuseReferences, ServiceError } from '../../errors.ts'
import { type ResolvedCloud, sharedTenants } from '../../profile/identity-provider.ts'
import {
  certificateAssertion,
  type CertificateProof,
  explainCertificateDates,
  readValidCertificate,
} from '../client-certificate.ts'
import {
  explainRejectedAssertion,
  readCredentialFile,
  readSecret,
  type SecretSource,
  type SettingFile,
} from '../credential-file.ts'
import {
  type CredentialBackend,
  fileOf,
  missingSettings,
  type Mode,
  type ModeTools,
  type ModeValues,
  planSignIn,
  refusedClient,
  secretOf,
  type SignIn,
} from './mode.ts'

// The modes of an application, which differ in how it proves its identity.

/** An application that signs in to the login authority of the profile. */
export interface Application {
  /** Client (application) id. */
  readonly clientId: string
  /** Default is the tenant of the profile. */
  readonly tenantId?: string | undefined
  /** Hosts (`host` or `host:port`), besides the login authority, that may receive token requests. Default is none. */
  readonly allowedTokenHosts?: readonly string[] | undefined
}

export const applicationKeys = { clientId: 'required', tenantId: 'optional', allowedTokenHosts: 'optional' } as const

type None<K extends string> = { readonly [P in K]?: undefined }
/** One of two settings. A compiler that misses it prints this type, with both names. */
type OneOf<Value extends string, Path extends string, Given extends Value | Path> = { readonly [P in Given]: string }
/** A secret, or the path of its file, which is read again when it changes. */
export type SecretOf<K extends string> =
  | (OneOf<K, `${K}Path`, K> & None<`${K}Path`>)
  | (OneOf<K, `${K}Path`, `${K}Path`> & None<K>)
export type OptionalSecret<K extends string> = SecretOf<K> | None<K | `${K}Path`>

export type ClientSecretSettings = Application & { readonly mode: 'clientSecret' } & SecretOf<'clientSecret'>

export type ClientCertificateSettings = Application & {
  readonly mode: 'clientCertificate'
  /** Path of a PEM file with the certificate and its private key. Its password is optional. */
  readonly clientCertificatePath: string
} & OptionalSecret<'clientCertificatePassword'>

export interface WorkloadIdentitySettings extends Application {
  readonly mode: 'workloadIdentity'
  /** Path of the federated token file. */
  readonly federatedTokenFile: string
}

/** A client assertion (RFC 7523) that the application signs or fetches itself. */
export interface ClientAssertionSettings extends Application {
  readonly mode: 'clientAssertion'
  /** Called for each token request. */
  readonly getAssertion: () => Promise<string>
}

/** The settings by which an application proves its identity. */
export type ApplicationSettings =
  | ClientSecretSettings
  | ClientCertificateSettings
  | WorkloadIdentitySettings
  | ClientAssertionSettings

/** How an application proves its identity. */
type ClientProof =
  | { readonly clientSecret: SecretSource }
  | CertificateProof
  | { readonly tokenFile: SettingFile }
  | { readonly getAssertion: () => Promise<string> }

/** The setting that is the proof of each mode, in the order in which `onBehalfOf` uses the first that is set. */
const proofKeys = {
  clientSecret: 'clientSecret',
  clientAssertion: 'getAssertion',
  workloadIdentity: 'federatedTokenFile',
  clientCertificate: 'clientCertificatePath',
} as const
type ProvenMode = keyof typeof proofKeys

function proofOf(settings: ModeValues, key = proofKeys[settings.authMode as ProvenMode]): ClientProof | undefined {
  if (key === 'getAssertion') return settings.getAssertion && { getAssertion: settings.getAssertion }
  if (key === 'clientSecret') {
    const clientSecret = secretOf(settings, key)
    return clientSecret && { clientSecret }
  }
  const file = fileOf(settings, key)
  if (file === undefined) return undefined
  if (key === 'federatedTokenFile') return { tokenFile: file }
  const certificatePassword = secretOf(settings, 'clientCertificatePassword')
  return { certificateFile: file, ...(certificatePassword && { certificatePassword }) }
}

/** An application with the proof of its identity. */
type Proven = SignIn & ClientProof

const isConfigured = (settings: ModeValues): boolean => proofOf(settings) !== undefined

function planProven(cloud: ResolvedCloud, settings: ModeValues): Proven {
  const proof = proofOf(settings)
  const signIn = planSignIn(cloud, settings, { [proofKeys[settings.authMode as ProvenMode]]: proof })
  refuseSharedTenant(signIn.authority.tenantId, settings.authMode)
  return { ...signIn, ...(proof as ClientProof) }
}

async function buildProven(plan: Proven, { library }: ModeTools): Promise<CredentialBackend> {
  const { clientId } = plan
  const { tenantId, ...authority } = plan.authority
  const options = { ...library.credentialOptions(), ...authority }
  return 'clientSecret' in plan
    ? new library.ClientSecretCredential(tenantId, clientId, await readSecret(plan.clientSecret), options)
    : new library.ClientAssertionCredential(tenantId, clientId, await assertionOf(plan), options)
}

/** The steps of a mode with one proof. */
const steps = { plan: planProven, build: buildProven, explain: explainProof }

/** An application can't sign in to a shared tenant. The credential library refuses these names without a reason. */
function refuseSharedTenant(tenantId: string, mode: string): void {
  if (!sharedTenants.includes(tenantId.toLowerCase())) return
  const rule = `must be the GUID or a domain name of one tenant with AUTH_MODE=${mode}`
  const evidence = { sharedTenant: tenantId }
  throw new ServiceError('SETTING_INVALID', `The tenant ${rule}, but is ${showValue(tenantId)}`, { evidence })
}

export const clientSecret: Mode<ClientSecretSettings, Proven> = {
  ...steps,
  credential: 'ClientSecretCredential',
  use: 'pipelines',
  needs: 'client id and secret',
  keys: { ...applicationKeys, clientSecret: 'required', clientSecretPath: 'optional' },
  configured: isConfigured,
}

export const clientCertificate: Mode<ClientCertificateSettings, Proven> = {
  ...steps,
  credential: 'ClientCertificateCredential',
  use: 'pipelines',
  needs: 'client id and PEM file',
  keys: {
    ...applicationKeys,
    clientCertificatePath: 'required',
    clientCertificatePassword: 'optional',
    clientCertificatePasswordPath: 'optional',
  },
  configured: isConfigured,
}

export const workloadIdentity: Mode<WorkloadIdentitySettings, Proven> = {
  ...steps,
  credential: 'WorkloadIdentityCredential',
  use: 'clusters',
  needs: "client id and token file, which the cluster's webhook injects",
  keys: { ...applicationKeys, federatedTokenFile: 'required' },
  configured: isConfigured,
}

/** Library only: an environment cannot contain a callback. */
export const clientAssertion: Mode<ClientAssertionSettings, Proven> = {
  ...steps,
  credential: 'ClientAssertionCredential',
  use: 'applications that sign or fetch an assertion themselves',
  needs: 'client id and a callback',
  keys: { ...applicationKeys, getAssertion: 'required' },
}

/** Library only: one credential for each user who called the application (OAuth 2.0 on-behalf-of, RFC 7523). */
export const onBehalfOf: Mode<{ readonly mode: 'onBehalfOf' }, Proven & { readonly userAssertion: Secret }> = {
  credential: 'OnBehalfOfCredential',
  use: 'web applications that call services as their user',
  needs: 'client id, the token of the user, and a secret, certificate, token file or callback',
  keys: {},
  plan(cloud, settings) {
    const signIn = planSignIn(cloud, settings)
    const { userAssertion = new Secret('') } = settings
    const [proof] = Object.values(proofKeys).flatMap((key) => proofOf(settings, key) ?? [])
    if (proof !== undefined) return { ...signIn, userAssertion, ...proof }
    const ways = ['clientSecret', 'clientSecretPath', 'clientCertificatePath', 'federatedTokenFile'] as const
    throw missingSettings(settings, ways, 'the option getAssertion')
  },
  async build(plan, { library }) {
    const { authority, clientId, userAssertion } = plan
    const user = { clientId, userAssertionToken: userAssertion.reveal() }
    const options = { ...library.credentialOptions(), ...authority, ...user }
    return 'clientSecret' in plan
      ? new library.OnBehalfOfCredential({ ...options, clientSecret: await readSecret(plan.clientSecret) })
      : new library.OnBehalfOfCredential({ ...options, getAssertion: await assertionOf(plan) })
  },
  explain(error, plan) {
    const code = codesOfUser[error.evidence?.['errorNumber'] ?? '']
    return code === undefined ? explainProof(error, plan) : error.again({ code })
  },
}

/** The codes of errors about the token or the consent of the user. */
const codesOfUser: Readonly<Record<string, ErrorCode | undefined>> = {
  AADSTS50013: 'USER_ASSERTION_REJECTED',
  AADSTS500133: 'USER_ASSERTION_REJECTED',
  AADSTS65001: 'CONSENT_REQUIRED',
}

/** Reports an unusable file before any request. The library's WorkloadIdentityCredential would read the file without a limit. */
async function assertionOf(plan: Exclude<Proven, { clientSecret: SecretSource }>): Promise<() => Promise<string>> {
  if ('getAssertion' in plan) return async () => requireAssertion(plan.getAssertion)
  if ('tokenFile' in plan) {
    await readFederatedToken(plan.tokenFile)
    return async () => readFederatedToken(plan.tokenFile)
  }
  await readValidCertificate(plan)
  return certificateAssertion(plan.clientId, async () => readValidCertificate(plan))
}

async function readFederatedToken(file: SettingFile): Promise<string> {
  const token = await readCredentialFile(file)
  refuseReferences({ [`The value in the file of ${file.setting}`]: token.trim() })
  return token
}

/** Calls the callback of the application. @throws {ServiceError} `ARGUMENT_INVALID` if the callback fails or returns no text. */
async function requireAssertion(getAssertion: () => Promise<string>): Promise<string> {
  const assertion: unknown = await (async () => getAssertion())().catch((cause: unknown) => {
    const message = `getAssertion failed: ${nameOfError(cause)}`
    throw new ServiceError('ARGUMENT_INVALID', message, { cause, fix: 'Correct the callback getAssertion.' })
  })
  if (typeof assertion === 'string' && assertion.trim() !== '') return assertion
  const must = 'an assertion as text that is not blank'
  throw argumentError(mustBe('The result of getAssertion', must, showValue(assertion)))
}

/** Adds the expiry of the certificate, or the claims of the federated token, to the error of a rejected assertion. */
async function explainProof(error: ServiceError, plan: Proven): Promise<ServiceError> {
  if ('clientSecret' in plan) return error
  const rejected = refusedClient('CLIENT_ASSERTION_REJECTED', error)
  if ('getAssertion' in plan || rejected.code !== 'CLIENT_ASSERTION_REJECTED') return rejected
  if ('certificateFile' in plan) return explainCertificateDates(rejected, plan.certificateFile)
  return explainRejectedAssertion(rejected, async () => readFederatedToken(plan.tokenFile))
}
