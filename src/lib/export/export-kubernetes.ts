import type { CloudProfile } from '../profile/cloud-profile.ts'
import { shouldDisableInstanceDiscovery } from '../profile/instance-discovery.ts'
import { header } from './header.ts'
import { quoteWide } from './quote.ts'
import { quoteShell } from '../profile/quote-shell.ts'
import { knownCloudOf } from '../clouds/known-cloud-of.ts'
import { authorityWithoutTenant } from '../profile/tool-values.ts'

/**
 * A POSIX shell script that makes a kubeconfig log in to this cloud with kubelogin. Its older releases read an
 * unknown cloud from the file of AZURE_ENVIRONMENT_FILEPATH, newer ones take it only from `--authority-host`: both are given.
 */
export function exportKubelogin(profile: CloudProfile): string {
  const known = knownCloudOf(profile)
  const authority = quoteShell(authorityWithoutTenant(profile))
  const options = [
    `--environment=${quoteShell(known?.autorest ?? 'AzureStackCloud')}`,
    ...(known === undefined ? [`--authority-host=${authority}`] : []),
    ...(profile.tenantId === undefined ? [] : [`--tenant-id=${quoteShell(profile.tenantId)}`]),
    ...(shouldDisableInstanceDiscovery(profile.authorityHost) ? ['--disable-instance-discovery'] : []),
  ]
  const environment =
    known === undefined
      ? [
          `export AZURE_AUTHORITY_HOST=${authority}`,
          '# Written by: npm run --silent profile -- export go-autorest > cloud-environment.json',
          'export AZURE_ENVIRONMENT_FILEPATH="${AZURE_ENVIRONMENT_FILEPATH:-$PWD/cloud-environment.json}"',
        ]
      : []
  const command = `kubelogin convert-kubeconfig \\\n  ${options.join(' \\\n  ')} "$@"`
  return `${header(profile, 'kubelogin', '#', 'Arguments are passed on: --login=workloadidentity, --server-id=ID')}${[...environment, command, ''].join('\n')}`
}

/**
 * Values of the Helm chart `workload-identity-webhook`. A cloud that it does not know by name comes as an environment
 * file in a ConfigMap.
 */
export function exportWorkloadIdentity(profile: CloudProfile): string {
  const known = knownCloudOf(profile)
  const tenant = `azureTenantID: ${quoteWide(profile.tenantId ?? '')}${profile.tenantId === undefined ? ' # required, and the profile names none' : ''}\n`
  if (known !== undefined) {
    return `${header(profile, 'workload-identity', '#')}${tenant}azureEnvironment: ${quoteWide(known.autorest)}\n`
  }
  const notes = [
    'First: npm run --silent profile -- export go-autorest > cloud-environment.json',
    'kubectl create configmap cloud-environment --namespace azure-workload-identity-system --from-file=cloud-environment.json',
    'Pods then get the authority of that file as AZURE_AUTHORITY_HOST; their code still has to disable instance discovery.',
  ]
  return `${header(profile, 'workload-identity', '#', ...notes)}${tenant}azureEnvironment: "AzureStackCloud"
extraEnv:
  - name: AZURE_ENVIRONMENT_FILEPATH
    value: /etc/cloud-environment/cloud-environment.json
extraVolumes:
  - name: cloud-environment
    configMap:
      name: cloud-environment
extraVolumeMounts:
  - name: cloud-environment
    mountPath: /etc/cloud-environment
    readOnly: true
`
}
