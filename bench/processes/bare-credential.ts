import { createDefaultHttpClient } from '@azure/core-rest-pipeline'
import {
  ClientCertificateCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  ManagedIdentityCredential,
  UsernamePasswordCredential,
  WorkloadIdentityCredential,
  type TokenCredential,
} from '@azure/identity'
import { readProfile } from './read-profile.ts'

/** The kinds that ours has from the library, so that both load as much of it. */
export const kinds = [
  ClientCertificateCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  ManagedIdentityCredential,
  UsernamePasswordCredential,
  WorkloadIdentityCredential,
]

const { authorityHost } = readProfile()
const { PLATFORM_TENANT_ID = '', PLATFORM_CLIENT_ID = '', PLATFORM_CLIENT_SECRET = '' } = process.env

/**
 * A fresh credential of the library alone. With an HTTP client of its own, as each of ours has: the library would share
 * one, and only its first credential would open a connection.
 */
export function createCredential(): TokenCredential {
  return new ClientSecretCredential(PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, {
    authorityHost,
    disableInstanceDiscovery: true,
    httpClient: createDefaultHttpClient(),
  })
}
