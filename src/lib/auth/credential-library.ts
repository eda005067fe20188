/** The parts of the credential library, and of the library beneath it, that this service uses. By name, so that a bundler omits the rest. */
export { createEmptyPipeline, createHttpHeaders, createPipelineRequest, logPolicy } from '@azure/core-rest-pipeline'
export {
  ClientAssertionCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  UsernamePasswordCredential,
} from '@azure/identity'
export { createClientLogger } from '@azure/logger'
export { ManagedIdentityApplication } from '@azure/msal-node'
