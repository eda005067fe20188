import { withoutFinalSlashes } from '../../lib/base/address.ts'
import { quoteShell } from '../../lib/base/printable.ts'
import { knownCloudOf } from '../../lib/clouds/equal-values.ts'
import { servicesOf } from '../../lib/clouds/known-clouds.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { storageEndpointSuffix, toolNameOf, withoutDot } from '../../lib/clouds/tool-names.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'
import { defineExport, templateOf } from './define-export.ts'
import { formatJson } from './quote.ts'

const shell = templateOf(quoteShell)

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
      // For an unknown cloud, programs read the file only if it has this name.
      name: toolNameOf(profile, 'goAutorest') ?? 'AzureStackCloud',
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

const kubeloginName = (profile: CloudProfile) => knownCloudOf(profile)?.toolNames?.['goAutorest']

/** If kubelogin doesn't know the cloud by name, kubectl writes the user, because `convert-kubeconfig` would drop its authority without an error. */
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
