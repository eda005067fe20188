import commercial from '../../../cloud-profiles/platform-commercial.json' with { type: 'json' }
import usGovSecret from '../../../cloud-profiles/platform-us-gov-secret.json' with { type: 'json' }
import usGovTopSecret from '../../../cloud-profiles/platform-us-gov-topsecret.json' with { type: 'json' }
import usGovernment from '../../../cloud-profiles/platform-us-government.json' with { type: 'json' }
import stack from '../../../cloud-profiles/platformstack-custom.json' with { type: 'json' }

/** The facts about a cloud that credential libraries and other tools know by name. */
export interface KnownCloud {
  readonly authorityHost: string
  /** Whether the public instance discovery answers for the authority. By specification these are exactly three clouds. */
  readonly inPublicDiscovery: boolean
  /** Other names of the authority, by host. Source: the credential library's own table, older metadata documents. */
  readonly authorityAliases: readonly string[]
  /** Further hosts that appear as the issuer (`iss`), in older tokens. */
  readonly issuerHosts: readonly string[]
  readonly resourceManagerEndpoint: string
  /** Identifiers that its resource manager accepts as the audience of a token. Requests use the first. */
  readonly audiences: readonly [string, ...string[]]
  /** In `az cloud list`, in the Az module of PowerShell and in Ansible. */
  readonly az: string
  /** In go-autorest, and so in kubelogin and the workload identity webhook. */
  readonly autorest: string
  /** In the providers of Terraform and Pulumi. */
  readonly terraform: string
}

/** A cloud with a built-in profile, or a name in other tools, or both. */
interface Cloud {
  /** Its file, not yet validated. */
  readonly document?: { readonly name: string; readonly environment: string }
  readonly known?: KnownCloud
}

// cloud-profile-ignore: a row of the table of clouds
const publicAliases = ['login.windows.net', 'login.microsoft.com']

/** The table of clouds. A cloud more is a row more, and its file in cloud-profiles/. */
const clouds: readonly Cloud[] = [
  {
    document: commercial,
    known: {
      authorityHost: commercial.authorityHost,
      inPublicDiscovery: true,
      authorityAliases: publicAliases,
      // cloud-profile-ignore: a row of the table of clouds
      issuerHosts: ['sts.windows.net'],
      resourceManagerEndpoint: commercial.resourceManagerEndpoint,
      audiences: [commercial.resourceManagerAudience, 'https://management.core.windows.net/'],
      az: 'AzureCloud',
      autorest: 'AzurePublicCloud',
      terraform: 'public',
    },
  },
  {
    document: usGovernment,
    known: {
      authorityHost: usGovernment.authorityHost,
      inPublicDiscovery: true,
      authorityAliases: ['login.usgovcloudapi.net'],
      issuerHosts: ['sts.windows.net', 'login.microsoftonline.com'],
      resourceManagerEndpoint: usGovernment.resourceManagerEndpoint,
      audiences: [usGovernment.resourceManagerAudience, 'https://management.core.usgovcloudapi.net/'],
      az: 'AzureUSGovernment',
      autorest: 'AzureUSGovernmentCloud',
      terraform: 'usgovernment',
    },
  },
  { document: usGovSecret },
  { document: usGovTopSecret },
  { document: stack },
  {
    known: {
      authorityHost: 'https://login.chinacloudapi.cn/',
      inPublicDiscovery: true,
      authorityAliases: ['login.partner.microsoftonline.cn'],
      issuerHosts: ['sts.chinacloudapi.cn', 'login.partner.microsoftonline.cn'],
      resourceManagerEndpoint: 'https://management.chinacloudapi.cn/',
      audiences: ['https://management.chinacloudapi.cn/', 'https://management.core.chinacloudapi.cn/'],
      az: 'AzureChinaCloud',
      autorest: 'AzureChinaCloud',
      terraform: 'china',
    },
  },
]

/** The audience of storage, which is the same in every cloud that is known by name. */
export const usualStorageAudience = commercial.serviceAudiences.storage

/** The files of the built-in profiles, unchanged. */
export const builtInDocuments = clouds.flatMap(({ document }) => document ?? [])

/** The clouds that other tools know by name. */
export const knownClouds: readonly KnownCloud[] = clouds.flatMap(({ known }) => known ?? [])

/** The login authority of the public cloud, which clients ask for the instance discovery. */
export const publicAuthority = commercial.authorityHost

/** The hosts that clients ask for the public instance discovery. */
export const publicDiscoveryHosts = (): readonly string[] => [new URL(publicAuthority).host, ...publicAliases]
