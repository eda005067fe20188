/** Programs that ran with `cloud-profile run --enclave --isolate --report`, by hand: they are not part of `npm run interop`. */
type Row = readonly [
  program: string,
  version: string,
  language: string,
  operation: string,
  hosts: string,
  without: string,
]

export const unmodifiedHead = ['Program', 'Version', 'Language', 'Operation', 'Hosts in the report', 'Without run']

const asks = 'asks the public instance discovery'
const byDefault = 'signs in at the public authority'

/** In a private cloud with tenants. */
export const inPrivateCloud: readonly Row[] = [
  [
    'azure-identity, azure-storage-blob, azure-keyvault-secrets',
    '1.27.0',
    'Python',
    'a blob written and read, secrets listed',
    'login, blob, vault',
    asks,
  ],
  ['MSAL', '1.39.0', 'Python', 'a token', 'login', asks],
  ['adlfs (asynchronous credentials)', '2026.8.0', 'Python', 'containers listed', 'login, blob', asks],
  [
    'Cloud Custodian (c7n-azure), with `--python-hook`',
    '0.7.52',
    'Python',
    'resource groups queried',
    'login, resource manager',
    'knows clouds by name only',
  ],
  ['deltalake (object_store)', '1.6.6', 'Rust', 'a table looked for', 'login, blob', 'does not trust the private root'],
  [
    'azidentity, azblob (DefaultAzureCredential)',
    'latest of November 2026',
    'Go',
    'containers listed',
    'login, blob',
    asks,
  ],
  [
    '@azure/identity, @azure/storage-blob (DefaultAzureCredential)',
    '4.14.1',
    'JavaScript',
    'a blob written and read',
    'login, blob',
    asks,
  ],
  [
    'azure-identity, azure-storage-blob (DefaultAzureCredential)',
    '1.18.1',
    'Java',
    'containers listed',
    'login, blob',
    `${asks}, ignores HTTPS_PROXY and trusts its own store`,
  ],
]

/** With `--cloud platform-us-government`. */
export const asGovernment: readonly Row[] = [
  [
    'az',
    '2.91.0',
    'Python',
    'a login, blobs and secrets listed',
    'login, resource manager, blob, vault; two of the public cloud: telemetry and the check for updates',
    'knows this cloud by its name',
  ],
  ['smart_open', '9.0.2', 'Python', 'a blob written and read', 'login, blob', byDefault],
  ['obstore (object_store)', '0.12.1', 'Rust', 'a blob written and read, blobs listed', 'login, blob', byDefault],
  ['Apache OpenDAL', '0.47.12', 'Rust', 'a blob written and read, blobs listed', 'login, blob', byDefault],
  ['sops', '3.9.4', 'Go', 'a file encrypted and decrypted with a key of a vault', 'login, vault', byDefault],
  [
    'unstorage (azure-storage-blob)',
    '1.17.6',
    'JavaScript',
    'a value written and read, keys listed',
    'login, blob',
    byDefault,
  ],
  [
    'Hadoop (ABFS)',
    '3.4.1',
    'Java',
    'a folder and a file created',
    'login, dfs',
    'takes the token endpoint from its configuration',
  ],
]
