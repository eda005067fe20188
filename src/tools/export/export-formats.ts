import { azExport, azJsonExport } from './export-az.ts'
import { envExport } from './export-env.ts'
import { templateExport, type ExportFormat } from './define-export.ts'
import { equalUrls } from '../../lib/base/address.ts'
import { usualStorageAudience } from '../../lib/clouds/known-clouds.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'

/**
 * A script for the Az module: adds the environment with every endpoint given, or, with `-Discover`, by the resource
 * manager's endpoint alone, whose metadata names the rest; then signs in. An environment that the module knows is used
 * by its name.
 */
const powershell = templateExport({
  name: 'powershell',
  what: 'PowerShell script: add the environment, sign in',
  group: 'command-line',
  language: 'powershell',
  template: 'environment.ps1',
  comment: '#',
  isScript: true,
  addByHand:
    'the variables of one sign-in: PLATFORM_CLIENT_ID with PLATFORM_CLIENT_SECRET, PLATFORM_CLIENT_CERTIFICATE_PATH (PKCS#12) or PLATFORM_FEDERATED_TOKEN_FILE; AUTH_MODE=managedIdentity; or a device code. With a federation service PLATFORM_DIRECTORY_ID. Az.Accounts 2.17.0 or later; SSL_CERT_FILE on Linux',
  read: 'Az.Accounts 2.13.1',
  notes: (_, { isAzKnown }) => [
    ...(isAzKnown === true
      ? []
      : [
          'Give -Discover to add it by the metadata of its resource manager instead; values that no metadata contains are then missing.',
        ]),
    'AUTH_MODE chooses the sign-in: clientSecret, clientCertificate, workloadIdentity, managedIdentity or deviceCode.',
    'The module keeps the secret of a service principal in keystore.cache in the folder .Azure of the user. To keep it in memory only,',
    'run first: Disable-AzContextAutosave -Scope Process',
  ],
})

/**
 * Provider blocks for Terraform. A cloud that the providers do not know by name is named by its metadata host, which
 * azurerm and azuread ask for every endpoint; azapi takes the endpoints as they are. An on-premises stack has a
 * separate provider.
 */
const terraform = templateExport({
  name: 'terraform',
  what: 'provider blocks, and the backend of the state',
  group: 'infrastructure',
  language: 'hcl',
  template: 'providers.tf',
  comment: '#',
  addByHand:
    'ARM_CLIENT_ID, ARM_CLIENT_SECRET, ARM_SUBSCRIPTION_ID; SSL_CERT_FILE; account, container and key of the state at `init`; a metadata host with the version 2022-09-01 (`--metadata-host`)',
  read: 'the providers azurerm, azurestack, azuread and azapi',
  notes: (_, { terraformName, isFederation, isStack }) => [
    'The client comes from ARM_CLIENT_ID and ARM_CLIENT_SECRET, the subscription of the providers from ARM_SUBSCRIPTION_ID.',
    'A backend takes no variables in Terraform. Give the rest of it to init:',
    '  terraform init -backend-config=subscription_id=ID -backend-config=storage_account_name=NAME \\',
    '    -backend-config=container_name=NAME -backend-config=key=NAME',
    ...(terraformName === ''
      ? [
          'metadata_host must serve the metadata version 2022-09-01, and 2019-05-01 for azurestack. If the resource manager serves older',
          'versions only, serve this profile with PLATFORM_SERVE_METADATA=true, and export with --metadata-host HOST.',
        ]
      : []),
    ...(isFederation === true
      ? [
          'Beside a federation service Terraform cannot sign in with this backend, azurerm or azuread: they request tokens at',
          '/oauth2/v2.0/token, which it does not have. Keep the state elsewhere. The backend of OpenTofu signs in.',
        ]
      : []),
    ...(isStack === true
      ? ['The environment of azurestack is the name in the metadata document. A document of the stack has another one.']
      : []),
  ],
})

/** A play's defaults for the modules of `azure.azcollection`, for `module_defaults`. */
const ansible = templateExport({
  name: 'ansible',
  what: 'defaults of a play for azure.azcollection',
  group: 'infrastructure',
  language: 'ansible',
  template: 'module-defaults.yaml',
  comment: '#',
  addByHand:
    'AZURE_CLIENT_ID, AZURE_SECRET, AZURE_SUBSCRIPTION_ID; REQUESTS_CA_BUNDLE; for a private cloud the file of `python-sitecustomize` on PYTHONPATH. The inventory plugin does not read `module_defaults`: repeat the values in its file. `azure_rm_ad*` modules contact the public Microsoft Graph whatever the cloud',
  notes: (_, { isAzKnown }) => [
    'Put it into a play, or into a file that the play includes.',
    'The modules take all of these values as parameters, or none: without client_id they read the environment and ignore the cloud.',
    ...(isAzKnown === true
      ? []
      : [
          'They do not know this cloud: export python-sitecustomize > python/sitecustomize.py, then export PYTHONPATH=$PWD/python.',
          'For modules on another machine, set PYTHONPATH there with the keyword "environment" of the play.',
        ]),
  ],
})

/** A Python file that teaches programs a cloud that no parameter of theirs can, such as `azure.azcollection` since its release of October 2023. */
export const pythonSitecustomizeExport = templateExport({
  name: 'python-sitecustomize',
  what: 'sitecustomize.py by which Python programs know the cloud: azure.azcollection, Cloud Custodian',
  group: 'infrastructure',
  language: 'python',
  template: 'sitecustomize.py',
  comment: '#',
  addByHand:
    'its folder in PYTHONPATH where the programs run; `cloud-profile run --python-hook` does it for one program. A `sitecustomize.py` of the system is then not loaded',
  notes: (_, { isKnown }) => [
    'File name: sitecustomize.py. Python loads it from PYTHONPATH at each start.',
    ...(isKnown === true ? ['Not needed by azure.azcollection, which knows this cloud by its name.'] : []),
  ],
})

