/** A program that ran with `cloud-profile run --enclave --isolate`, by hand: it is not part of `npm run interop`. */
interface UnmodifiedProgram {
  readonly program: string
  readonly version: string
  readonly language: string
  readonly operation: string
  /** What it does without `run` in a private cloud. */
  readonly without: string
}

const asksDiscovery = 'asks the public instance discovery'

export const unmodified: readonly UnmodifiedProgram[] = [
  {
    program: 'azure-identity, azure-storage-blob, azure-keyvault-secrets',
    version: '1.27.0',
    language: 'Python',
    operation: 'a blob written and read, secrets listed',
    without: asksDiscovery,
  },
  { program: 'MSAL', version: '1.39.0', language: 'Python', operation: 'a token', without: asksDiscovery },
  {
    program: 'adlfs (asynchronous credentials)',
    version: '2026.8.0',
    language: 'Python',
    operation: 'containers listed',
    without: asksDiscovery,
  },
  {
    program: 'Cloud Custodian (c7n-azure), with `--python-hook`',
    version: '0.7.52',
    language: 'Python',
    operation: 'resource groups queried',
    without: 'knows clouds by name only',
  },
  {
    program: 'deltalake (object_store)',
    version: '1.6.6',
    language: 'Rust',
    operation: 'a table looked for',
    without: 'does not trust the private root',
  },
  {
    program: 'azidentity, azblob (DefaultAzureCredential)',
    version: 'latest of November 2026',
    language: 'Go',
    operation: 'containers listed',
    without: asksDiscovery,
  },
  {
    program: '@azure/identity, @azure/storage-blob (DefaultAzureCredential)',
    version: '4.14.1',
    language: 'JavaScript',
    operation: 'a blob written and read',
    without: asksDiscovery,
  },
  {
    program: 'azure-identity, azure-storage-blob (DefaultAzureCredential)',
    version: '1.18.1',
    language: 'Java',
    operation: 'containers listed',
    without: 'asks the public instance discovery, ignores HTTPS_PROXY and trusts its own store',
  },
]
