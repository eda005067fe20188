/** An error text of a public thread, shortened, with names and ids replaced. */
export interface ThreadText {
  /** Repository and number of the thread. */
  readonly thread: string
  readonly text: string
  /** A word of the cause that the thread found; absent if it found another than the text shows. */
  readonly cause?: RegExp
  /** Whether the patterns were written before the text was collected. */
  readonly collectedAfter?: true
}

const allowedPublic =
  "It should exactly match with one of the allowed audiences 'https://management.core.windows.net/','https://management.azure.com/'."

export const threadTexts: readonly ThreadText[] = [
  {
    thread: 'hashicorp/terraform-provider-azurerm#5009',
    text: 'Error: Unable to list provider registration status, Azure error: azure.BearerAuthorizer#WithAuthorization: Failed to refresh the Token for request to https://management.azure.com/subscriptions/ID/providers: StatusCode=400 -- Original Error: adal: Refresh request failed. Response body: {"error":{"code":"AudienceNotSupported","message":"Audience https://management.azure.com/ is not a supported MSI token audience. Supported audiences: https://management.core.usgovcloudapi.net/,https://vault.usgovcloudapi.net"}}',
    cause: /audience.*several clouds/,
  },
  {
    thread: 'Azure/azure-storage-azcopy#1406',
    text: 'failed to login with tenantID "ID", Azure directory endpoint "https://login.microsoftonline.com", autorest/adal/devicetoken: -REDACTED- occurred while handling response from the Device Endpoint: Error HTTP status != 200',
  },
  {
    thread: 'Azure/azure-xplat-cli#2645',
    text: `{ [Error: The access token has been obtained from wrong audience or resource 'https://management.core.usgovcloudapi.net/'. ${allowedPublic}] statusCode: 401, url: 'https://management.azure.com/tenants?api-version=2015-11-01' }`,
    cause: /another audience.*several clouds/,
  },
  {
    thread: 'Azure-Samples/active-directory-dotnet-webapp-multitenant-openidconnect#30',
    text: "AADSTS70001: Application with identifier 'ID' was not found in the directory contoso.onmicrosoft.com",
    cause: /no application/,
  },
  {
    thread: 'ansible-collections/azure#836',
    text: "azure_rm_virtualnetwork: (InvalidAuthenticationTokenAudience) The access token has been obtained for wrong audience or resource 'https://management.azure.com/'. It should exactly match with one of the allowed audiences 'https://management.core.usgovcloudapi.net/'",
    cause: /another audience/,
  },
  {
    thread: 'jenkinsci/azure-ad-plugin#570',
    text: 'com.microsoft.graph.http.GraphServiceException: Error code: InvalidAuthenticationToken Error message: Access token validation failure. Invalid audience. GET https://graph.microsoft.us/v1.0/users/NAME',
    cause: /another audience/,
  },
  {
    thread: 'hashicorp/go-azure-helpers#51',
    text: `Error loading state: Service returned an error. Status=401 Code='InvalidAuthenticationTokenAudience' Message='The access token has been obtained for wrong audience or resource 'https://graph.windows.net/'. ${allowedPublic}`,
    cause: /another audience/,
  },
  {
    thread: 'stephaneey/azure-apim-extension#93',
    text: `Invoke-WebRequest : {"error":{"code":"InvalidAuthenticationTokenAudience","message":"The access token has been obtained for wrong audience or resource 'https://management.azure.com/'. It should exactly match with one of the allowed audiences 'https://management.usgovcloudapi.net/'."}}`,
    cause: /another audience.*several clouds/,
  },
  {
    thread: 'Azure/azure-powershell#22535',
    text: 'DEBUG: False MSAL 4.49.1.0 Exception type: Microsoft.Identity.Client.MsalServiceException, ErrorCode: invalid_instance HTTP StatusCode 400 [Instance Discovery] Instance discovery failed - invalid instance!',
    cause: /instance discovery/,
  },
  {
    thread: 'Azure/azure-cli#27494',
    text: 'ValueError: invalid_instance: The authority you provided, https://login.stack.example/organizations, is not whitelisted. If it is indeed your legit customized domain name, you can turn off this check by passing in validate_authority=False',
    cause: /instance discovery/,
  },
  {
    thread: 'AzureAD/microsoft-authentication-library-for-go#438',
    text: 'ClientCertificateCredential: unable to resolve an endpoint: http call(https://login.microsoftonline.com/common/discovery/instance?api-version=1.1&authorization_endpoint=https%3A%2F%2Flogin.stack.example%2FID%2Foauth2%2Fv2.0%2Fauthorize)(GET) error: reply status code was 400: {"error":"invalid_instance","error_description":"AADSTS50049: Unknown or invalid instance.","error_codes":[50049]}',
    cause: /instance discovery/,
  },
  {
    thread: 'hashicorp/terraform-provider-azurerm#1778',
    text: '* provider.azurerm: Unable to list provider registration status: azure.BearerAuthorizer#WithAuthorization: Failed to refresh the Token for request to https://management.azure.com/: Post https://login.microsoftonline.com/ID/oauth2/token: x509: certificate signed by unknown authority',
    cause: /does not trust the certificate authority/,
  },
  {
    thread: 'hashicorp/terraform-provider-azurestack#191',
    text: 'Error: Error retrieving Environment from Endpoint "https://HOST/": Get "https://management.stack.example/metadata/endpoints?api-version=1.0": x509: certificate signed by unknown authority',
    cause: /does not trust the certificate authority/,
  },
  {
    thread: 'hashicorp/terraform#34427',
    text: 'Error: Failed to load state: blobs.Client#Get: Failure sending request: StatusCode=0 -- Original Error: Get "https://NAME.blob.core.windows.net/c/terraform.tfstate?sv=2022-11-02&sig=SECRET": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    cause: /does not trust the certificate authority/,
  },
  {
    thread: 'sjkp/letsencrypt-siteextension#408',
    text: 'Microsoft.IdentityModel.Clients.ActiveDirectory.AdalServiceException: AADSTS900382: Confidential Client is not supported in Cross Cloud request.',
    cause: /another cloud than the login authority/,
  },
  {
    thread: 'nicolonsky/AzureADLicensing#12',
    text: 'Get-AADLicenseSku : AADSTS900382: Confidential Client is not supported in Cross Cloud request.',
    cause: /another cloud than the login authority/,
  },
  {
    thread: 'Azure/ms-rest-nodeauth#110',
    text: '500 Error: Get Token request returned http error: 400 and server response: {"error":"invalid_request","error_description":"AADSTS900382: Confidential Client is not supported in Cross Cloud request.\\r\\n"}',
    cause: /another cloud than the login authority/,
  },
  {
    thread: 'Azure/azure-storage-java#232',
    text: 'com.microsoft.azure.storage.StorageException: The server encountered an unknown failure: at ExecutionEngine.executeWithRetry(ExecutionEngine.java:214) java.net.UnknownHostException: NAME.core.usgovcloudapi.net',
    cause: /knows the host name.*suffix/,
  },
  {
    thread: 'MSEndpointMgr/CloudLAPS#34',
    text: `{"code":"DeploymentFailed","details":[{"message":"There was a conflict. The remote name could not be resolved: 'name.file.core.windows.net'"}]}`,
    cause: /suffix belongs to another cloud/,
  },
  {
    thread: 'Azure/azure-storage-fuse#1330',
    text: 'GET https://name.blob.core.windows.net/mycontainer RESPONSE Status :: 0 :: Unable to start blobfuse. DNS server lookup failed errno=6',
    cause: /suffix belongs to another cloud/,
  },
  {
    thread: 'Azure/azure-cli#30352',
    text: "The challenge resource 'vault.adfs.stack.example' does not match the requested domain. Set `verify_challenge_resource=False` to disable",
    cause: /vault names an audience/,
  },
  {
    thread: 'MicrosoftDocs/azure-docs#75410',
    text: 'AKV10032: Invalid issuer. Expected one of https://sts.windows.net/A/, https://sts.windows.net/B/, found https://sts.windows.net/C/.',
    cause: /another tenant/,
  },
  {
    thread: 'Azure/azure-cli#22348',
    text: '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1125)',
    cause: /does not trust the certificate authority/,
  },
  {
    thread: 'Azure/azure-cli#32108',
    text: "ERROR: HTTPSConnectionPool(host='login.microsoftonline.com', port=443): Max retries exceeded (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: Missing Authority Key Identifier (_ssl.c:1032)')))",
    cause: /check certificates strictly/,
  },
  {
    thread: 'Azure/azure-cli#10079',
    text: 'Could not find a suitable TLS CA certificate bundle, invalid path: C:\\WINDOWS\\System32\\cacert.pem Traceback (most recent call last): File "cli.py", line 206',
    cause: /file of trusted certificates/,
  },
  {
    thread: 'Azure/azure-cli#28496',
    text: "azure.core.exceptions.HttpResponseError: (NoRegisteredProviderFound) No registered resource provider found for location 'eastus' and API version '2023-11-01' for type 'networkInterfaces'.",
    cause: /version of the API/,
  },
  {
    thread: 'Azure/azure-sdk-for-python#1704',
    text: "Error checking name availability: Azure Error: InvalidResourceType Message: The resource type 'checkNameAvailability' could not be found in the namespace 'Microsoft.Storage' for api version '2017_06_01'.",
    cause: /version of the API/,
  },
  {
    thread: 'microsoft/azure-pipelines-extensions#929',
    text: `Failed to query service connection API: 'https://management.stack.example/subscriptions/ID/resourcegroups?api-version=2019-05-01'. Response from server: '{"error":{"code":"InvalidApiVersionParameter","message":"The api-version '2019-05-01' is invalid."}}'`,
    cause: /version of the API/,
  },
  {
    thread: 'hashicorp/terraform-provider-azurerm#9099',
    text: 'Error: Error obtaining Authorization Token from the Azure CLI: Error parsing json result from the Azure CLI: Error waiting for the Azure CLI: exit status 1',
  },
  {
    thread: 'cert-manager/website#328',
    text: `azure.BearerAuthorizer#WithAuthorization: Failed to refresh the Token for request to https://management.azure.com/subscriptions/ID: StatusCode=400 -- Original Error: adal: Refresh request failed. Response body: {"error":"invalid_request","error_description":"Identity not found"}`,
    cause: /no managed identity/,
  },
  // Collected after the patterns were written.
  {
    thread: 'cert-manager/cert-manager#7927',
    text: 'azuredns.go:265] "Error upserting TXT" err=< PUT https://management.azure.com/subscriptions/x RESPONSE 403: 403 Forbidden ERROR CODE: AuthorizationFailed { "error": { "code": "AuthorizationFailed", "message": "The client does not have authorization to perform action \'Microsoft.Network/dnsZones/TXT/write\'" } }',
    cause: /no role/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/AKS#4029',
    text: 'Azure.Identity.AuthenticationFailedException: ClientAssertionCredential authentication failed: AADSTS501661: Request to External OIDC endpoint failed. ErrorCode: invalid_request',
    cause: /issuer of the federated token/,
    collectedAfter: true,
  },
  {
    thread: 'external-secrets/external-secrets#2783',
    text: `FromAssertion(): http call(https://login.microsoftonline.com/ID/oauth2/v2.0/token)(POST) error: reply status code was 401: {"error":"invalid_client","error_description":"AADSTS70021: No matching federated identity record found for presented assertion.","error_codes":[70021]}`,
    cause: /federated credential/,
    collectedAfter: true,
  },
  {
    thread: 'kubernetes-sigs/external-dns#4418',
    text: `level=fatal msg="WorkloadIdentityCredential: unable to resolve an endpoint: http call(https://login.microsoftonline.com/ID/v2.0/.well-known/openid-configuration)(GET) error: reply status code was 400: {\\"error\\":\\"invalid_tenant\\",\\"error_description\\":\\"AADSTS90002: Tenant 'ID' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud.\\"}"`,
    cause: /does not know the tenant/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/azure-xplat-cli#2725',
    text: 'OAuth2Client: ERROR: Get Token request returned http error: 400 and server response: {"error":"authorization_pending","error_description":"AADSTS70016: Pending end-user authorization.","error_codes":[70016]}',
    cause: /not yet approved/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/azure-cli#16638',
    text: `Get Token request returned http error: 400 and server response: {"error":"invalid_request","error_description":"AADSTS90002: Tenant 'X' not found. This may happen if there are no active subscriptions for the tenant.","error_codes":[90002],"error_uri":"https://login.microsoftonline.com/error?code=90002"}`,
    cause: /another cloud/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/azure-dev#5912',
    text: "ERROR: ClientSecretCredential: unable to resolve an endpoint: ResolveEndpoints(): TenantDiscoveryResponse: issuer from OIDC discovery 'https://login.partner.microsoftonline.cn/ID/v2.0' does not match authority 'https://login.chinacloudapi.cn/ID/' or a known pattern",
    cause: /issuer/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/azure-cli#15410',
    text: "ValidationError: Please ensure you have network connection. Error detail: HTTPSConnectionPool(host='login.microsoftonline.com', port=443): Max retries exceeded (Caused by NewConnectionError('Failed to establish a new connection: [WinError 10060] A connection attempt failed because the connected party did not properly respond after a period of time'))",
    cause: /did not respond in time/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/azure-cli#23672',
    text: "HTTPSConnectionPool(host='login.microsoftonline.com', port=443): Max retries exceeded with url: /organizations/v2.0/.well-known/openid-configuration (Caused by ConnectTimeoutError('Connection to login.microsoftonline.com timed out. (connect timeout=None)'))",
    cause: /did not respond in time/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/azure-sdk-for-net#36200',
    text: '[Informational] Azure-Identity: ManagedIdentityCredential.GetToken was unable to retrieve an access token. Scopes: [ https://vault.azure.net/.default ] Exception: Azure.Identity.CredentialUnavailableException: ManagedIdentityCredential authentication unavailable. Multiple attempts failed to obtain a token from the managed identity endpoint.',
    cause: /no managed identity/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/azure-sdk-for-python#28478',
    text: 'azure.identity._exceptions.CredentialUnavailableError: ManagedIdentityCredential authentication unavailable, no response from the IMDS endpoint.',
    cause: /no managed identity/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/azure-cli#32134',
    text: `HTTPSConnectionPool(host='login.microsoftonline.com', port=443): Max retries exceeded (Caused by ReadTimeoutError("HTTPSConnectionPool(host='login.microsoftonline.com', port=443): Read timed out. (read timeout=None)"))`,
    cause: /did not respond in time/,
    collectedAfter: true,
  },
  {
    thread: 'jongallant.com/2020/02/azure-identity-other-clouds',
    text: 'AADSTS900382: Confidential Client is not supported in Cross Cloud request',
    cause: /another cloud/,
    collectedAfter: true,
  },
  {
    thread: 'learn.microsoft.com: Cloud Shell troubleshooting',
    text: "Error: 403 RequestDisallowedByPolicy The resource action 'Microsoft.Storage/storageAccounts/write' is disallowed by one or more policies.",
    cause: /policy/,
    collectedAfter: true,
  },
  {
    thread: 'microsoft/AzureStorageExplorer#9050',
    text: `{"name":"RestError","code":"InvalidAuthenticationInfo","statusCode":401,"www-authenticate":"Bearer authorization_uri=https://login.microsoftonline.com/ID/oauth2/authorize resource_id=https://storage.azure.com","message":"Server failed to authenticate the request. Please refer to the information in the www-authenticate header.","authenticationErrorDetail":"Issuer validation failed. Issuer did not match."}`,
    cause: /another tenant/,
    collectedAfter: true,
  },
  {
    thread: 'microsoft/TAP#3',
    text: `===== RESPONSE ERROR (ServiceCode=InvalidAuthenticationInfo) ===== Description=Server failed to authenticate the request. Details: AuthenticationErrorDetail: Issuer validation failed. Issuer did not match. GET https://name.blob.core.windows.net/data`,
    cause: /another tenant/,
    collectedAfter: true,
  },
  {
    thread: 'microsoft/AzureStorageExplorer#3147',
    text: `RestError: <Error><Code>AuthenticationFailed</Code><Message>Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.</Message><AuthenticationErrorDetail>Issuer validation failed. Issuer did not match.</AuthenticationErrorDetail></Error>`,
    cause: /another tenant/,
    collectedAfter: true,
  },
  {
    thread: 'microsoft/AzureStorageExplorer#2468',
    text: `Error: unable to get local issuer certificate at TLSSocket.onConnectSecure (_tls_wrap.js:1049:34) code: UNABLE_TO_GET_ISSUER_CERT_LOCALLY`,
    cause: /does not trust the certificate authority/,
    collectedAfter: true,
  },
  {
    thread: 'microsoft/AzureStorageExplorer#6992',
    text: `HEAD https://storage.blob.core.windows.net/container/path/file RESPONSE Status: 403 Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature. X-Ms-Error-Code: [AuthenticationFailed]`,
    cause: /rejected the key or signature/,
    collectedAfter: true,
  },
  {
    thread: 'pulumi/pulumi#20176',
    text: `error: problem logging in: GET https://name.blob.core.windows.net/pulumi-state/.pulumi/meta.yaml RESPONSE 401 ERROR CODE: InvalidAuthenticationInfo <AuthenticationErrorDetail>Issuer validation failed. Issuer did not match.</AuthenticationErrorDetail>`,
    cause: /another login authority/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/azure-storage-azcopy#77',
    text: `cannot list blobs for download. RESPONSE ERROR (ServiceCode=AuthenticationFailed) Description=Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature. AuthenticationErrorDetail: Issuer validation failed. Issuer did not match.`,
    cause: /another tenant/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/azure-sdk-for-java#19849',
    text: `com.microsoft.aad.msal4j Caused by: javax.net.ssl.SSLHandshakeException: General OpenSslEngine problem PKIX path building failed: SunCertPathBuilderException: unable to find valid certification path to requested target`,
    cause: /does not trust the certificate authority/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/azure-sdk-for-java#2017',
    text: `java.lang.RuntimeException: java.io.IOException: java.net.UnknownHostException: login.microsoftonline.com at sun.security.ssl.SSLSocketImpl.connect(SSLSocketImpl.java:673)`,
    cause: /knows the host name/,
    collectedAfter: true,
  },
  {
    thread: 'microsoftgraph/msgraph-sdk-java#877',
    text: `PKIX path validation failed: java.security.cert.CertificateExpiredException: NotAfter: Sun Sep 05 12:14:37 IST 2021 com.microsoft.aad.msal4j.HttpHelper.executeHttpRequest`,
    cause: /expired/,
    collectedAfter: true,
  },
  {
    thread: 'Azure/azure-sdk-for-java#11830',
    text: `com.microsoft.aad.msal4j.MsalServiceException: AADSTS50049: Unknown or invalid instance. at com.microsoft.aad.msal4j.AadInstanceDiscoveryProvider.validate(AadInstanceDiscoveryProvider.java:142)`,
    cause: /instance discovery/,
    collectedAfter: true,
  },
  {
    thread: 'pulumi/pulumi-azure-native#3991',
    text: `error: POST https://management.azure.com/subscriptions/ID/listKeys RESPONSE 404: 404 Not Found ERROR CODE: SubscriptionNotFound { "error": { "code": "SubscriptionNotFound", "message": "The subscription could not be found." } }`,
    cause: /not in the cloud/,
    collectedAfter: true,
  },
  {
    thread: 'microsoft/vscode-azureAutomation#27',
    text: `Error: The subscription 'ID' could not be found.`,
    cause: /not in the cloud/,
    collectedAfter: true,
  },
  {
    thread: 'prowler-cloud/prowler#7214',
    text: `CRITICAL: ResourceNotFoundError[181]: (SubscriptionNotFound) The subscription 'xxxx' could not be found. Code: SubscriptionNotFound`,
    cause: /not in the cloud/,
    collectedAfter: true,
  },
  {
    thread: 'cloud-custodian/cloud-custodian#6072',
    text: `custodian.azure.query:ERROR Failed to query resource. Type: azure.vm. Error: Azure Error: SubscriptionNotFound Message: The subscription 'ID' could not be found.`,
    cause: /not in the cloud/,
    collectedAfter: true,
  },
  {
    thread: 'pulumi/pulumi-azure-native#4389',
    text: `error: Running program failed with an unhandled exception: Error: invocation of azure-native:authorization:getClientConfig returned an error: ERROR: Subscription 'ID' not found. Check the spelling and casing and try again.`,
    collectedAfter: true,
  },
]
