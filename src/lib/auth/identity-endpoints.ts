import { readVariable, type Env } from '../profile/overrides.ts'

/** Variables by which a host names its identity endpoint. The credential library reads the same ones. */
const endpointVariables = [
  'IDENTITY_ENDPOINT',
  'MSI_ENDPOINT',
  'IMDS_ENDPOINT',
  'AZURE_POD_IDENTITY_AUTHORITY_HOST',
] as const

/** The link-local metadata service of a virtual machine, and the agent of a server joined by Arc. */
const defaultEndpoints = ['http://169.254.169.254/', 'http://127.0.0.1:40342/'] as const

/** Where a managed identity may be asked for: what the host names, else the two well-known local services. */
export function identityEndpoints(env: Env): string[] {
  const named = endpointVariables
    .map((name) => readVariable(env, name))
    .filter((value): value is string => value !== undefined && URL.canParse(value))
  return named.length > 0 ? named : [...defaultEndpoints]
}
