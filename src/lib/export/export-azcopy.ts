import { quoteShell } from '../base/quote-shell.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { storageEndpointSuffix } from '../profile/tool-values.ts'
import { instanceDiscoveryNotes, storageAudienceNotes } from './client-notes.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { exportVariables } from './shell-variables.ts'

/**
 * The variables of azcopy's automatic login, and a shell function: the hosts that may get a token have an option and no variable.
 *
 * Source: `common/environment.go` and `azcopy/credentialUtil.go` of azcopy 10.32.
 */
export const azcopyExport = defineExport({
  name: 'azcopy',
  what: 'variables and a shell function for azcopy',
  group: 'data',
  comment: '#',
  addByHand:
    'AZCOPY_SPA_APPLICATION_ID and AZCOPY_SPA_CLIENT_SECRET; SSL_CERT_FILE. With tenants: [instance discovery](instance-discovery.md)',
  read: 'azcopy 10.32',
  write,
})

function write(profile: CloudProfile): ExportText {
  const { authorityBase, tenantId } = identityProviderOf(profile)
  const variables = exportVariables({
    AZCOPY_AUTO_LOGIN_TYPE: 'SPN',
    ...(tenantId === undefined ? {} : { AZCOPY_TENANT_ID: quoteShell(tenantId) }),
    AZCOPY_ACTIVE_DIRECTORY_ENDPOINT: quoteShell(authorityBase),
  })
  const suffixes = quoteShell(`*.${storageEndpointSuffix(profile)}`)
  const body = `${variables}azcopy() {
  command azcopy "$@" --trusted-microsoft-suffixes=${suffixes}
}
`
  const notes = [
    ...(tenantId === undefined ? ['Set AZCOPY_TENANT_ID too: the profile names no tenant.'] : []),
    ...instanceDiscoveryNotes(profile),
    ...storageAudienceNotes(profile),
  ]
  return { notes, body }
}
