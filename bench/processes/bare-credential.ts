import {
  ClientAssertionCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  UsernamePasswordCredential,
  type TokenCredential,
} from '@azure/identity'
import { ManagedIdentityApplication } from '@azure/msal-node'
import { readProfile } from './read-profile.ts'

/** All classes that our credential loads of the library and of MSAL, so that both load the same code. */
export const kinds = [
  ClientAssertionCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  ManagedIdentityApplication,
  UsernamePasswordCredential,
]

const { authorityHost } = readProfile()
const { PLATFORM_TENANT_ID = '', PLATFORM_CLIENT_ID = '', PLATFORM_CLIENT_SECRET = '' } = process.env

/** A fresh credential of the library, without our code. Like ours, it shares the connections of the process. */
export function createCredential(): TokenCredential {
  return new ClientSecretCredential(PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, {
    authorityHost,
    disableInstanceDiscovery: true,
  })
}
