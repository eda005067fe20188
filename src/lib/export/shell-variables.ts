import { quoteShell } from '../base/quote-shell.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'

/** The storage account as a part of a double-quoted word: a variable of the service, or a name to replace. */
export const shellAccount = '${PLATFORM_STORAGE_ACCOUNT:-ACCOUNT}'

/** Lines that export variables. Each value is a whole word of a shell. */
export function exportVariables(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, word]) => `export ${name}=${word}\n`)
    .join('')
}

/** The variables by which the credential libraries find authority and tenant. */
export function authorityVariables(profile: CloudProfile): Record<string, string> {
  const { authorityBase, tenantId } = identityProviderOf(profile)
  return {
    AZURE_AUTHORITY_HOST: quoteShell(authorityBase),
    ...(tenantId === undefined ? {} : { AZURE_TENANT_ID: quoteShell(tenantId) }),
  }
}
