import type { RuleId } from '../../src/scan/finding.ts'

/** A fault and its fix in one language. A test scans both: the first is found, the second is not. */
export interface ScanExample {
  readonly rule: RuleId
  /** For the heading of the code block. */
  readonly language: string
  readonly file: string
  readonly before: string
  readonly after: string
}

export const scanExamples: readonly ScanExample[] = [
  {
    rule: 'HARDCODED_HOST',
    language: 'typescript',
    file: 'vault.ts',
    before: 'const url = `https://${name}.vault.azure.net/`', // cloud-profile-ignore: an example of the rule
    after: 'const url = `https://${name}${cloud.keyVaultSuffix}/`',
  },
  {
    rule: 'HARDCODED_HOST',
    language: 'python',
    file: 'blob.py',
    before: 'url = f"https://{account}.blob.core.windows.net/"', // cloud-profile-ignore: an example of the rule
    after: 'url = f"https://{account}{STORAGE_SUFFIX}/"',
  },
  {
    rule: 'HARDCODED_HOST',
    language: 'go',
    file: 'blob.go',
    before: 'url := fmt.Sprintf("https://%s.blob.core.windows.net", account)', // cloud-profile-ignore: an example of the rule
    after: 'url := fmt.Sprintf("https://%s%s", account, cloudprofile.StorageSuffix)',
  },
  {
    rule: 'HARDCODED_HOST',
    language: 'csharp',
    file: 'Vault.cs',
    before: 'var url = new Uri($"https://{name}.vault.azure.net/");', // cloud-profile-ignore: an example of the rule
    after: 'var url = new Uri($"https://{name}{Cloud.KeyVaultSuffix}/");',
  },
  {
    rule: 'HARDCODED_HOST',
    language: 'java',
    file: 'Registry.java',
    before: 'String server = name + ".azurecr.io";', // cloud-profile-ignore: an example of the rule
    after: 'String server = name + Cloud.CONTAINER_REGISTRY_SUFFIX;',
  },
  {
    rule: 'HARDCODED_HOST',
    language: 'powershell',
    file: 'sql.ps1',
    before: '$server = "$name.database.windows.net"', // cloud-profile-ignore: an example of the rule
    after: '$server = $name + (Get-AzContext).Environment.SqlDatabaseDnsSuffix',
  },
  {
    rule: 'HARDCODED_HOST',
    language: 'hcl',
    file: 'main.tf',
    before: 'vault_uri = "https://${var.name}.vault.azure.net/"', // cloud-profile-ignore: an example of the rule
    after: 'vault_uri = azurerm_key_vault.main.vault_uri',
  },
  {
    rule: 'HARDCODED_HOST',
    language: 'bicep',
    file: 'main.bicep',
    before: "var url = 'https://${name}.blob.core.windows.net/'", // cloud-profile-ignore: an example of the rule
    after: "var url = 'https://${name}.blob.${environment().suffixes.storage}/'",
  },
  {
    rule: 'HARDCODED_HOST',
    language: 'yaml',
    file: 'charts/app/templates/deployment.yaml',
    before: 'image: contoso.azurecr.io/app:1.0', // cloud-profile-ignore: an example of the rule
    after: 'image: {{ .Values.cloud.containerRegistryHost }}/app:1.0',
  },
  {
    rule: 'HARDCODED_HOST',
    language: 'sh',
    file: 'upload.sh',
    before: 'url="https://$account.blob.core.windows.net"', // cloud-profile-ignore: an example of the rule
    after: 'url="https://$account.blob.$(az cloud show --query suffixes.storageEndpoint --output tsv)"',
  },
  {
    rule: 'HARDCODED_AUDIENCE',
    language: 'typescript',
    file: 'token.ts',
    before: "const token = await credential.getToken('https://vault.azure.net/.default')", // cloud-profile-ignore: an example of the rule
    after: 'const token = await credential.getToken(cloud.keyVaultScope)',
  },
  {
    rule: 'HARDCODED_AUDIENCE',
    language: 'python',
    file: 'token.py',
    before: 'token = credential.get_token("https://management.azure.com/.default")', // cloud-profile-ignore: an example of the rule
    after: 'token = credential.get_token(RESOURCE_MANAGER_SCOPE)',
  },
  {
    rule: 'HARDCODED_AUDIENCE',
    language: 'go',
    file: 'token.go',
    before: 'scopes := []string{"https://vault.azure.net/.default"}', // cloud-profile-ignore: an example of the rule
    after: 'scopes := []string{cloudprofile.KeyVaultScope}',
  },
  {
    rule: 'HARDCODED_AUDIENCE',
    language: 'csharp',
    file: 'Token.cs',
    before: 'var context = new TokenRequestContext(["https://management.azure.com/.default"]);', // cloud-profile-ignore: an example of the rule
    after: 'var context = new TokenRequestContext([Cloud.ResourceManagerScope]);',
  },
  {
    rule: 'HARDCODED_AUDIENCE',
    language: 'java',
    file: 'Token.java',
    before: 'request.addScopes("https://vault.azure.net/.default");', // cloud-profile-ignore: an example of the rule
    after: 'request.addScopes(Cloud.KEY_VAULT_SCOPE);',
  },
  {
    rule: 'HARDCODED_CLOUD_NAME',
    language: 'sh',
    file: 'login.sh',
    before: 'az cloud set --name AzureCloud', // cloud-profile-ignore: an example of the rule
    after: 'az cloud set --name "$AZURE_CLOUD_NAME"',
  },
  {
    rule: 'HARDCODED_CLOUD_NAME',
    language: 'hcl',
    file: 'provider.tf',
    before: 'provider "azurerm" {\n  features {}\n  environment = "public"\n}',
    after: 'provider "azurerm" {\n  features {}\n  environment = var.environment\n}',
  },
  {
    rule: 'HARDCODED_CLOUD_NAME',
    language: 'go',
    file: 'cloud.go',
    before: 'options.Cloud = cloud.AzurePublic', // cloud-profile-ignore: an example of the rule
    after: 'options.Cloud = cloudprofile.Cloud',
  },
  {
    rule: 'HARDCODED_CLOUD_NAME',
    language: 'csharp',
    file: 'Options.cs',
    before: 'options.AuthorityHost = AzureAuthorityHosts.AzurePublicCloud;', // cloud-profile-ignore: an example of the rule
    after: 'options.AuthorityHost = Cloud.AuthorityHost;',
  },
  {
    rule: 'HARDCODED_CLOUD_NAME',
    language: 'java',
    file: 'Profile.java',
    before: 'AzureProfile profile = new AzureProfile(AzureEnvironment.AZURE);', // cloud-profile-ignore: an example of the rule
    after: 'AzureProfile profile = new AzureProfile(new AzureEnvironment(Cloud.ENDPOINTS));',
  },
  {
    rule: 'PUBLIC_CLOUD_BY_DEFAULT',
    language: 'typescript',
    file: 'credential.ts',
    before: "import { DefaultAzureCredential } from '@azure/identity'\nconst credential = new DefaultAzureCredential()",
    after:
      "import { DefaultAzureCredential } from '@azure/identity'\nconst credential = new DefaultAzureCredential({ authorityHost: cloud.authorityHost })",
  },
  {
    rule: 'PUBLIC_CLOUD_BY_DEFAULT',
    language: 'python',
    file: 'client.py',
    before:
      'from azure.mgmt.compute import ComputeManagementClient\nclient = ComputeManagementClient(credential, subscription)',
    after:
      'from azure.mgmt.compute import ComputeManagementClient\nclient = ComputeManagementClient(\n    credential, subscription, base_url=RESOURCE_MANAGER_ENDPOINT, credential_scopes=[RESOURCE_MANAGER_SCOPE]\n)',
  },
  {
    rule: 'PUBLIC_CLOUD_BY_DEFAULT',
    language: 'go',
    file: 'credential.go',
    before:
      'import "github.com/Azure/azure-sdk-for-go/sdk/azidentity"\n\nfunc f() { azidentity.NewDefaultAzureCredential(nil) }',
    after:
      'import "github.com/Azure/azure-sdk-for-go/sdk/azidentity"\n\nfunc f() {\n\tazidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{\n\t\tClientOptions: azcore.ClientOptions{Cloud: cloudprofile.Cloud},\n\t})\n}',
  },
  {
    rule: 'PUBLIC_CLOUD_BY_DEFAULT',
    language: 'csharp',
    file: 'Client.cs',
    before: 'using Azure.ResourceManager;\nvar client = new ArmClient(credential, subscription);',
    after:
      'using Azure.ResourceManager;\nvar client = new ArmClient(credential, subscription, new ArmClientOptions { Environment = environment });',
  },
  {
    rule: 'PUBLIC_CLOUD_BY_DEFAULT',
    language: 'java',
    file: 'Credential.java',
    before: 'import com.azure.identity.*;\nclass A { Object c = new DefaultAzureCredentialBuilder().build(); }',
    after:
      'import com.azure.identity.*;\nclass A { Object c = new DefaultAzureCredentialBuilder().authorityHost(Cloud.AUTHORITY_HOST).build(); }',
  },
  {
    rule: 'PUBLIC_CLOUD_BY_DEFAULT',
    language: 'powershell',
    file: 'login.ps1',
    before: 'Connect-AzAccount -Identity',
    after: 'Connect-AzAccount -Identity -Environment $env:AZURE_ENVIRONMENT',
  },
  {
    rule: 'PUBLIC_CLOUD_BY_DEFAULT',
    language: 'hcl',
    file: 'provider.tf',
    before: 'provider "azurerm" {\n  features {}\n}',
    after: 'provider "azurerm" {\n  features {}\n  metadata_host = var.metadata_host\n}',
  },
  {
    rule: 'PUBLIC_CLOUD_BY_DEFAULT',
    language: 'yaml',
    file: '.github/workflows/deploy.yml',
    before: 'steps:\n  - uses: azure/login@v2\n    with:\n      client-id: ${{ vars.CLIENT_ID }}',
    after:
      'steps:\n  - uses: azure/login@v2\n    with:\n      client-id: ${{ vars.CLIENT_ID }}\n      environment: ${{ vars.AZURE_ENVIRONMENT }}',
  },
  {
    rule: 'PUBLIC_CLOUD_BY_DEFAULT',
    language: 'csharp',
    file: 'Storage.cs',
    before: 'var s = $"DefaultEndpointsProtocol=https;AccountName={name};AccountKey={key}";', // cloud-profile-ignore: an example of the rule
    after: 'var s = $"DefaultEndpointsProtocol=https;AccountName={name};AccountKey={key};EndpointSuffix={suffix}";',
  },
]
