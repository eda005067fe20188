import { VERSION } from '../../lib/settings/version.ts'

/** Somebody who may be contacted. */
interface EgressRow {
  readonly who: string
  readonly when: string
  /** Where the address stands: a field of the profile, or what else. */
  readonly address: string
  /** Of the address, or what stands in when it names none. */
  readonly port: string
  readonly protocol: string
  /** The variables that decide it. */
  readonly settings: readonly string[]
  /** Whether a proxy of the environment is used. */
  readonly proxy: boolean
}

const rows: readonly EgressRow[] = [
  {
    who: 'login authority',
    when: 'Each token attempt in every mode but managedIdentity and platformCli; each look of the diagnostics.',
    address: 'authorityHost of the profile; for the China authority its own network alias too',
    port: 'of authorityHost; 443',
    protocol: 'https',
    settings: ['PLATFORM_CLOUD', 'CUSTOM_CLOUD_PROFILE_PATH', 'PLATFORM_AUTHORITY_HOST', 'AUTH_MODE'],
    proxy: true,
  },
  {
    who: 'another host that the OpenID configuration names as token endpoint',
    when: 'Never, unless it is listed.',
    address: 'PLATFORM_ALLOWED_TOKEN_HOSTS',
    port: 'as listed; 443',
    protocol: 'https',
    settings: ['PLATFORM_ALLOWED_TOKEN_HOSTS'],
    proxy: true,
  },
  {
    who: 'resource manager',
    when: 'Each look of the diagnostics: what it says to a request without a token, and whether it takes the token.',
    address: 'resourceManagerEndpoint of the profile',
    port: 'of resourceManagerEndpoint; 443, for http 80',
    protocol: 'https; http only where the profile says so, and then without a token but on loopback',
    settings: ['PLATFORM_CLOUD', 'CUSTOM_CLOUD_PROFILE_PATH', 'PLATFORM_RESOURCE_MANAGER_ENDPOINT'],
    proxy: true,
  },
  {
    who: 'metadata endpoint',
    when: 'Each look of the diagnostics, when the profile names one; a token attempt with PLATFORM_DISCOVER_AUDIENCE=true; discover and drift.',
    address: 'metadataEndpoint of the profile; for discover its argument',
    port: 'of metadataEndpoint; 443, for http 80',
    protocol: 'https; http only where the address says so',
    settings: ['PLATFORM_CLOUD', 'CUSTOM_CLOUD_PROFILE_PATH', 'PLATFORM_DISCOVER_AUDIENCE'],
    proxy: true,
  },
  {
    who: 'storage account',
    when: 'Each look of the diagnostics, when one is named.',
    address: 'PLATFORM_STORAGE_ACCOUNT before serviceDnsSuffixes.storage of the profile',
    port: '443',
    protocol: 'https',
    settings: ['PLATFORM_STORAGE_ACCOUNT', 'PLATFORM_STORAGE_DNS_SUFFIX'],
    proxy: true,
  },
  {
    who: 'key vault',
    when: 'Each look of the diagnostics, when one is named.',
    address: 'PLATFORM_KEY_VAULT before serviceDnsSuffixes.keyVault of the profile',
    port: '443',
    protocol: 'https',
    settings: ['PLATFORM_KEY_VAULT', 'PLATFORM_KEYVAULT_DNS_SUFFIX'],
    proxy: true,
  },
  {
    who: 'identity endpoint of the host',
    when: 'Each token attempt with AUTH_MODE managedIdentity.',
    address: 'IDENTITY_ENDPOINT or MSI_ENDPOINT, which the platform sets; else 169.254.169.254',
    port: 'of the address; 80',
    protocol: 'http, on this host or link-local',
    settings: ['AUTH_MODE'],
    proxy: false,
  },
  {
    who: 'command-line tool of the platform',
    when: 'Each token attempt with AUTH_MODE platformCli. It is a process of its own, which contacts the cloud it is registered with.',
    address: 'az of PATH',
    port: 'none of ours',
    protocol: 'a child process',
    settings: ['AUTH_MODE'],
    proxy: false,
  },
  {
    who: 'name servers',
    when: 'Whenever a name above is looked up.',
    address: 'of the operating system',
    port: '53',
    protocol: 'DNS',
    settings: [],
    proxy: false,
  },
  {
    who: 'proxy',
    when: 'In place of the hosts above where proxy is true, when one is set.',
    address: 'HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, except for NO_PROXY',
    port: 'of its address; 80',
    protocol: 'http or https',
    settings: [],
    proxy: false,
  },
]

/** Who is contacted, when, where and by which setting: nobody else is. For a firewall, or an approval. */
export function renderEgress(): string {
  return `${JSON.stringify({ version: VERSION, egress: rows }, undefined, 2)}\n`
}
