import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide } from './quote.ts'
import { knownCloudOf } from '../clouds/equal-values.ts'

/**
 * Values of the Helm chart `workload-identity-webhook`. A cloud that it does not know by name comes as an environment
 * file in a ConfigMap.
 */
export const workloadIdentityExport = defineExport({
  name: 'workload-identity',
  what: 'Helm values of the webhook',
  group: 'kubernetes',
  comment: '#',
  addByHand: 'the ConfigMap of `export go-autorest`; in the pods, instance discovery disabled and the root trusted',
  read: 'the chart workload-identity-webhook 1.6.0',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = knownCloudOf(profile)?.toolNames?.['goAutorest']
  const { tenantId } = identityProviderOf(profile)
  const tenant = `azureTenantID: ${quoteWide(tenantId ?? '')}${tenantId === undefined ? ' # required, and the profile names none' : ''}\n`
  if (known !== undefined) {
    return { body: `${tenant}azureEnvironment: ${quoteWide(known)}\n` }
  }
  const notes = [
    'First: npm run --silent profile -- export go-autorest > cloud-environment.json',
    'kubectl create configmap cloud-environment --namespace azure-workload-identity-system --from-file=cloud-environment.json',
    'extraEnv, extraVolumes and extraVolumeMounts exist since chart 1.6.0. An older chart ignores them; after its installation run:',
    `kubectl patch deployment azure-wi-webhook-controller-manager --namespace azure-workload-identity-system --patch '${olderChart}'`,
    'Pods then get the authority of that file as AZURE_AUTHORITY_HOST; their code still has to disable instance discovery.',
  ]
  const body = `${tenant}azureEnvironment: "AzureStackCloud"
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
  return { notes, body }
}

/** The entries that the three lists of the newer chart add to its deployment. */
const olderChart = JSON.stringify({
  spec: {
    template: {
      spec: {
        containers: [
          {
            name: 'manager',
            env: [{ name: 'AZURE_ENVIRONMENT_FILEPATH', value: '/etc/cloud-environment/cloud-environment.json' }],
            volumeMounts: [{ name: 'cloud-environment', mountPath: '/etc/cloud-environment', readOnly: true }],
          },
        ],
        volumes: [{ name: 'cloud-environment', configMap: { name: 'cloud-environment' } }],
      },
    },
  },
})
