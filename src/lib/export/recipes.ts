import { equalUrls } from '../base/address.ts'
import { usualStorageAudience } from '../clouds/known-clouds.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { templateExport, type ExportFormat } from './define-export.ts'

/** A warning for a client that requests its tokens for the storage audience of the public cloud, where the profile has another one. */
export function storageAudienceNotes({ serviceAudiences }: CloudProfile): readonly string[] {
  return equalUrls(serviceAudiences.storage, usualStorageAudience)
    ? []
    : [
        `Warning: it requests tokens for ${usualStorageAudience} in every cloud. The profile has another storage audience:`,
        'the cloud must accept both, or the login fails with AADSTS500011 and the storage account responds with 401.',
      ]
}

/** The instructions for a client that cannot skip the public instance discovery. It does not need it for a federation service. */
export function instanceDiscoveryNotes(profile: CloudProfile): readonly string[] {
  const { kind, disableInstanceDiscovery } = identityProviderOf(profile)
  return kind === 'multi-tenant' && disableInstanceDiscovery
    ? ['It asks the public instance discovery before each login: set up docs/other-tools.md first.']
    : []
}

const environmentFile = (isNeeded: boolean) =>
  isNeeded ? ['First: cloud-profile export go-autorest > cloud-environment.json'] : []

/** A text for one tool, which its reader completes and keeps. This project does not run these tools. */
const rows: readonly ExportFormat[] = [
  templateExport({
    name: 'bicep',
    what: 'bicepconfig.json: the cloud and its registries',
    language: 'json',
    template: 'recipes/bicepconfig.json',
    comment: '//',
    addByHand: 'BICEP_TRUSTED_CLOUDS, which `cloud-profile run` sets: without it Bicep ignores the cloud',
    read: 'Bicep 0.49.2',
    notes: () => ['Bicep requests its tokens for the resource manager endpoint, whatever audience the profile has.'],
  }),
  templateExport({
    name: 'pulumi',
    what: 'configuration of a stack',
    language: 'yaml',
    template: 'recipes/pulumi.yaml',
    comment: '#',
    addByHand: 'ARM_CLIENT_ID, ARM_CLIENT_SECRET, the subscription; a metadata host with the version 2022-09-01',
    read: 'the configuration of pulumi-azure-native, pulumi-azure and pulumi-azuread',
    notes: () => ['File name: Pulumi.STACK.yaml. Only azure-native signs in beside a federation service.'],
  }),
  templateExport({
    name: 'external-secrets',
    what: 'SecretStore of External Secrets Operator',
    language: 'yaml',
    template: 'recipes/external-secrets.yaml',
    comment: '#',
    addByHand: 'a Secret `azure-credential` with `client-id` and `client-secret`; SSL_CERT_FILE in the pod',
    read: 'external-secrets, chart 2.9',
    notes: (profile) => ['Replace VAULT.', ...instanceDiscoveryNotes(profile)],
  }),
  templateExport({
    name: 'keda',
    what: 'triggers of a ScaledObject',
    language: 'yaml',
    template: 'recipes/keda.yaml',
    comment: '#',
    addByHand: 'a TriggerAuthentication with `azure-workload`; SSL_CERT_FILE in the pod of the operator',
    read: 'KEDA 2.20',
    notes: (profile) => [
      'Replace the words in capitals.',
      ...instanceDiscoveryNotes(profile),
      ...storageAudienceNotes(profile),
    ],
  }),
  templateExport({
    name: 'secrets-store-csi',
    what: 'SecretProviderClass',
    language: 'yaml',
    template: 'recipes/secrets-store-csi.yaml',
    comment: '#',
    addByHand: 'the environment file through `linux.volumes` of the chart; the credential; the root in the pod',
    read: 'secrets-store-csi-driver-provider-azure of June 2026',
    notes: (profile, { isKnown }) => [
      'Replace VAULT and SECRET.',
      ...environmentFile(isKnown !== true),
      ...instanceDiscoveryNotes(profile),
    ],
  }),
  templateExport({
    name: 'flux',
    what: 'JSON for AZURE_ENVIRONMENT_FILEPATH of the controllers',
    language: 'json',
    template: 'recipes/flux.json',
    addByHand: 'a ConfigMap with the file, AZURE_ENVIRONMENT_FILEPATH, AZURE_AUTHORITY_HOST and SSL_CERT_FILE',
    read: 'fluxcd/pkg of July 2026',
  }),
  templateExport({
    name: 'prometheus',
    what: 'azure_sd_configs of Prometheus 2; version 3 knows clouds by name only',
    language: 'yaml',
    template: 'recipes/prometheus.yaml',
    comment: '#',
    addByHand: 'AZURE_ENVIRONMENT_FILEPATH with `export go-autorest`; SSL_CERT_FILE',
    read: 'Prometheus 2.42 and 3, which ran with it before it became a recipe',
    notes: (_, { isKnown }) => ['Replace the words in capitals.', ...environmentFile(isKnown !== true)],
  }),
  templateExport({
    name: 'grafana',
    what: 'variables of the Azure data sources',
    language: 'shell',
    template: 'recipes/grafana.sh',
    comment: '#',
    addByHand: 'the credential in the data source, with the cloud chosen by its display name; SSL_CERT_FILE',
    read: 'grafana-azure-sdk-go 2.4, the settings of Grafana',
    notes: instanceDiscoveryNotes,
  }),
  templateExport({
    name: 'workload-identity',
    what: 'Helm values of the webhook, chart 1.6.0 or later',
    language: 'yaml',
    template: 'recipes/workload-identity.yaml',
    comment: '#',
    addByHand: 'the ConfigMap; in the pods, instance discovery disabled and the root trusted',
    read: 'the chart workload-identity-webhook 1.6.0',
    notes: (_, { isKnown }) => [
      ...environmentFile(isKnown !== true),
      'The ConfigMap cloud-environment has that file, in the namespace azure-workload-identity-system.',
    ],
  }),
]

/** Every recipe by its name. */
export const recipes: Readonly<Record<string, ExportFormat>> = Object.fromEntries(rows.map((row) => [row.name, row]))

/** A tool that no text can configure for a cloud which it does not know by name. */
export interface ImpossibleTool {
  readonly tool: string
  /** Markdown. */
  readonly why: string
  /** The alternative. Markdown. */
  readonly instead: string
}

/** Tools that a user looks for in vain among the exports. */
export const impossibleTools: readonly ImpossibleTool[] = [
  {
    tool: 'cert-manager',
    why: '`environment` of its DNS solver takes known clouds by name only',
    instead: 'another solver (HTTP-01, or DNS through a webhook)',
  },
  {
    tool: 'Cluster API (CAPZ)',
    why: '`azureEnvironment` takes known clouds by name only',
    instead: 'clusters made by another tool',
  },
  {
    tool: 'Dapr',
    why: '`azureEnvironment` of its components takes known clouds by name only',
    instead: 'a component that needs no Azure login, or the SDK in the application',
  },
  {
    tool: 'Prometheus 3',
    why: '`environment` of `azure_sd_configs` takes known clouds by name only',
    instead: 'Prometheus 2, or `file_sd_configs`',
  },
]
