import { instanceDiscoveryNotes, storageAudienceNotes } from './client-notes.ts'
import { templateExport, type ExportFormat } from './define-export.ts'
import { ansibleExport, pythonSitecustomizeExport } from './export-ansible.ts'
import { azExport, azJsonExport } from './export-az.ts'
import { azureJsonExport } from './export-azure-json.ts'
import { envExport } from './export-env.ts'
import { goAutorestExport } from './export-go-autorest.ts'
import { kubeloginExport } from './export-kubelogin.ts'
import { powershellExport } from './export-powershell.ts'
import { terraformExport } from './export-terraform.ts'

const secret = 'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET'

/** The modules of the SDKs have the members of `sdk-members.ts`. */
const modules: readonly ExportFormat[] = [
  templateExport({
    name: 'typescript',
    what: 'module for @azure/identity',
    group: 'sdk',
    language: 'typescript',
    template: 'cloud.ts.tpl',
    comment: '//',
    addByHand: `${secret}; NODE_EXTRA_CA_CERTS`,
  }),
  templateExport({
    name: 'python',
    what: 'module for azure-identity',
    group: 'sdk',
    language: 'python',
    template: 'cloud.py',
    comment: '#',
    addByHand: `${secret}; REQUESTS_CA_BUNDLE; azure-identity 1.13.0 or later in a cloud with tenants. Beside a federation service the asynchronous credentials cannot sign in`,
    notes: (_, { needsSwitch }) =>
      needsSwitch === true ? ['azure-identity 1.13.0 is the oldest release that can disable instance discovery.'] : [],
  }),
  templateExport({
    name: 'dotnet',
    what: 'C# class for Azure.Identity',
    group: 'sdk',
    language: 'csharp',
    template: 'Cloud.cs',
    comment: '//',
    addByHand: `${secret}; SSL_CERT_FILE on Linux; the package Azure.ResourceManager, or the symbol CLOUD_WITHOUT_RESOURCE_MANAGER`,
    read: 'Azure.Identity 1.21, Azure.ResourceManager 1.7',
    notes: () => [
      'Trust: on Linux SSL_CERT_FILE names the PEM file of a private root. Without it a sign-in fails after four attempts (PartialChain).',
      'Needs the packages Azure.Identity 1.12 or later and Azure.ResourceManager. Without the second define CLOUD_WITHOUT_RESOURCE_MANAGER.',
    ],
  }),
  templateExport({
    name: 'java',
    what: 'class for azure-identity',
    group: 'sdk',
    language: 'java',
    template: 'Cloud.java',
    comment: '//',
    addByHand: `${secret}; a trust store with the root; azure-identity 1.9.0 or later in a cloud with tenants`,
    notes: (_, { needsSwitch }) => [
      'File name: Cloud.java',
      ...(needsSwitch === true
        ? ['azure-identity 1.9.0 is the oldest release that can disable instance discovery.']
        : []),
    ],
  }),
  templateExport({
    name: 'go',
    what: 'package for azidentity',
    group: 'sdk',
    language: 'go',
    template: 'cloud.go',
    comment: '//',
    addByHand: `${secret}; SSL_CERT_FILE`,
  }),
  templateExport({
    name: 'rust',
    what: 'module for azure_identity',
    group: 'sdk',
    language: 'rust',
    template: 'cloud.rs',
    comment: '//',
    addByHand: `${secret}; SSL_CERT_FILE. A federation service is impossible: the crate appends \`/oauth2/v2.0/token\``,
    notes: (_, { isFederation }) =>
      isFederation === true ? ['No credential: azure_identity cannot sign in at a federation service (AD FS).'] : [],
  }),
]

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

/** Every export, in the order of the help within its group. */
const formats: readonly ExportFormat[] = [
  envExport,
  azExport,
  azJsonExport,
  powershellExport,
  terraformExport,
  ansibleExport,
  pythonSitecustomizeExport,
  goAutorestExport,
  kubeloginExport,
  azureJsonExport,
  velero,
  ...modules,
]

/** Every export by its name. */
export const exportFormats: Readonly<Record<string, ExportFormat>> = Object.fromEntries(
  formats.map((format) => [format.name, format]),
)
