import type { CredentialValues } from '../settings/credential-values.ts'

/** The link-local metadata service of a virtual machine, and the agent of a server that Azure Arc manages. */
const defaultEndpoints = ['http://169.254.169.254/', 'http://127.0.0.1:40342/'] as const

/** The endpoints of managed identities: those that the host names, else the two well-known local services. */
export function identityEndpoints(injected: CredentialValues['injected']): string[] {
  const { identityEndpoint, msiEndpoint, imdsEndpoint, podIdentityHost } = injected
  const named = [identityEndpoint, msiEndpoint, imdsEndpoint, podIdentityHost].filter(
    (value): value is string => value !== undefined && URL.canParse(value),
  )
  return named.length > 0 ? named : [...defaultEndpoints]
}
