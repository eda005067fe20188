import { knownCloudOf } from '../clouds/equal-values.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { instanceDiscoveryNotes, storageAudienceNotes } from './client-notes.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide as quote } from './quote.ts'

/**
 * A backup storage location of velero.
 *
 * Source: `pkg/util/azure` of velero 1.18, `backupstoragelocation.md` of its Azure plugin.
 */
export const veleroExport = defineExport({
  name: 'velero',
  what: 'BackupStorageLocation',
  group: 'data',
  comment: '#',
  addByHand:
    'account, container, the root certificate in base64; a credentials file with AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, without AZURE_CLOUD_NAME. With tenants: [instance discovery](instance-discovery.md)',
  read: 'velero-plugin-for-microsoft-azure',
  write,
})

function write(profile: CloudProfile): ExportText {
  const { authorityBase } = identityProviderOf(profile)
  const hasPrivateRoot = knownCloudOf(profile) === undefined
  const body = `apiVersion: velero.io/v1
kind: BackupStorageLocation
metadata:
  name: default
  namespace: velero
spec:
  provider: velero.io/azure
  objectStorage:
    bucket: CONTAINER
${hasPrivateRoot ? '    caCert: ROOTCERTIFICATE= # replace: the PEM of the root in base64\n' : ''}  config:
    storageAccount: ACCOUNT
    storageAccountURI: ${quote(`https://ACCOUNT${profile.serviceDnsSuffixes.storage}`)}
    useAAD: "true"
    activeDirectoryAuthorityURI: ${quote(authorityBase)}
`
  const notes = [
    hasPrivateRoot ? 'Replace ACCOUNT, CONTAINER and ROOTCERTIFICATE=.' : 'Replace ACCOUNT and CONTAINER.',
    ...instanceDiscoveryNotes(profile),
    ...storageAudienceNotes(profile),
  ]
  return { notes, body }
}
