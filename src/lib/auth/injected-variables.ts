import { readVariable, type Env } from '../base/env.ts'

/** The variables that a host or a cluster sets, by their names in this code. Operators do not configure them. */
export const injectedVariables = {
  /** The webhook of a cluster with federated workload identities. */
  workloadTenantId: 'AZURE_TENANT_ID',
  workloadClientId: 'AZURE_CLIENT_ID',
  workloadTokenFile: 'AZURE_FEDERATED_TOKEN_FILE',
  /** App Service, Service Fabric and Arc. */
  identityEndpoint: 'IDENTITY_ENDPOINT',
  /** Cloud Shell and machine learning. */
  msiEndpoint: 'MSI_ENDPOINT',
  /** Arc. */
  imdsEndpoint: 'IMDS_ENDPOINT',
  podIdentityHost: 'AZURE_POD_IDENTITY_AUTHORITY_HOST',
  /** App Service: present with and without an identity. */
  instanceId: 'WEBSITE_INSTANCE_ID',
  /** A pod of a cluster. */
  kubernetesHost: 'KUBERNETES_SERVICE_HOST',
} as const

/** The values that the host or cluster sets for this environment. */
export type Injected = Readonly<Record<keyof typeof injectedVariables, string | undefined>>

export function readInjected(env: Env): Injected {
  const read = Object.entries(injectedVariables).map(([key, name]) => [key, readVariable(env, name)])
  return Object.fromEntries(read) as Injected
}

/** What the credential library reads of the process for a managed identity: the endpoint, what authenticates the request there, and who asks. */
const identityVariables = [
  'IDENTITY_ENDPOINT',
  'IDENTITY_HEADER',
  'IDENTITY_SERVER_THUMBPRINT',
  'MSI_ENDPOINT',
  'MSI_SECRET',
  'IMDS_ENDPOINT',
  'AZURE_POD_IDENTITY_AUTHORITY_HOST',
  'DEFAULT_IDENTITY_CLIENT_ID',
] as const

/** The variables of a managed identity that are set. Two of them are secrets. */
export function readIdentityVariables(env: Env): Env {
  const read = identityVariables.map((name) => [name, readVariable(env, name)] as const)
  return Object.fromEntries(read.filter(([, value]) => value !== undefined))
}
