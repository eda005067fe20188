import { servicesOf } from '../clouds/services-of.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { toolNameOf, storageEndpointSuffix, withoutDot } from '../profile/tool-values.ts'
import { instanceDiscoveryNotes, storageAudienceNotes } from './client-notes.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide as quote } from './quote.ts'

/**
 * Triggers of a ScaledObject of KEDA. Its storage scalers take the endpoint suffix; the others take the authority too.
 *
 * Source: `pkg/scalers/azure/azure_cloud_environment.go` and the scalers of KEDA 2.20.
 */
export const kedaExport = defineExport({
  name: 'keda',
  what: 'triggers of a ScaledObject of KEDA',
  group: 'kubernetes',
  comment: '#',
  addByHand:
    'account, container, queue; a TriggerAuthentication with `azure-workload`; AZURE_AUTHORITY_HOST and SSL_CERT_FILE in the pod of the operator. With tenants: [instance discovery](instance-discovery.md)',
  read: 'KEDA 2.20',
  write,
})

function write(profile: CloudProfile): ExportText {
  const known = toolNameOf(profile, 'goAutorest')
  const { authorityBase } = identityProviderOf(profile)
  const logAnalytics = servicesOf(profile).logAnalytics?.url
  const cloud = (fields: Readonly<Record<string, string>>): readonly string[] =>
    known === undefined
      ? ['cloud: Private', ...Object.entries(fields).map(([name, value]) => `${name}: ${quote(value)}`)]
      : [`cloud: ${known}`]
  const trigger = (type: string, lines: readonly string[]): string =>
    `  - type: ${type}\n    metadata:\n${lines.map((line) => `      ${line}\n`).join('')}    authenticationRef:\n      name: azure-workload-identity\n`
  const suffix = profile.serviceDnsSuffixes.storage
  const authority = { activeDirectoryEndpoint: authorityBase }
  const body = [
    'triggers:\n',
    trigger('azure-blob', [
      ...cloud({ endpointSuffix: withoutDot(suffix), ...authority }),
      'accountName: ACCOUNT',
      'blobContainerName: CONTAINER',
    ]),
    trigger('azure-queue', [
      ...cloud({ endpointSuffix: `queue.${storageEndpointSuffix(profile)}`, ...authority }),
      'accountName: ACCOUNT',
      'queueName: QUEUE',
    ]),
    ...(logAnalytics === undefined
      ? []
      : [
          trigger('azure-log-analytics', [
            ...cloud({ logAnalyticsResourceURL: logAnalytics, ...authority }),
            'workspaceId: WORKSPACE_ID',
            'query: QUERY',
            'threshold: "1"',
          ]),
        ]),
  ].join('')
  const notes = [
    'Replace the words in capitals, and delete the triggers that are not wanted.',
    'The storage scalers sign in at AZURE_AUTHORITY_HOST of the operator, which the workload identity webhook sets.',
    ...instanceDiscoveryNotes(profile),
    ...storageAudienceNotes(profile),
  ]
  return { notes, body }
}
