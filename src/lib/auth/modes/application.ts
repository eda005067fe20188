import { showValue } from '../../base/printable.ts'
import { argumentError, mustBe, nameOfError, refuseReferences, ServiceError } from '../../errors.ts'
import {
  readCredentialFile,
  readSecret,
  type SecretSource,
  type SettingFile,
  explainRejectedAssertion,
} from '../credential-file.ts'
import {
  refusedClient,
  secretOf,
  type CredentialBackend,
  type ModeTools,
  type ModeValues,
  type SignIn,
} from './mode.ts'
import { certificateAssertion } from '../library/certificate-assertion.ts'
import { type CertificateProof, explainCertificateDates, readValidCertificate } from '../read-certificate.ts'

// The settings that the modes of an application share, and how an application proves its identity.

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

export type None<K extends string> = { readonly [P in K]?: undefined }
/** One of two settings. A compiler that misses it prints this type, with both names. */
type OneOf<Value extends string, Path extends string, Given extends Value | Path> = { readonly [P in Given]: string }
/** A secret, or the path of its file, which is read again when it changes. */
export type SecretOf<K extends string> =
  | (OneOf<K, `${K}Path`, K> & None<`${K}Path`>)
  | (OneOf<K, `${K}Path`, `${K}Path`> & None<K>)
export type OptionalSecret<K extends string> = SecretOf<K> | None<K | `${K}Path`>

export interface Certificate {
  /** Path of a PEM file with the certificate and its private key. Its password is optional. */
  readonly clientCertificatePath: string
}

export const certificatePasswordKeys = {
  clientCertificatePassword: 'optional',
  clientCertificatePasswordPath: 'optional',
} as const

/** How an application proves its identity. */
export type ClientProof =
  | { readonly clientSecret: SecretSource }
  | CertificateProof
  | { readonly tokenFile: SettingFile }
  | { readonly getAssertion: () => Promise<string> }

export function certificatePasswordOf(settings: ModeValues): Pick<CertificateProof, 'certificatePassword'> {
  const certificatePassword = secretOf(settings, 'clientCertificatePassword')
  return certificatePassword === undefined ? {} : { certificatePassword }
}

export async function buildApplication(plan: SignIn & ClientProof, { library }: ModeTools): Promise<CredentialBackend> {
  const {
    clientId,
    authority: { tenantId, ...authority },
  } = plan
  const given = { ...library.credentialOptions(), ...authority }
  return 'clientSecret' in plan
    ? new library.ClientSecretCredential(tenantId, clientId, await readSecret(plan.clientSecret), given)
    : new library.ClientAssertionCredential(tenantId, clientId, await assertionOf(clientId, plan), given)
}

type AssertionProof = Exclude<ClientProof, { readonly clientSecret: SecretSource }>

/**
 * The callback that returns the client assertion. The file is read once before any request, to report an unusable file, and again for each
 * assertion. The library's WorkloadIdentityCredential would read it without a limit.
 */
export async function assertionOf(clientId: string, proof: AssertionProof): Promise<() => Promise<string>> {
  if ('getAssertion' in proof) return async () => requireAssertion(proof.getAssertion)
  if ('tokenFile' in proof) {
    await readFederatedToken(proof.tokenFile)
    return async () => readFederatedToken(proof.tokenFile)
  }
  await readValidCertificate(proof)
  return certificateAssertion(clientId, async () => readValidCertificate(proof))
}

async function readFederatedToken(file: SettingFile): Promise<string> {
  const token = await readCredentialFile(file)
  refuseReferences({ [`The value in the file of ${file.setting}`]: token.trim() })
  return token
}

/** Calls the callback of the application. @throws {ServiceError} `ARGUMENT_INVALID` if the callback fails or returns no text. */
async function requireAssertion(getAssertion: () => Promise<string>): Promise<string> {
  let assertion: unknown
  try {
    assertion = await getAssertion()
  } catch (error) {
    const message = `getAssertion failed: ${nameOfError(error)}`
    throw new ServiceError('ARGUMENT_INVALID', message, { cause: error, fix: 'Correct the callback getAssertion.' })
  }
  if (typeof assertion === 'string' && assertion.trim() !== '') return assertion
  throw argumentError(
    mustBe('The result of getAssertion', 'an assertion as text that is not blank', showValue(assertion)),
  )
}

/** Adds the expiry of the certificate, or the claims of the federated token, to the error of a rejected assertion. */
export async function explainProof(error: ServiceError, proof: ClientProof): Promise<ServiceError> {
  if ('clientSecret' in proof) return error
  const rejected = refusedClient('CLIENT_ASSERTION_REJECTED', error)
  if ('certificateFile' in proof) return explainCertificateDates(rejected, proof.certificateFile)
  if ('getAssertion' in proof) return rejected
  return explainRejectedAssertion(rejected, async () => readFederatedToken(proof.tokenFile))
}
