import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteShell } from '../base/printable.ts'
import { knownCloudOf } from '../clouds/equal-values.ts'

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
export const kubeloginExport = defineExport({
  name: 'kubelogin',
  what: 'shell script: convert a kubeconfig',
  group: 'kubernetes',
  comment: '#',
  addByHand: '`--login`, `--server-id`, the credential of that login; SSL_CERT_FILE',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = knownCloudOf(profile)?.toolNames?.['goAutorest']
  const { authorityBase, tenantId, disableInstanceDiscovery } = identityProviderOf(profile)
  const tenant = tenantId === undefined ? [] : [`--tenant-id=${tenantId}`]
  const passedOn = 'Arguments are passed on: --login=workloadidentity, --server-id=ID'
  if (known !== undefined) {
    const options = [`--environment=${known}`, ...tenant].map(quoteShell)
    return { notes: [passedOn], body: `kubelogin convert-kubeconfig \\\n  ${options.join(' \\\n  ')} "$@"\n` }
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
  const body = `set -eu
user="\${KUBE_USER:-$(kubectl config view --minify --output 'jsonpath={.contexts[0].context.user}')}"
for argument do
  shift
  set -- "$@" "--exec-arg=$argument"
done
kubectl config set-credentials "$user" \\
  --exec-api-version=client.authentication.k8s.io/v1beta1 --exec-command=kubelogin \\
  ${options.join(' \\\n  ')} "$@"
`
  return { notes, body }
}
