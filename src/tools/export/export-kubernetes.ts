import { equalUrls, withoutFinalSlashes } from '../../lib/base/address.ts'
import { quoteShell } from '../../lib/base/printable.ts'
import { knownCloudOf } from '../../lib/clouds/equal-values.ts'
import { servicesOf, usualStorageAudience } from '../../lib/clouds/known-clouds.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { storageEndpointSuffix, toolNameOf, withoutDot } from '../../lib/clouds/tool-names.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'
import { defineExport } from './define-export.ts'
import { formatJson, quoteWide } from './quote.ts'
import { templateOf } from './template.ts'

const shell = templateOf(quoteShell)
const yaml = templateOf(quoteWide)

/** Programs read the environment file only for a cloud with this name. */
const autorestName = (profile: CloudProfile): string => toolNameOf(profile, 'goAutorest') ?? 'AzureStackCloud'

export const goAutorestExport = defineExport({
  name: 'go-autorest',
  what: 'JSON for AZURE_ENVIRONMENT_FILEPATH',
  group: 'kubernetes',
  addByHand:
    'AZURE_ENVIRONMENT_FILEPATH with its path, and AZURE_ENVIRONMENT with its `name`; tenant, client and secret; SSL_CERT_FILE',
  reader: 'go-autorest 0.11.30',
  write(profile) {
    const { serviceDnsSuffixes: suffixes, serviceAudiences: audiences } = profile
    const { batch, dataLake, directoryGraph, gallery, logAnalytics, microsoftGraph, postgresql } = servicesOf(profile)
    // Programs append `/.default` to the audience.
    const audience = withoutFinalSlashes(profile.resourceManagerAudience)
    return formatJson({
      name: autorestName(profile),
      managementPortalURL: profile.portalUrl,
      serviceManagementEndpoint: audience,
      resourceManagerEndpoint: profile.resourceManagerEndpoint,
      activeDirectoryEndpoint: identityProviderOf(profile).authorityBase,
      keyVaultEndpoint: audiences.keyVault,
      graphEndpoint: directoryGraph?.url,
      microsoftGraphEndpoint: microsoftGraph?.url,
      galleryEndpoint: gallery?.url,
      batchManagementEndpoint: batch?.audience,
      storageEndpointSuffix: storageEndpointSuffix(profile),
      sqlDatabaseDNSSuffix: withoutDot(suffixes.sqlServer),
      keyVaultDNSSuffix: withoutDot(suffixes.keyVault),
      containerRegistryDNSSuffix: withoutDot(suffixes.containerRegistry),
      tokenAudience: audience,
      resourceIdentifiers: {
        graph: directoryGraph?.url,
        microsoftGraph: microsoftGraph?.url,
        batch: batch?.audience,
        operationalInsights: logAnalytics?.audience,
        ossRDBMS: postgresql?.audience,
        datalake: dataLake?.audience,
        keyVault: withoutFinalSlashes(audiences.keyVault),
        storage: audiences.storage,
      },
    })
  },
})

/**
 * The configuration file of the Kubernetes cloud provider and external-dns. Only external-dns reads the addresses.
 *
 * Source: `provider/azure/config.go` of external-dns 0.22, `pkg/azclient` of cloud-provider-azure.
 */
export const azureJsonExport = defineExport({
  name: 'azure-json',
  what: 'azure.json of external-dns, and of the cloud provider, which also needs AZURE_ENVIRONMENT_FILEPATH: else it uses the public cloud',
  group: 'kubernetes',
  addByHand:
    'subscription and resource group; `aadClientId` and `aadClientSecret`, or `useWorkloadIdentityExtension`; SSL_CERT_FILE. All readers except external-dns also need AZURE_ENVIRONMENT_FILEPATH with the file of `export go-autorest`, or they use the public cloud. For a multi-tenant authority: [instance discovery](../other-tools.md#instance-discovery)',
  reader: 'a JSON parser; in version 1 also external-dns 0.20',
  write(profile) {
    const { authorityBase, tenantId = 'TENANT_ID' } = identityProviderOf(profile)
    const addresses = {
      activeDirectoryAuthorityHost: authorityBase,
      resourceManagerEndpoint: withoutFinalSlashes(profile.resourceManagerEndpoint),
      resourceManagerAudience: withoutFinalSlashes(profile.resourceManagerAudience),
    }
    return formatJson({
      cloud: autorestName(profile),
      ...(toolNameOf(profile, 'goAutorest') === undefined ? addresses : {}),
      tenantId,
      subscriptionId: 'SUBSCRIPTION_ID',
      resourceGroup: 'RESOURCE_GROUP',
    })
  },
})

