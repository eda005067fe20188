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
