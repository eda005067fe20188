import { withoutFinalSlashes } from '../../lib/base/address.ts'
import { metadataHostOf, toolNameOf } from '../../lib/clouds/tool-names.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'
import { isStackHub } from '../../lib/profile/lint-profile.ts'
import { defineExport, type Source, templateOf } from './define-export.ts'
import { quoteHcl } from './quote.ts'

const hcl = templateOf(quoteHcl)

/** Provider blocks. For an unknown cloud, azurerm and azuread read its metadata host, and azapi takes arguments. Azure Stack Hub has its own provider. */
export const terraformExport = defineExport({
  name: 'terraform',
  what: 'provider blocks, and the backend of the state',
  group: 'infrastructure',
  comment: '#',
  addByHand:
    'ARM_CLIENT_ID, ARM_CLIENT_SECRET, ARM_SUBSCRIPTION_ID; SSL_CERT_FILE; account, container and key of the state at `init`; a metadata host with the version 2022-09-01',
  reader: 'the parser and formatter of Terraform; in version 1 also its backend',
  notes: (profile) => [
    'Set ARM_CLIENT_ID and ARM_CLIENT_SECRET for the client, and ARM_SUBSCRIPTION_ID for the providers.',
    'A Terraform backend cannot contain variables. Give its other values to init:',
    '  terraform init -backend-config=subscription_id=ID -backend-config=storage_account_name=NAME \\',
    '    -backend-config=container_name=NAME -backend-config=key=NAME',
    ...(toolNameOf(profile, 'terraform') === undefined
      ? ['metadata_host must serve the metadata version 2022-09-01, and for azurestack 2019-05-01.']
      : []),
    ...(identityProviderOf(profile).kind === 'federation-service'
      ? [
          'With a federation service Terraform cannot sign in with this backend, azurerm or azuread: they request tokens at',
          '/oauth2/v2.0/token, which a federation service does not have. Store the state elsewhere, or use OpenTofu: its backend can sign in.',
        ]
      : []),
    ...(isStackHub(profile)
      ? [
          'The environment of azurestack is the name in the metadata of this service. The metadata of the stack has another name.',
        ]
      : []),
  ],
  write(profile) {
    const { tenantId: tenant, authorityBase, disableInstanceDiscovery } = identityProviderOf(profile)
    const name = toolNameOf(profile, 'terraform')
    const host = metadataHostOf(profile)
    const isStack = isStackHub(profile)
    const cloud =
      name === undefined
        ? hcl`metadata_host = ${host}
tenant_id     = ${tenant}`
        : hcl`environment = ${name}
tenant_id   = ${tenant}`
    const providers = isStack
      ? hcl`provider "azurestack" {
  features {}
  environment   = ${name ?? profile.name}
  metadata_host = ${host}
  tenant_id     = ${tenant}
}`
      : hcl`provider "azurerm" {
  features {}
  ${cloud}
}

provider "azuread" {
  ${cloud}
}`
    const azapi =
      name === undefined
        ? hcl`provider "azapi" {
  tenant_id                  = ${tenant}
  environment                = "custom"
  disable_instance_discovery = ${disableInstanceDiscovery}
  endpoint = [{
    active_directory_authority_host = ${authorityBase}
    resource_manager_endpoint       = ${profile.resourceManagerEndpoint}
    resource_manager_audience       = ${withoutFinalSlashes(profile.resourceManagerAudience)}
  }]
}`
        : hcl`provider "azapi" {
  tenant_id   = ${tenant}
  environment = ${name}
}`
    return hcl`
terraform {
  backend "azurerm" {
    environment      = ${name}
    metadata_host    = ${name === undefined ? host : undefined}
    tenant_id        = ${tenant}
    use_azuread_auth = true
  }
}

${providers}

${azapi}
${federatedAudience(profile)}`
  },
})

/** The `audience` of a federated credential. By default it is the public cloud's, which other clouds refuse (AADSTS700212). */
const federatedAudience = ({ federatedAudience: audience }: CloudProfile): Source | undefined =>
  audience === undefined
    ? undefined
    : hcl`
# For azurerm_federated_identity_credential and azuread_application_federated_identity_credential.
locals {
  federated_audience = ${audience}
}`