const kubeloginName = (profile: CloudProfile) => knownCloudOf(profile)?.toolNames?.['goAutorest']

/**
 * If kubelogin doesn't know the cloud by name, kubectl writes the user. `kubelogin convert-kubeconfig` would drop `--authority-host` and
 * `--disable-instance-discovery` without an error. Then kubelogin would request a token in the public cloud.
 */
export const kubeloginExport = defineExport({
  name: 'kubelogin',
  what: 'shell script: convert a kubeconfig',
  group: 'kubernetes',
  comment: '#',
  isScript: true,
  addByHand: '`--login`, `--server-id`, the credential for this login; SSL_CERT_FILE',
  reader: 'kubelogin 0.2.21',
  notes: (profile) => [
    'Add arguments of kubelogin, such as --login=workloadidentity --server-id=ID',
    ...(kubeloginName(profile) === undefined
      ? [
          'This changes the user of the current context. Set KUBE_USER to change another one.',
          'Do not use "kubelogin convert-kubeconfig": it drops the authority, and kubelogin would request the token in the public cloud.',
        ]
      : []),
  ],
  write(profile) {
    const { authorityBase, tenantId, disableInstanceDiscovery } = identityProviderOf(profile)
    const name = kubeloginName(profile)
    if (name !== undefined)
      return shell`
kubelogin convert-kubeconfig \\
  --environment=${name} \\
  --tenant-id=${tenantId} \\
  "$@"`
    const discovery = disableInstanceDiscovery ? '--disable-instance-discovery' : undefined
    return shell`
set -eu
user="\${KUBE_USER:-$(kubectl config view --minify --output 'jsonpath={.contexts[0].context.user}')}"
for argument do
  shift
  set -- "$@" "--exec-arg=$argument"
done
kubectl config set-credentials "$user" \\
  --exec-api-version=client.authentication.k8s.io/v1beta1 --exec-command=kubelogin \\
  --exec-arg=get-token \\
  --exec-arg=${listItem(`--authority-host=${authorityBase}`)} \\
  --exec-arg=${tenantId && listItem(`--tenant-id=${tenantId}`)} \\
  --exec-arg=${discovery} \\
  "$@"`
  },
})

/** kubectl reads the value of an option as a line of CSV. */
const listItem = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const hasPrivateRoot = (profile: CloudProfile) => knownCloudOf(profile) === undefined

/** Source: `pkg/util/azure` of velero 1.18, `backupstoragelocation.md` of its Azure plugin. */
export const veleroExport = defineExport({
  name: 'velero',
  what: 'BackupStorageLocation',
  group: 'kubernetes',
  comment: '#',
  addByHand:
    'account, container, the root certificate in base64; a credentials file with AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, without AZURE_CLOUD_NAME. For a multi-tenant authority: [instance discovery](../other-tools.md#instance-discovery)',
  reader: 'a YAML parser; in version 1 also the storage client of velero 1.18',
  notes: (profile) => [
    hasPrivateRoot(profile) ? 'Replace ACCOUNT, CONTAINER and ROOTCERTIFICATE=.' : 'Replace ACCOUNT and CONTAINER.',
    ...instanceDiscoveryNotes(profile),
    ...(equalUrls(profile.serviceAudiences.storage, usualStorageAudience)
      ? []
      : [
          `Warning: velero requests tokens for ${usualStorageAudience} in every cloud, and the profile has another storage audience.`,
          'If the cloud does not accept both, the login fails with AADSTS500011, or the storage account responds with 401.',
        ]),
  ],
  write: (profile) => {
    const root = hasPrivateRoot(profile)
      ? yaml`caCert: ROOTCERTIFICATE= # replace: the PEM of the root in base64`
      : undefined
    return yaml`
apiVersion: velero.io/v1
kind: BackupStorageLocation
metadata:
  name: default
  namespace: velero
spec:
  provider: velero.io/azure
  objectStorage:
    bucket: CONTAINER
    ${root}
  config:
    storageAccount: ACCOUNT
    storageAccountURI: ${`https://ACCOUNT${profile.serviceDnsSuffixes.storage}`}
    useAAD: 'true'
    activeDirectoryAuthorityURI: ${identityProviderOf(profile).authorityBase}`
  },
})

/** velero can't skip the public instance discovery. No client requests it for a federation service. */
function instanceDiscoveryNotes(profile: CloudProfile): readonly string[] {
  const { kind, disableInstanceDiscovery } = identityProviderOf(profile)
  return kind === 'multi-tenant' && disableInstanceDiscovery
    ? ['velero requests the public instance discovery before each login: follow docs/other-tools.md first.']
    : []
}
