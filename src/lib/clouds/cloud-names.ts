import type { CloudName } from './cloud-service.ts'

/** The names of a cloud in other tools, with the tool that takes each. */
export const namesInTools: Readonly<Record<CloudName, Readonly<Record<string, string>>>> = {
  public: {
    AzureCloud: 'az, Az PowerShell, Ansible, azure/login',
    AzurePublicCloud: 'go-autorest, kubelogin, .NET',
    AzurePublic: 'azure-sdk-for-go, MSAL',
    AzureGlobalCloud: 'the older .NET management libraries',
    AZURE_PUBLIC_CLOUD: 'Python, JavaScript, Java, Rust',
  },
  usgovernment: {
    AzureUSGovernment: 'az, Az PowerShell, Ansible, azure/login',
    AzureUSGovernmentCloud: 'go-autorest, kubelogin',
    AzureGovernment: 'azure-sdk-for-go, .NET',
    AzureUsGovernment: 'MSAL',
    AZURE_US_GOVERNMENT: 'JavaScript, Java',
    AZURE_US_GOV_CLOUD: 'Python',
    AZURE_GOVERNMENT: 'Python, JavaScript',
    AZURE_GOVERNMENT_CLOUD: 'Rust',
  },
  china: {
    AzureChinaCloud: 'az, Az PowerShell, Ansible, go-autorest',
    AzureChina: 'azure-sdk-for-go, MSAL, .NET',
    AZURE_CHINA: 'Python, Java',
    AZURE_CHINA_CLOUD: 'Python, JavaScript, Rust',
  },
}

/** The names of a cloud in Terraform, Pulumi and Packer. They are plain words, so they mean a cloud only where a setting selects one. */
export const plainNames: Readonly<Record<string, CloudName>> = {
  public: 'public',
  usgovernment: 'usgovernment',
  china: 'china',
}
