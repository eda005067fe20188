import { toolNameOf } from '../profile/tool-values.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { instanceDiscoveryNotes } from './client-notes.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide as quote } from './quote.ts'

/**
 * A secret provider class of the Secrets Store CSI driver. The vault's address ends with the suffix in the environment file.
 *
 * Source: `pkg/provider` of its Azure provider, June 2026, and its page on custom environments.
 */
export const secretsStoreCsiExport = defineExport({
  name: 'secrets-store-csi',
  what: 'SecretProviderClass of the Secrets Store CSI driver',
  group: 'kubernetes',
  comment: '#',
  addByHand:
    'the names of vault and secret; `export go-autorest` as the file of `cloudEnvFileName`, through `linux.volumes` and `linux.volumeMounts` of the chart; the credential; the root among the certificates of the pod. With tenants: [instance discovery](instance-discovery.md)',
  read: 'secrets-store-csi-driver-provider-azure of June 2026',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = toolNameOf(profile, 'goAutorest')
  const { tenantId = 'TENANT_ID' } = identityProviderOf(profile)
  const cloud =
    known === undefined
      ? `    cloudName: AzureStackCloud\n    cloudEnvFileName: /etc/cloud-environment/cloud-environment.json\n`
      : `    cloudName: ${known}\n`
  const body = `apiVersion: secrets-store.csi.x-k8s.io/v1
kind: SecretProviderClass
metadata:
  name: azure-key-vault
spec:
  provider: azure
  parameters:
    keyvaultName: VAULT
    tenantID: ${quote(tenantId)}
${cloud}    objects: |
      array:
        - |
          objectName: SECRET
          objectType: secret
`
  const file = 'First: npm run --silent profile -- export go-autorest > cloud-environment.json'
  return {
    notes: ['Replace VAULT and SECRET.', ...(known === undefined ? [file] : []), ...instanceDiscoveryNotes(profile)],
    body,
  }
}
