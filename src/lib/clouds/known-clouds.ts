/** What is known of a cloud that credential libraries and other tools know by name. */
export interface KnownCloud {
  readonly authorityHost: string
  /** Older names of the authority, by host. Credential libraries do not know them. */
  readonly authorityAliases: readonly string[]
  readonly resourceManagerEndpoint: string
  /** Identifiers that its resource manager accepts as the audience of a token. */
  readonly audiences: readonly [string, ...string[]]
  /** In `az cloud list`, in the Az module of PowerShell and in Ansible. */
  readonly az: string
  /** In go-autorest, and so in kubelogin and the workload identity webhook. */
  readonly autorest: string
  /** In the providers of Terraform and Pulumi. */
  readonly terraform: string
}

/** The three clouds whose login authorities the public instance discovery knows. */
export const knownClouds: readonly KnownCloud[] = [
  {
    authorityHost: 'https://login.microsoftonline.com/',
    authorityAliases: ['login.windows.net'],
    resourceManagerEndpoint: 'https://management.azure.com/',
    audiences: ['https://management.azure.com/', 'https://management.core.windows.net/'],
    az: 'AzureCloud',
    autorest: 'AzurePublicCloud',
    terraform: 'public',
  },
  {
    authorityHost: 'https://login.microsoftonline.us/',
    authorityAliases: [],
    resourceManagerEndpoint: 'https://management.usgovcloudapi.net/',
    audiences: ['https://management.usgovcloudapi.net/', 'https://management.core.usgovcloudapi.net/'],
    az: 'AzureUSGovernment',
    autorest: 'AzureUSGovernmentCloud',
    terraform: 'usgovernment',
  },
  {
    authorityHost: 'https://login.chinacloudapi.cn/',
    authorityAliases: ['login.partner.microsoftonline.cn'],
    resourceManagerEndpoint: 'https://management.chinacloudapi.cn/',
    audiences: ['https://management.chinacloudapi.cn/', 'https://management.core.chinacloudapi.cn/'],
    az: 'AzureChinaCloud',
    autorest: 'AzureChinaCloud',
    terraform: 'china',
  },
]