/** The environment file of go-autorest. Programs read it under the cloud name `AzureStackCloud`. */
const goAutorest = templateExport({
  name: 'go-autorest',
  what: 'JSON for AZURE_ENVIRONMENT_FILEPATH',
  group: 'kubernetes',
  language: 'json',
  template: 'environment.json',
  addByHand:
    'AZURE_ENVIRONMENT_FILEPATH with its path, and AZURE_ENVIRONMENT with its `name`; tenant, client and secret; SSL_CERT_FILE',
})

/**
 * The configuration file of the Kubernetes cloud provider and of external-dns. Only external-dns reads the addresses; the others
 * take the cloud from AZURE_ENVIRONMENT_FILEPATH, and without it from the public cloud. Credentials have a place in it too.
 *
 * Source: `provider/azure/config.go` of external-dns 0.22, `pkg/azclient` of cloud-provider-azure.
 */
const azureJson = templateExport({
  name: 'azure-json',
  what: 'azure.json of external-dns and, with AZURE_ENVIRONMENT_FILEPATH, of the cloud provider, which without it silently uses the public cloud',
  group: 'kubernetes',
  language: 'json',
  template: 'azure.json',
  addByHand:
    'subscription and resource group; `aadClientId` and `aadClientSecret`, or `useWorkloadIdentityExtension`; SSL_CERT_FILE. All readers but external-dns also need AZURE_ENVIRONMENT_FILEPATH with `export go-autorest`: without it they use the public cloud. With tenants: [instance discovery](../other-tools.md#instance-discovery)',
  read: 'cloud-provider-azure azclient 0.26',
})

/**
 * For a cloud that kubelogin does not know by name the user is written by kubectl: `kubelogin convert-kubeconfig` takes
 * `--authority-host` and `--disable-instance-discovery` and leaves both out of what it writes, so that a token would be
 * requested in the public cloud.
 */
const kubelogin = templateExport({
  name: 'kubelogin',
  what: 'shell script: convert a kubeconfig',
  group: 'kubernetes',
  language: 'shell',
  template: 'kubelogin.sh',
  comment: '#',
  addByHand: '`--login`, `--server-id`, the credential of that login; SSL_CERT_FILE',
  notes: (_, { kubeloginName }) => [
    'Arguments are passed on: --login=workloadidentity, --server-id=ID',
    ...(kubeloginName === undefined
      ? [
          'Changes the user of the current context; KUBE_USER names another.',
          'Not "kubelogin convert-kubeconfig": it loses the authority, and kubelogin would request the token in the public cloud.',
        ]
      : []),
  ],
})

/** Source: `pkg/util/azure` of velero 1.18, `backupstoragelocation.md` of its Azure plugin. */
const velero = templateExport({
  name: 'velero',
  what: 'BackupStorageLocation',
  group: 'kubernetes',
  language: 'yaml',
  template: 'velero.yaml',
  comment: '#',
  addByHand:
    'account, container, the root certificate in base64; a credentials file with AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, without AZURE_CLOUD_NAME. With tenants: [instance discovery](../other-tools.md#instance-discovery)',
  read: 'velero-plugin-for-microsoft-azure',
  notes: (profile, { hasPrivateRoot }) => [
    hasPrivateRoot === true ? 'Replace ACCOUNT, CONTAINER and ROOTCERTIFICATE=.' : 'Replace ACCOUNT and CONTAINER.',
    ...instanceDiscoveryNotes(profile),
    ...storageAudienceNotes(profile),
  ],
})

const bicep = templateExport({
  name: 'bicep',
  what: 'bicepconfig.json: the cloud and its registries',
  group: 'infrastructure',
  language: 'json',
  template: 'bicepconfig.json',
  comment: '//',
  addByHand: 'BICEP_TRUSTED_CLOUDS, which `cloud-profile run` sets: without it Bicep ignores the cloud',
  read: 'Bicep 0.49.2',
  notes: () => ['Bicep requests its tokens for the resource manager endpoint, whatever audience the profile has.'],
})

/** A warning for a client that requests its tokens for the storage audience of the public cloud, where the profile has another one. */
function storageAudienceNotes({ serviceAudiences }: CloudProfile): readonly string[] {
  return equalUrls(serviceAudiences.storage, usualStorageAudience)
    ? []
    : [
        `Warning: it requests tokens for ${usualStorageAudience} in every cloud. The profile has another storage audience:`,
        'the cloud must accept both, or the login fails with AADSTS500011 and the storage account responds with 401.',
      ]
}

/** The instructions for a client that cannot skip the public instance discovery. It does not need it for a federation service. */
function instanceDiscoveryNotes(profile: CloudProfile): readonly string[] {
  const { kind, disableInstanceDiscovery } = identityProviderOf(profile)
  return kind === 'multi-tenant' && disableInstanceDiscovery
    ? ['It asks the public instance discovery before each login: set up docs/other-tools.md first.']
    : []
}

/** Every export, in the order of the help within its group. */
const formats: readonly ExportFormat[] = [
  envExport,
  azExport,
  azJsonExport,
  powershell,
  terraform,
  ansible,
  pythonSitecustomizeExport,
  goAutorest,
  kubelogin,
  azureJson,
  velero,
  bicep,
]

/** Every export by its name. */
export const exportFormats: Readonly<Record<string, ExportFormat>> = Object.fromEntries(
  formats.map((format) => [format.name, format]),
)
