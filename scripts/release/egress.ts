/** A contact of the service, for a firewall or an approval. */
interface Egress {
  /** Stable. For a probed endpoint, the endpoint's id. */
  readonly id: string
  readonly name: string
  readonly when: string
  /** The source of the address. */
  readonly address: string
  /** The port of the address, or the default port. */
  readonly port: string
  readonly protocol: string
  /** The variables that affect the contact. */
  readonly settings: readonly string[]
  /** Whether a proxy of the environment is used. */
  readonly proxy: boolean
}

/** Every possible contact: the rows of egress.json. */
export const egress: readonly Egress[] = [
  {
    id: 'authority',
    name: 'Login authority',
    when: 'Each token attempt in every mode except managedIdentity and platformCli; each diagnostics run.',
    address: 'authorityHost of the profile; for the China authority also its network alias',
    port: 'of authorityHost; 443',
    protocol: 'https',
    settings: ['PLATFORM_CLOUD', 'CUSTOM_CLOUD_PROFILE_PATH', 'PLATFORM_AUTHORITY_HOST', 'AUTH_MODE'],
    proxy: true,
  },
  {
    id: 'identity-endpoint',
    name: 'Identity endpoint',
    when: 'Each token attempt and diagnostics run with AUTH_MODE managedIdentity. Azure Stack Hub has no identity endpoint.',
    address: 'IDENTITY_ENDPOINT or MSI_ENDPOINT, which the platform sets; else 169.254.169.254',
    port: 'of the address; 80',
    protocol: 'http, on this machine or link-local',
    settings: ['AUTH_MODE'],
    proxy: false,
  },
  {
    id: 'resource-manager',
    name: 'Resource manager',
    when: 'Each diagnostics run: one request without a token, to read the challenge, and one with the token.',
    address: 'resourceManagerEndpoint of the profile',
    port: 'of resourceManagerEndpoint; 443, for http 80',
    protocol: 'https; http only if the profile says so, and then with a token only on loopback',
    settings: ['PLATFORM_CLOUD', 'CUSTOM_CLOUD_PROFILE_PATH', 'PLATFORM_RESOURCE_MANAGER_ENDPOINT'],
    proxy: true,
  },
  {
    id: 'metadata',
    name: 'Metadata',
    when: 'Each diagnostics run, if the profile names one; each token attempt if PLATFORM_DISCOVER_AUDIENCE=true; the commands discover and drift.',
    address: 'metadataEndpoint of the profile; for discover its argument',
    port: 'of metadataEndpoint; 443, for http 80',
    protocol: 'https; http only if the address says so',
    settings: ['PLATFORM_CLOUD', 'CUSTOM_CLOUD_PROFILE_PATH', 'PLATFORM_DISCOVER_AUDIENCE'],
    proxy: true,
  },
  {
    id: 'key-vault',
    name: 'Key vault',
    when: 'Each diagnostics run, if PLATFORM_KEY_VAULT is set: without a token, then with one.',
    address: 'PLATFORM_KEY_VAULT before serviceDnsSuffixes.keyVault of the profile',
    port: '443',
    protocol: 'https',
    settings: ['PLATFORM_KEY_VAULT', 'PLATFORM_KEYVAULT_DNS_SUFFIX'],
    proxy: true,
  },
  {
    id: 'storage',
    name: 'Storage account',
    when: 'Each diagnostics run, if PLATFORM_STORAGE_ACCOUNT is set: without a token, then with one.',
    address: 'PLATFORM_STORAGE_ACCOUNT before serviceDnsSuffixes.storage of the profile',
    port: '443',
    protocol: 'https',
    settings: ['PLATFORM_STORAGE_ACCOUNT', 'PLATFORM_STORAGE_DNS_SUFFIX'],
    proxy: true,
  },
  {
    id: 'token-host',
    name: 'Other token endpoint',
    when: 'Each token attempt, if the OpenID configuration has its token endpoint on this host. A host that is not listed is never contacted.',
    address: 'PLATFORM_ALLOWED_TOKEN_HOSTS',
    port: 'as listed; 443',
    protocol: 'https',
    settings: ['PLATFORM_ALLOWED_TOKEN_HOSTS'],
    proxy: true,
  },
  {
    id: 'services',
    name: 'Further services',
    when: 'Each diagnostics run, for each entry of PLATFORM_SERVICES: a connection, without a request.',
    address: 'the name before the DNS suffix of the service in `services` of the profile',
    port: 'of the service; 443',
    protocol: 'TLS; TCP where the protocol of the service begins without TLS',
    settings: ['PLATFORM_SERVICES'],
    proxy: true,
  },
  {
    id: 'command-line-tool',
    name: "The platform's command-line tool",
    when: 'Each token attempt with AUTH_MODE platformCli. The separate process contacts its active cloud.',
    address: 'az of PATH',
    port: 'none',
    protocol: 'a child process',
    settings: ['AUTH_MODE'],
    proxy: false,
  },
  {
    id: 'dns-servers',
    name: 'DNS servers',
    when: 'Each lookup of a name above.',
    address: 'of the operating system',
    port: '53',
    protocol: 'DNS',
    settings: [],
    proxy: false,
  },
  {
    id: 'proxy',
    name: 'Proxy',
    when: 'In place of each host above with proxy true, if a proxy variable is set.',
    address: 'HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, except for NO_PROXY',
    port: 'of its address; 80',
    protocol: 'http or https',
    settings: [],
    proxy: false,
  },
]
