import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { toolNameOf, withoutDot } from '../profile/tool-values.ts'
import { instanceDiscoveryNotes } from './client-notes.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide as quote } from './quote.ts'

/**
 * A secret store of External Secrets Operator for a key vault. Its older SDK, which is its default, has no custom clouds.
 *
 * Source: `apis/externalsecrets/v1/secretstore_azurekv_types.go` of its chart 2.9.
 */
export const externalSecretsExport = defineExport({
  name: 'external-secrets',
  what: 'SecretStore of External Secrets Operator',
  group: 'kubernetes',
  comment: '#',
  addByHand:
    'the name of the vault; a Secret `azure-credential` with `client-id` and `client-secret`; SSL_CERT_FILE in the pod. With tenants: [instance discovery](instance-discovery.md)',
  read: 'external-secrets, chart 2.9',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = toolNameOf(profile, 'goAutorest')
  const { authorityBase, tenantId = 'TENANT_ID' } = identityProviderOf(profile)
  const custom = `      environmentType: AzureStackCloud
      useAzureSDK: true
      customCloudConfig:
        activeDirectoryEndpoint: ${quote(authorityBase)}
        keyVaultEndpoint: ${quote(profile.serviceAudiences.keyVault)}
        keyVaultDNSSuffix: ${quote(withoutDot(profile.serviceDnsSuffixes.keyVault))}
        resourceManagerEndpoint: ${quote(profile.resourceManagerEndpoint)}
`
  const body = `apiVersion: external-secrets.io/v1
kind: SecretStore
metadata:
  name: azure-key-vault
spec:
  provider:
    azurekv:
      authType: ServicePrincipal
      vaultUrl: ${quote(`https://VAULT${profile.serviceDnsSuffixes.keyVault}`)}
      tenantId: ${quote(tenantId)}
${known === undefined ? custom : `      environmentType: ${known.replace(/^Azure/, '')}\n`}      authSecretRef:
        clientId: { name: azure-credential, key: client-id }
        clientSecret: { name: azure-credential, key: client-secret }
`
  return { notes: ['Replace VAULT.', ...instanceDiscoveryNotes(profile)], body }
}
