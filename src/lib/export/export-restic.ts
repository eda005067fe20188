import { quoteShell } from '../base/quote-shell.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { storageEndpointSuffix } from '../profile/tool-values.ts'
import { instanceDiscoveryNotes, storageAudienceNotes } from './client-notes.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { authorityVariables, exportVariables, shellAccount } from './shell-variables.ts'

/**
 * The variables of a repository of restic in a storage container.
 *
 * Source: `internal/backend/azure` of restic 0.19.
 */
export const resticExport = defineExport({
  name: 'restic',
  what: 'variables: a repository of restic',
  group: 'data',
  comment: '#',
  addByHand:
    'PLATFORM_STORAGE_ACCOUNT and STORAGE_CONTAINER before the text is sourced; AZURE_CLIENT_ID and AZURE_CLIENT_SECRET; RESTIC_PASSWORD; SSL_CERT_FILE. With tenants: [instance discovery](instance-discovery.md)',
  write,
})

function write(profile: CloudProfile): ExportText {
  const body = exportVariables({
    AZURE_ACCOUNT_NAME: `"${shellAccount}"`,
    AZURE_ENDPOINT_SUFFIX: quoteShell(storageEndpointSuffix(profile)),
    RESTIC_REPOSITORY: '"azure:${STORAGE_CONTAINER:-CONTAINER}:/"',
    ...authorityVariables(profile),
  })
  const hasBlob = /^\.blob\./i.test(profile.serviceDnsSuffixes.storage)
  const notes = [
    ...(hasBlob
      ? []
      : ['Warning: restic puts ".blob." between account and suffix, and the storage suffix of the profile has none.']),
    ...instanceDiscoveryNotes(profile),
    ...storageAudienceNotes(profile),
  ]
  return { notes, body }
}
