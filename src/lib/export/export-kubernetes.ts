import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { header } from './header.ts'
import { quoteWide } from './quote.ts'
import { quoteShell } from '../base/quote-shell.ts'
import { knownCloudOf } from '../clouds/known-cloud-of.ts'

/** How kubectl reads a list from one option: with commas between and double quotes around, as in a CSV file. */
function listItem(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * A POSIX shell script that makes a kubeconfig log in to this cloud with kubelogin.
 *
 * For a cloud that kubelogin does not know by name the user is written by kubectl: `kubelogin convert-kubeconfig` takes
 * `--authority-host` and `--disable-instance-discovery` and leaves both out of what it writes, so that a token would be
 * requested in the public cloud.
 */
export function exportKubelogin(profile: CloudProfile): string {
  const known = knownCloudOf(profile)
  const { authorityBase, tenantId, disableInstanceDiscovery } = identityProviderOf(profile)
  const tenant = tenantId === undefined ? [] : [`--tenant-id=${tenantId}`]
  const passedOn = 'Arguments are passed on: --login=workloadidentity, --server-id=ID'
  if (known !== undefined) {
    const options = [`--environment=${known.autorest}`, ...tenant].map(quoteShell)
    return `${header(profile, 'kubelogin', '#', passedOn)}kubelogin convert-kubeconfig \\\n  ${options.join(' \\\n  ')} "$@"\n`
  }
  const options = [
    'get-token',
    `--authority-host=${authorityBase}`,
    ...tenant,
    ...(disableInstanceDiscovery ? ['--disable-instance-discovery'] : []),
  ].map((option) => `--exec-arg=${quoteShell(listItem(option))}`)
  const notes = [
    passedOn,
    'Changes the user of the current context; KUBE_USER names another.',
    'Not "kubelogin convert-kubeconfig": it loses the authority, and kubelogin would request the token in the public cloud.',
  ]
  return `${header(profile, 'kubelogin', '#', ...notes)}set -eu
user="\${KUBE_USER:-$(kubectl config view --minify --output 'jsonpath={.contexts[0].context.user}')}"
for argument do
  shift
  set -- "$@" "--exec-arg=$argument"
done
kubectl config set-credentials "$user" \\
  --exec-api-version=client.authentication.k8s.io/v1beta1 --exec-command=kubelogin \\
  ${options.join(' \\\n  ')} "$@"
`
}

/**
 * Values of the Helm chart `workload-identity-webhook`. A cloud that it does not know by name comes as an environment
 * file in a ConfigMap.
 */
export function exportWorkloadIdentity(profile: CloudProfile): string {
  const known = knownCloudOf(profile)
  const { tenantId } = identityProviderOf(profile)
  const tenant = `azureTenantID: ${quoteWide(tenantId ?? '')}${tenantId === undefined ? ' # required, and the profile names none' : ''}\n`
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
