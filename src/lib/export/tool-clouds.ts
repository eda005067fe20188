import { equalAuthorities, equalUrls } from '../metadata/equal-values.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'

/** A cloud that other tools know by name, so that nothing has to be registered. */
export interface ToolCloud {
  readonly authorityHost: string
  readonly resourceManagerEndpoint: string
  /** In `az cloud list`, in the Az module of PowerShell and in Ansible. */
  readonly az: string
  /** In go-autorest, and so in kubelogin and the workload identity webhook. */
  readonly autorest: string
  /** In the providers of Terraform and Pulumi. */
  readonly terraform: string
}

const toolClouds: readonly ToolCloud[] = [
  {
    authorityHost: 'https://login.microsoftonline.com/',
    resourceManagerEndpoint: 'https://management.azure.com/',
    az: 'AzureCloud',
    autorest: 'AzurePublicCloud',
    terraform: 'public',
  },
  {
    authorityHost: 'https://login.microsoftonline.us/',
    resourceManagerEndpoint: 'https://management.usgovcloudapi.net/',
    az: 'AzureUSGovernment',
    autorest: 'AzureUSGovernmentCloud',
    terraform: 'usgovernment',
  },
  {
    authorityHost: 'https://login.chinacloudapi.cn/',
    resourceManagerEndpoint: 'https://management.chinacloudapi.cn/',
    az: 'AzureChinaCloud',
    autorest: 'AzureChinaCloud',
    terraform: 'china',
  },
]

/** The cloud by which other tools know this profile: both its authority and its resource manager must be that cloud's. */
export function toolCloudOf({ authorityHost, resourceManagerEndpoint }: CloudProfile): ToolCloud | undefined {
  return toolClouds.find(
    (cloud) =>
      equalAuthorities(cloud.authorityHost, authorityHost) &&
      equalUrls(cloud.resourceManagerEndpoint, resourceManagerEndpoint),
  )
}
