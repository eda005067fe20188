/** What is used of the credential library and of the library beneath it. By name, so that a bundler leaves out the rest. */
export { createEmptyPipeline, createHttpHeaders, createPipelineRequest, logPolicy } from '@azure/core-rest-pipeline'
export {
  ClientAssertionCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  UsernamePasswordCredential,
} from '@azure/identity'
export { createClientLogger } from '@azure/logger'
export { ManagedIdentityApplication } from '@azure/msal-node'
