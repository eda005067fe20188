import { quoteShell } from '../base/quote-shell.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { storageAudienceNotes } from './client-notes.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { authorityVariables, exportVariables, shellAccount } from './shell-variables.ts'

/**
 * A remote of rclone as variables. `env_auth` is the one way of authentication that obeys `disable_instance_discovery`: with a
 * `client_secret` in the configuration rclone ignores it.
 *
 * Source: `backend/azureblob/auth/auth.go` of rclone 1.76.
 */
export const rcloneExport = defineExport({
  name: 'rclone',
  what: 'variables: a remote of rclone',
  group: 'data',
  comment: '#',
  addByHand:
    'PLATFORM_STORAGE_ACCOUNT before the text is sourced; AZURE_CLIENT_ID and AZURE_CLIENT_SECRET; SSL_CERT_FILE',
  write,
})

function write(profile: CloudProfile): ExportText {
  const remote = remoteName(profile.name)
  const option = (name: string): string => `RCLONE_CONFIG_${remote}_${name}`
  const { disableInstanceDiscovery } = identityProviderOf(profile)
  const body = exportVariables({
    [option('TYPE')]: 'azureblob',
    [option('ENV_AUTH')]: 'true',
    [option('DISABLE_INSTANCE_DISCOVERY')]: String(disableInstanceDiscovery),
    [option('ACCOUNT')]: `"${shellAccount}"`,
    [option('ENDPOINT')]: `"https://${shellAccount}"${quoteShell(profile.serviceDnsSuffixes.storage)}`,
    ...authorityVariables(profile),
  })
  const notes = [`The remote is ${remote.toLowerCase()}: rclone ls ${remote.toLowerCase()}:CONTAINER`]
  return { notes: [...notes, ...storageAudienceNotes(profile)], body }
}

/** A remote is named by the middle of its variables. */
function remoteName(name: string): string {
  const words = name.toUpperCase().match(/[A-Z0-9]+/g) ?? ['CLOUD']
  return words.join('_')
}
