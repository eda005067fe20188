import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteHcl } from './quote.ts'
import { toolNameOf, metadataHostOf, withoutSlash } from '../profile/tool-values.ts'

/**
 * Provider blocks for Terraform. A cloud that the providers do not know by name is named by its metadata host, which
 * azurerm and azuread ask for every endpoint; azapi takes the endpoints as they are. An on-premises stack has a
 * separate provider.
 */
export const terraformExport = defineExport({
  name: 'terraform',
  what: 'provider blocks, and the backend of the state',
  group: 'infrastructure',
  comment: '#',
  addByHand:
    'ARM_CLIENT_ID, ARM_CLIENT_SECRET, ARM_SUBSCRIPTION_ID; SSL_CERT_FILE; account, container and key of the state at `init`; a metadata host with the version 2022-09-01 (`--metadata-host`)',
  read: 'the providers azurerm, azurestack, azuread and azapi',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = toolNameOf(profile, 'terraform')
  const { kind, tenantId } = identityProviderOf(profile)
  const tenant = tenantId === undefined ? {} : { tenant_id: quoteHcl(tenantId) }
  const isStack = profile.environment === 'platformstackcloud'
  const metadataHost = quoteHcl(metadataHostOf(profile))
  const cloud = known === undefined ? { metadata_host: metadataHost } : { environment: quoteHcl(known) }
  const notes = [
    'The client comes from ARM_CLIENT_ID and ARM_CLIENT_SECRET, the subscription of the providers from ARM_SUBSCRIPTION_ID.',
    'A backend takes no variables in Terraform. Give the rest of it to init:',
    '  terraform init -backend-config=subscription_id=ID -backend-config=storage_account_name=NAME \\',
    '    -backend-config=container_name=NAME -backend-config=key=NAME',
    ...(known === undefined
      ? [
          'metadata_host must serve the metadata version 2022-09-01, and 2019-05-01 for azurestack. If the resource manager serves older',
          'versions only, serve this profile with PLATFORM_SERVE_METADATA=true, and export with --metadata-host HOST.',
        ]
      : []),
    ...(kind === 'federation-service'
      ? [
          'Beside a federation service Terraform cannot sign in with this backend, azurerm or azuread: they request tokens at',
          '/oauth2/v2.0/token, which it does not have. Keep the state elsewhere. The backend of OpenTofu signs in.',
        ]
      : []),
    ...(isStack
      ? ['The environment of azurestack is the name in the metadata document. A document of the stack has another one.']
      : []),
  ]
  const blocks = [
    backend({ ...cloud, ...tenant, use_azuread_auth: 'true' }),
    isStack
      ? block('azurestack', { environment: quoteHcl(known ?? profile.name), metadata_host: metadataHost, ...tenant }, [
          'features {}',
        ])
      : block('azurerm', { ...cloud, ...tenant }, ['features {}']),
    ...(isStack ? [] : [block('azuread', { ...cloud, ...tenant })]),
    block('azapi', { ...tenant, ...(known === undefined ? azapiEndpoints(profile) : cloud) }),
  ]
  return { notes, body: `\n${blocks.join('\n')}` }
}

function azapiEndpoints(profile: CloudProfile): HclArguments {
  return {
    environment: quoteHcl('custom'),
    disable_instance_discovery: String(identityProviderOf(profile).disableInstanceDiscovery),
    endpoint: `[{
    active_directory_authority_host = ${quoteHcl(identityProviderOf(profile).authorityBase)}
    resource_manager_endpoint       = ${quoteHcl(profile.resourceManagerEndpoint)}
    resource_manager_audience       = ${quoteHcl(withoutSlash(profile.resourceManagerAudience))}
  }]`,
  }
}

type HclArguments = Readonly<Record<string, string>>

function block(provider: string, settings: HclArguments, first: readonly string[] = []): string {
  const lines = [...first, ...assignments(settings)]
  return `provider "${provider}" {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
}

/** Where the state is kept. */
function backend(settings: HclArguments): string {
  const lines = assignments(settings).map((line) => `    ${line}\n`)
  return `terraform {\n  backend "azurerm" {\n${lines.join('')}  }\n}\n`
}

/** As `terraform fmt` aligns them. A value of several lines is not aligned, and must come last here. */
function assignments(settings: HclArguments): string[] {
  const entries = Object.entries(settings)
  const width = Math.max(...entries.map(([name, value]) => (value.includes('\n') ? 0 : name.length)))
  return entries.map(([name, value]) => `${value.includes('\n') ? name : name.padEnd(width)} = ${value}`)
}
