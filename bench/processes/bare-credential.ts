import {
  ClientAssertionCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  UsernamePasswordCredential,
  type TokenCredential,
} from '@azure/identity'
import { ManagedIdentityApplication } from '@azure/msal-node'
import { readProfile } from './read-profile.ts'

/** The kinds that ours has from the library and from the one beneath it, so that both load as much of it. */
export const kinds = [
  ClientAssertionCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  ManagedIdentityApplication,
  UsernamePasswordCredential,
]

const { authorityHost } = readProfile()
const { PLATFORM_TENANT_ID = '', PLATFORM_CLIENT_ID = '', PLATFORM_CLIENT_SECRET = '' } = process.env

/** A fresh credential of the library alone. Its connections belong to the process, as ours do. */
export function createCredential(): TokenCredential {
  return new ClientSecretCredential(PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, {
    authorityHost,
    disableInstanceDiscovery: true,
  })
}
