import type { CredentialSettings } from './credential-settings.ts'

/** The link-local metadata service of a virtual machine, and the agent of a server joined by Arc. */
const defaultEndpoints = ['http://169.254.169.254/', 'http://127.0.0.1:40342/'] as const

/** Where a managed identity may be asked for: what the host names, else the two well-known local services. */
export function identityEndpoints(injected: CredentialSettings['injected']): string[] {
  const { identityEndpoint, msiEndpoint, imdsEndpoint, podIdentityHost } = injected
  const named = [identityEndpoint, msiEndpoint, imdsEndpoint, podIdentityHost].filter(
    (value): value is string => value !== undefined && URL.canParse(value),
  )
  return named.length > 0 ? named : [...defaultEndpoints]
}
