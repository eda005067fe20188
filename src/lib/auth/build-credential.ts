import { readFile, stat } from 'node:fs/promises'
import type { TokenCredential } from '@azure/core-auth'
import type { HttpClient } from '@azure/core-rest-pipeline'
import {
  ClientCertificateCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  ManagedIdentityCredential,
  UsernamePasswordCredential,
  WorkloadIdentityCredential,
  type DeviceCodeInfo,
} from '@azure/identity'
import { ServiceError } from '../errors.ts'
import type { CredentialPlan, DefaultPlan, PlatformCliPlan } from './credential-plan.ts'

/** Bytes of a certificate or token file. */
const maxFileSize = 1024 * 1024

/** The plans that the credential library carries out. */
export type LibraryPlan = Exclude<CredentialPlan, PlatformCliPlan | DefaultPlan>

/**
 * Builds the library's credential of a plan. The options object is a fresh one each time: the managed identity
 * credential writes into the one it is given.
 *
 * @param onPrompt Called when a person has to sign in (deviceCode).
 * @throws {ServiceError} `CREDENTIAL_FILE_UNREADABLE` that names the variable of the file.
 */
export async function buildCredential(
  plan: LibraryPlan,
  httpClient: HttpClient,
  onPrompt: (info: DeviceCodeInfo) => void,
): Promise<TokenCredential> {
  // The guarded client retries; a second layer would only multiply the attempts.
  const options = { httpClient, retryOptions: { maxRetries: 0 } }
  if (plan.mode === 'managedIdentity') {
    return new ManagedIdentityCredential({
      ...options,
      ...(plan.clientId === undefined ? {} : { clientId: plan.clientId }),
    })
  }
  const { authorityHost, tenantId, disableInstanceDiscovery } = plan.authority
  const authority = { ...options, authorityHost, disableInstanceDiscovery }
  switch (plan.mode) {
    case 'clientSecret':
      return new ClientSecretCredential(tenantId, plan.clientId, plan.clientSecret.reveal(), authority)
    case 'clientCertificate': {
      const certificate = await readTextFile(plan.certificatePath, 'PLATFORM_CLIENT_CERTIFICATE_PATH')
      const certificatePassword = plan.certificatePassword?.reveal()
      const source = { certificate, ...(certificatePassword === undefined ? {} : { certificatePassword }) }
      return new ClientCertificateCredential(tenantId, plan.clientId, source, authority)
    }
    case 'workloadIdentity':
      await readTextFile(plan.tokenFilePath, 'PLATFORM_FEDERATED_TOKEN_FILE')
      return new WorkloadIdentityCredential({
        ...authority,
        tenantId,
        clientId: plan.clientId,
        tokenFilePath: plan.tokenFilePath,
      })
    case 'deviceCode':
      return new DeviceCodeCredential({ ...authority, tenantId, clientId: plan.clientId, userPromptCallback: onPrompt })
    case 'usernamePassword':
      return new UsernamePasswordCredential(tenantId, plan.clientId, plan.username, plan.password.reveal(), authority)
    default:
      return plan satisfies never
  }
}

/** A pipe would block the library for ever, so the file is looked at first. */
async function readTextFile(path: string, variable: string): Promise<string> {
  const unreadable = (problem: string, cause?: unknown) =>
    new ServiceError('CREDENTIAL_FILE_UNREADABLE', `The file that ${variable} names ${problem}`, { cause })
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable('does not exist or may not be read', error)
  })
  if (!found.isFile()) throw unreadable('is no regular file')
  if (found.size > maxFileSize) throw unreadable('is larger than 1 MiB')
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable('may not be read by this process', error)
  })
  if (text.trim() === '') throw unreadable('is empty')
  return text
}
