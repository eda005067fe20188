import { findings, generalFix } from '../../lib/findings/catalog.ts'

/** What a fix is about. A tool has its own words for some of them: `tool-fixes.ts`. */
export type Topic = 'audience' | 'cloud' | 'discovery' | 'login' | 'proxy' | 'trust' | 'version'

/** How a cause shows in the errors of other tools. The topic chooses the words of the tool. */
export type ErrorText = readonly [signs: readonly Sign[], cause: string, fix: string, topic?: Topic]

/**
 * Codes, separated by spaces: of the login authority, the resource manager, a vault, errno, OpenSSL or a compiler. Or an expression, or
 * several that follow each other closely. Each takes linear time: an error text may hold anything.
 */
export type Sign = string | RegExp | readonly RegExp[]

const noIdentity = [
  'The host offers no managed identity to this process: none is assigned, the client id is another, or the request to the identity endpoint went through a proxy.',
  'Assign an identity to the host, correct its client id, and exempt 169.254.169.254 from the proxy (NO_PROXY).',
] as const

/** Codes of the login authority. */
const aadsts = (numbers: string): string => numbers.replaceAll(/\d+/g, 'AADSTS$&')

/**
 * What other tools report, the most telling first: a number of the login authority says more than the client's sentence around it, and the
 * failure of the network behind one credential of a chain more than the chain.
 */
export const errorTexts: readonly ErrorText[] = [
  // Compilers and login authorities.
  [
    ['BCP192', [/Azure CLI not installed/i, /PowerShell is not installed/i]],
    'Bicep could not restore a module from the registry. If bicepconfig.json names a custom cloud that BICEP_TRUSTED_CLOUDS does not list, Bicep ignores its credentials too and reports that az and PowerShell are not installed.',
    'Set BICEP_TRUSTED_CLOUDS to the JSON list with the resourceManagerEndpoint and activeDirectoryAuthority of the profile in bicepconfig.json, with the same final slashes: cloud-profile export bicep. If the cloud is a known one, sign in with az login first.',
    'trust',
  ],
  [
    ['BCP446'],
    'Bicep does not trust the registry of the module: it knows the registries of the known clouds only.',
    'Add the registry to security.trustedRegistries in bicepconfig.json: cloud-profile export bicep.',
    'cloud',
  ],
  [
    [aadsts('900382 900432 900383 900381 900384 900439 90051'), /not supported in Cross Cloud request/i],
    'The tenant lives in another cloud than the login authority that received the request. Each cloud has a separate authority.',
    'Send the token request to the login authority of the cloud of the tenant, and register the application there.',
    'cloud',
  ],
  [
    [aadsts('90002 90019 50059 50128 900021 900023'), /Tenant '[^']*' not found|invalid_tenant/i],
    'The login authority does not know the tenant: the name or GUID is wrong, or the tenant lives in another cloud.',
    'Correct the tenant, and set the authority of the cloud in which the tenant lives.',
    'cloud',
  ],
  [
    [aadsts('50020 50177 51004 90072 500200 500208')],
    'The user is not a member of the tenant, or signed in with an account of another cloud or of another kind.',
    'Sign in with an account of the tenant, at the authority of its cloud, or name the tenant of the account.',
    'login',
  ],
  [
    [aadsts('500021 500022 500023')],
    'The network allows sign-ins to chosen tenants only (tenant restrictions of a proxy), and this tenant is not among them.',
    'Ask the operator of the proxy to allow the tenant.',
  ],
  [
    [
      aadsts('50049'),
      /invalid_instance|is not whitelisted|unknown or invalid instance|instance discovery failed/i,
      /authority_not_in_valid_list|'authority' is not in the list of valid addresses/i,
      /authority (?:host )?validation failed|untrusted_authority|authority is not a trusted authority/i,
      /turn off this check by passing in (?:validate_authority|instance_discovery)=False/i,
    ],
    'The client asked the public instance discovery about the authority, and it knows the public, government and China authorities only. Or the authority URL is malformed.',
    'Disable instance discovery in the client for a private authority, or correct the authority URL.',
    'discovery',
  ],
  [
    [aadsts('65002')],
    'The tenant does not let this application of the vendor request tokens for that service: the two are not preauthorized for each other in this cloud.',
    'Sign in with a separate application, or with a tool and a version that supports this cloud.',
    'audience',
  ],
  [
    [
      aadsts('500011 500014 50001'),
      'AudienceNotSupported',
      /resource principal named|is not a supported MSI token audience/i,
    ],
    'The tenant has no resource with the requested audience. Often the audience belongs to another cloud.',
    'Request the token for an audience of the cloud of the tenant.',
    'audience',
  ],
  [
    [aadsts('650057 650056 65007')],
    'The registration of the application lists no permission for the requested resource. Or the audience is one of another cloud.',
    'Add a permission for the resource to the registration of the application, or request an audience of the cloud of the tenant.',
    'audience',
  ],
  [
    [aadsts('70011 1002012 28002 28003 650053 90009')],
    findings.SCOPE_INVALID.cause,
    'Request exactly one scope: the audience of the service, followed by /.default.',
    'audience',
  ],
  [
    [aadsts('7000215 7000222 7000218 7000216 70002'), /invalid client secret/i],
    findings.CLIENT_SECRET_INVALID.cause,
    'Create a new secret for the application, and use its value, not its id.',
  ],
  [
    [aadsts('700016 7000229 70001 700030')],
    'The tenant has no application with this client id. Each cloud has separate application registrations.',
    'Correct client id and tenant, or register the application in this tenant of this cloud.',
  ],
  [
    [aadsts('700211 700212 700213 70021 700222 7002138 700223'), /No matching federated identity record found/i],
    'No federated credential of the application has the issuer, subject and audience of the token.',
    'Register a federated credential with exactly the issuer, subject and audience of the token. The audience differs between clouds.',
  ],
  [
    [aadsts('501661')],
    'The login authority could not read the OpenID configuration or the keys of the issuer of the federated token.',
    'Make the issuer reachable for the login authority. If it worked before, try again.',
  ],
  [
    [aadsts('70016')],
    'The person has not yet approved the sign-in with the device code. The client asks again until then.',
    'Approve the sign-in at the address of this cloud that the client shows.',
  ],
  [
    [aadsts('70018 70019 70020'), /verification code expired/i],
    'The device code has expired or was used already.',
    'Start the sign-in again.',
    'login',
  ],
  [
    [aadsts('700024 500133'), /client assertion is not within its valid time range/i],
    'The client assertion is expired or not yet valid: the clock of this machine is wrong, or the token file was not renewed.',
    "Synchronize this machine's clock (NTP), and check that the federated token is renewed.",
  ],
  [
    [aadsts('700027 700021 700023 50027 50013 70025')],
    'The login authority rejected the certificate or the client assertion: the certificate is not registered for the application, or the assertion names another audience.',
    'Register the certificate for the application, and check that the authority belongs to the cloud of the application.',
  ],
  [
    [aadsts('50126 50034 500341 50055 50057 500571 50053 50054 50056 50012 50125 50135 50142 50144')],
    findings.USER_REJECTED.cause,
    'Correct the user and the password, or unlock the user.',
  ],
  [
    [
      aadsts(
        '53003 53000 53001 53002 53004 53009 53011 530002 530003 530004 530031 530034 50005 50072 50074 50076 50079 50097 50127 50129 50131 50155 50158',
      ),
      /blocked by Conditional Access/i,
    ],
    findings.CONDITIONAL_ACCESS.cause,
    generalFix(findings.CONDITIONAL_ACCESS),
    'login',
  ],
  [
    [aadsts('7000112 50105 501051 65001 650051 650052 90094 65004')],
    findings.SIGN_IN_NOT_ALLOWED.cause,
    generalFix(findings.SIGN_IN_NOT_ALLOWED),
  ],
  [
    [
      aadsts('70000 70043 700082 50173 700084 70008 700081 50078 50089 50132 50133 50140 54005 50058 160021 16000'),
      /refresh token (?:has expired|is invalid|was revoked)/i,
      [/refreshing the expired token/i, /refresh request failed/i],
    ],
    'The sign-in of the person is missing, has expired or was revoked.',
    'Sign in again, in the tenant and cloud of the resources.',
    'login',
  ],
  [
    [aadsts('50011 500113 900971 500112')],
    'The redirect address of the request is not registered for the application. Each cloud has separate registrations and other host names.',
    'Register the redirect address for the application in the tenant of this cloud.',
  ],
  [
    [aadsts('50194 90010 9001023')],
    'The request used /common, and the application or this kind of sign-in needs the address of one tenant.',
    'Use the tenant of the application in the authority.',
    'cloud',
  ],
  [
    [
      aadsts(
        '90023 900144 9002313 90014 70003 70005 70007 70012 700051 700054 9002326 9002327 1000104 50148 501481 7000113 7000114 900561',
      ),
    ],
    'The request to the login authority is malformed: a parameter is missing, or the application may not use this flow.',
    'Correct the parameter that the message names, or allow the flow for the application.',
  ],
  [
    [aadsts('7000012')],
    'The grant belongs to another tenant.',
    'Use the tenant in which the code or token was issued.',
  ],
  [
    [aadsts('90033 90006 90013 90024 90055 90007 50033 50196 50000')],
    'The login authority had a temporary fault, or limits the number of requests.',
    'Wait and try again. If it repeats, look for a client that signs in in a loop.',
  ],
  [
    ['MSIS9602 MSIS9605 MSIS9617 MSIS9622 invalid_resource'],
    'The federation service (AD FS) does not know the requested audience, or does not allow this client to request it. Each stack has a separate audience, and some versions of a client request the one of the public cloud or a scope with two slashes.',
    'Request the audience that the metadata of this cloud names (GET RESOURCE_MANAGER/metadata/endpoints?api-version=2015-01-01), and use a version of the tool that supports a federation service.',
    'audience',
  ],
  [
    [/authority Uri should have at least one segment|AUTHORITY_URI_EMPTY_PATH/i],
    'The authority in the settings of the program has no path. This client expects the tenant in it.',
    'Set the authority to https://HOST/TENANT; at a federation service (AD FS) to https://HOST/adfs.',
  ],
  [
    [
      [/Invalid authority type/i, /adfs/i],
      /not supported (?:by|for) (?:an? )?(?:adfs|ad fs)\b|unsupported authority type/i,
    ],
    'The client does not support this sign-in at a federation service (AD FS), or takes it for an authority with tenants.',
    'Sign in with a service principal or a device code, name the directory of the stack as tenant, or update the tool.',
    'login',
  ],
  [
    [
      [/Refresh request failed\. Status Code = '404'/i, /HTTP Error 404|requested resource is not found/i],
      /requesting access token, HTTP status 404/i,
    ],
    'The login authority has no such address: the host, the tenant or the path is wrong. A federation service (AD FS) has the path /adfs and no tenant.',
    'Correct the authority URL and the tenant in the settings of the program.',
    'cloud',
  ],
  [
    [/ACTIONS_ID_TOKEN_REQUEST_URL/],
    'The workflow may not request the token of its run: GitHub issues it to jobs with the permission id-token only.',
    'Add permissions: id-token: write to the workflow or the job.',
  ],
  [
    [
      /issuer from OIDC discovery/i,
      [/issuer /i, /does not match (?:the )?(?:authority|issuer)|doesn't match expected value/i],
    ],
    'The OpenID configuration of the authority names another host as issuer than the authority, and this version of the client does not accept that. The China authority is an alias, and a private authority may be too.',
    'Update the client, or set the authority to the host that the issuer names.',
    'cloud',
  ],
  // Services, of tokens and requests.
  [
    [
      'InvalidAuthenticationTokenAudience AKV10022 InvalidAudience IDX10214 IDX10208',
      /\b(?:invalid|incorrect|unexpected|wrong|expected) (?:token )?'?aud(?:ience)?\b/i,
      /\baudience (?:validation failed|mismatch|(?:is|was) (?:invalid|wrong|not (?:allowed|valid|supported))|(?:does|did) not match)/i,
      /AuthenticationErrorDetail>Audience|accepts tokens intended for|not have a valid audience/i,
    ],
    'The token was issued for another audience than the service accepts. Often it is the audience of another cloud.',
    'Request the token for the audience of this service in this cloud.',
    'audience',
  ],
  [
    [
      'InvalidAuthenticationTokenTenant InvalidCloudInstance AKV10032 IDX10205 IDX10211 InvalidIssuer',
      /token is from the wrong issuer|id token issued by a different provider|issuer validation failed|issuer did not match|invalid (?:token )?issuer\b/i,
      /the issuer (?:'[^']*' )?is invalid/i,
      /Invalid issuer\. Expected one of/i,
    ],
    'The token comes from another tenant or another login authority than the service trusts.',
    'Sign in to the tenant of the resource, at the authority of its cloud.',
    'cloud',
  ],
  [
    ['IDX10500 IDX10501 IDX10503 IDX10511'],
    'The application could not check the signature of the token: another tenant or login authority issued it, or it is for another application, such as Microsoft Graph, whose tokens only Graph can check.',
    'Set the authority of the application to the login authority and tenant that issue its tokens, and request a token for the audience of the application itself.',
    'cloud',
  ],
  [
    [[/challenge resource /i, /does not match the requested domain/i], /challenge contains invalid scope/i],
    'The vault names an audience that is not part of its host name, as on Azure Stack Hub, and the SDK refuses to send a token there.',
    'Check that the host is the vault of your cloud, then disable the check of the challenge resource (verify_challenge_resource=False, DisableChallengeResourceVerification).',
    'audience',
  ],
  [
    [
      'ExpiredAuthenticationToken IDX10223 AKV10016 AKV10010',
      /access token (?:has expired|expiry UTC time)|lifetime validation failed|token is expired/i,
      /signature not valid in the specified time frame/i,
    ],
    'The token or the shared access signature has expired, or the clock of this machine is wrong.',
    "Sign in again, or create a new signature. If the token is new, synchronize this machine's clock (NTP).",
    'login',
  ],
  [
    [
      'InvalidAuthenticationToken InvalidAuthenticationInfo AKV10000 AKV10001 AuthenticationFailedInvalidHeader',
      'AuthenticationFailedMissingToken Authentication_MissingOrMalformed Authentication_Unauthorized InvalidTokenError',
      /provided authentication is not valid for this resource/i,
      /refer to the information in the www-authenticate header|JWT token failed signature validation/i,
      /access token is missing, invalid/i,
    ],
    'The service could not use the token: it is missing, damaged, of another cloud or of another audience.',
    'Check audience and issuer of the token: cloud-profile why --token -',
    'audience',
  ],
  [
    ['RequestTimeTooSkewed', /request date header too old|token is not valid at the current time/i],
    findings.CLOCK_SKEW.cause,
    generalFix(findings.CLOCK_SKEW),
  ],
  [
    [
      'ForbiddenByFirewall ForbiddenByConnection AuthorizationFailure IpAuthorizationError',
      /client address is not authorized and caller is not a trusted service|public network access is disabled/i,
      /client with IP .{1,60} is not allowed (?:to )?access|not an approved private link/i,
      /blocked by your Cosmos DB account firewall|\bip (?:address )?has been prevented to connect/i,
      /'Firewalls & virtual networks' settings/i,
    ],
    findings.SERVICE_FIREWALL.cause,
    'Allow the network of this machine at the service, or reach it through a private endpoint with its private DNS zone.',
  ],
  [
    [
      'AuthorizationFailed LinkedAuthorizationFailed AuthorizationPermissionMismatch InsufficientAccountPermissions ForbiddenByRbac ForbiddenByPolicy Authorization_RequestDenied Authentication_MSGraphPermissionMissing amqp:unauthorized-access TF400813',
      /does not have authorization to perform action|caller is not authorized to perform action on resource/i,
      /does not have (?:secrets|keys|certificates) \w+ permission on key vault/i,
      /'\w+' claim\(s\) are required to perform this operation|Operation '?"?\w+'?"? is not allowed/i,
      /Access denied to first party service|not found on any access policy|lacks the required data action/i,
      /Code="Forbidden" Message="Access denied/i,
      [/Microsoft\.Graph/i, /does not indicate success: Forbidden/i],
      [/KeyVaultErrorException/i, /status code 'Forbidden'/i],
      [/graphrbac\./, /StatusCode[=:]\s?403/],
    ],
    'The identity is known, but has no role for this operation.',
    'Ask the owner of the resource to assign the identity the role that the operation needs. Then wait a few minutes.',
  ],
  [
    ['RequestDisallowedByPolicy RequestDisallowedByAzure ScopeLocked'],
    'A policy or a lock of the subscription does not allow this operation or these properties.',
    'Ask the owner of the policy or lock, or change the properties that the message names.',
  ],
  [
    [
      'SkuNotAvailable QuotaExceeded ZonalAllocationFailed AllocationFailed OverconstrainedAllocationRequest',
      /exceeding (?:approved )?[^\n]{0,40}quota/i,
    ],
    'The location of this cloud does not offer the size, or the quota of the subscription is used up.',
    'Choose another size or location, or request more quota: az vm list-skus, az vm list-usage.',
  ],
  [
    [/server is not currently configured to accept this token/i],
    'The SQL server trusts another tenant than that of the token, or has no administrator of the directory.',
    'Sign in to the tenant of the server at the authority of its cloud, and set an administrator of the directory for the server.',
    'login',
  ],
  [
    [/Login failed for user '<token-identified principal>'/i],
    'The database knows no user for the identity of the token.',
    'Create the user in the database: CREATE USER [NAME] FROM EXTERNAL PROVIDER.',
  ],
  [
    [
      'InaccessibleImage',
      [/azurecr\.\w+/i, /unauthorized: authentication required|denied: requested access/i],
      /aka\.ms\/acr\/authorization|CONNECTIVITY_REFRESH_TOKEN_ERROR|Access to registry '[^'\n]{1,80}' was denied/i,
      /aad access token with sp failed/i,
    ],
    'The container registry did not accept the credential of the pull or push: none was sent, its token was issued for another cloud, or the identity has no role. A name that does not exist gets the same response.',
    'Sign in to this registry (az acr login --name NAME in its cloud), check the name of the image, and assign the role AcrPull or AcrPush.',
    'login',
  ],
  [
    [/static credential is not allowed[^\n]{0,80}disable local accounts/i],
    'The Kubernetes cluster has no local accounts, and the program asked for the credential of one.',
    'Sign in with Entra ID: az aks get-credentials without --admin, then kubelogin convert-kubeconfig.',
    'login',
  ],
  [
    [/AzureWebJobsStorage[^\n]{0,80}(?:is invalid|not found|missing|is not set)/i],
    'The Functions host has no usable connection to its storage account. AzureWebJobsStorage__accountName alone leads to the public cloud.',
    'Outside the public cloud set AzureWebJobsStorage__blobServiceUri, __queueServiceUri and __tableServiceUri to the addresses of the account, or a connection string with its EndpointSuffix.',
    'cloud',
  ],
  [
    [/You must be logged in to the server/i],
    'The Kubernetes cluster did not accept the credential: the token expired or belongs to another tenant.',
    'Sign in again (kubelogin remove-tokens, az aks get-credentials), in the tenant and cloud of the cluster.',
    'login',
  ],
  [
    ['KeyBasedAuthenticationNotPermitted PublicAccessNotPermitted'],
    'The storage account does not permit keys or anonymous access.',
    'Use a token (Entra ID) for the account: --auth-mode login, use_azuread_auth, storage_use_azuread.',
  ],
  [
    ['TlsVersionNotPermitted AccountRequiresHttps'],
    'The storage account requires https, or a later version of TLS than this client uses.',
    'Use an https address, and TLS 1.2 or later in the client.',
  ],
  [
    [/Access denied due to (?:missing|invalid) subscription key/i],
    'The service did not accept the key: it is missing or of another resource, or the address is of another region or cloud.',
    'Copy key and endpoint of the same resource.',
  ],
  [
    [/provide a custom subdomain for token authentication|Please provide an authentication key/i],
    'This regional address accepts keys only. Tokens need the address with the name of the resource.',
    'Use the endpoint with the name of the resource, and give the resource a custom subdomain if it has none.',
  ],
  [
    [
      'SignatureDoesNotMatch',
      /value of Authorization header is formed correctly including the signature/i,
      /InvalidSignature: The token has an invalid signature|claim is empty or token is invalid/i,
    ],
    'The account or namespace rejected the key or signature: the key is of another one, was renewed, has no right for this operation, or the clock of this machine is wrong.',
    "Copy the key of this account again, check its endpoint suffix, and synchronize this machine's clock.",
  ],
  [
    [
      'SubscriptionNotFound InvalidSubscriptionId InvalidSubscription',
      /subscription (?:of )?'[^']*' (?:could not be found|doesn'?t exist in cloud|(?:was )?not (?:found|recognized))/i,
      /no subscriptions? (?:were )?found for|failed to resolve user access to subscription/i,
    ],
    'The subscription is not in the cloud and tenant of the sign-in, or the identity has no role in it.',
    'Select the cloud of the subscription, sign in to its tenant, and check the subscription id and the roles of the identity.',
    'cloud',
  ],
  [
    [
      'ResourceNotFound ResourceGroupNotFound ParentResourceNotFound ContainerNotFound BlobNotFound ShareNotFound',
      'QueueNotFound TableNotFound FilesystemNotFound PathNotFound SecretNotFound KeyNotFound CertificateNotFound DeploymentNotFound',
      /the specified (?:container|blob|share|queue|filesystem|resource|path) does not exist/i,
      [/NotFoundError|'code': '404'/, /Resource not found/i],
      /was not found in this key vault|messaging entity '[^']*' could not be found/i,
    ],
    'The service has no resource of this name in the subscription, account or vault that the request reached.',
    'Correct the name, or create the resource. If it exists, the request reached another account, subscription or cloud: compare the host in the text.',
  ],
  [
    [/mount error\(13\)|mount\.nfs: access denied/i],
    'The file share refused the mount: the key is of another account or was renewed, the network rules block this network, or the account requires an encrypted connection.',
    'Check the key and the network rules of the account, and mount with version 3.0 or later of the protocol.',
  ],
  [
    [
      /missing both an Azure Storage connection string|connection string is (?:either )?(?:empty|missing|invalid)|Settings must be of the form "name=value"/i,
    ],
    'The connection string of the storage account is missing or malformed.',
    'Set the connection string with the EndpointSuffix of this cloud, or name the account and use an identity (AzureWebJobsStorage__accountName and its endpoints).',
  ],
  [
    ['MissingSubscription'],
    'The address of the request names no subscription: the client built it from an empty or unknown value.',
    'Set the subscription in the client, and check that it supports this cloud.',
  ],
  [
    [
      'NoRegisteredProviderFound InvalidResourceType InvalidApiVersionParameter NoApiVersionsForNamespace UnsupportedApiVersion',
      /no registered resource provider found for location|the api-version '[^']*' is invalid/i,
      [/could not be found in the namespace/i, /for api version/i],
      [/specified version \(/i, /\) is not recognized/i],
      [/value for one of the HTTP headers is not in the correct format/i, /x-ms-version/i],
    ],
    'This cloud does not offer that version of the API, or the service not at all in this location. Other clouds get versions later.',
    'Use a version among those that the message lists: an older package, provider or profile of the tool.',
    'version',
  ],
  [
    ['MissingSubscriptionRegistration SubscriptionNotRegistered MissingRegistrationForLocation'],
    'The subscription has not registered the resource provider.',
    'Register the provider in the subscription: az provider register --namespace NAMESPACE.',
  ],
  [
    [
      'LocationNotAvailableForResourceType LocationNotAvailableForResourceGroup',
      /provided location '[^']*' is not (?:available|permitted)/i,
    ],
    'This cloud has no such location for this resource. Each cloud has separate locations.',
    'Use a location of this cloud: az account list-locations.',
    'cloud',
  ],
  [
    [
      /the cloud '[^']*' is not registered|unable to find environment with name|no cloud environment matching the name/i,
      /expected "?environment"? to be one of|unable to locate (?:a |metadata for )?(?:cloud )?environment/i,
      /(?:retrieving|loading|determining) environment[^\n]{0,120}(?:not found|unable|unknown)/i,
      /cloud_environment [^\n]{1,80} could not be resolved/i,
    ],
    'The tool does not know a cloud of this name. Each tool spells the names of clouds in another way.',
    'Use the name of the cloud as this tool spells it, or register the cloud in the tool.',
    'cloud',
  ],
  // TLS, proxies, DNS and connections.
  [
    [
      [/http:\/\/169\.254\.169\.254|\/MSI\/token/i, /time(?:d )?out|deadline|refused|unreachable/i],
      [/HTTP response code: [45]/i, /\/MSI\/token/i],
      /IMDS token request timed out|failed to retrieve (?:an )?IMDS token|pod list is empty|unable to load requested managed identity/i,
      [/ManagedIdentityCredential(?:\.get_token failed)?: /i, /unexpected content type|Errno 111|connection refused/i],
    ],
    ...noIdentity,
  ],
  [
    [
      /Missing Authority Key Identifier|Basic Constraints of CA cert not marked critical|insecure algorithm SHA1-RSA/i,
      /(?:ee key|ca key|dh key) too small|(?:ca|ee) md too weak|certificate key too weak|CaUsedAsEndEntity/i,
    ],
    'Python 3.13, OpenSSL, Go and Rust check certificates strictly, and one in the chain breaks a rule: an extension is missing or wrong (RFC 5280), or a key or signature is weak. Trusting it does not help.',
    'Ask the operator of the proxy or server to renew the chain with the extensions of a CA, SHA-256 and RSA keys of 2048 bits or more.',
  ],
  [
    [
      'CERT_HAS_EXPIRED CERT_NOT_YET_VALID',
      /certificate (?:has expired|is not yet valid)/i,
      /Certificate(?:Expired|NotYetValid)Exception|\bNotTimeValid\b/,
    ],
    'A certificate of the server or of the proxy has expired or is not yet valid, or the clock of this machine is wrong.',
    "Synchronize this machine's clock (NTP). If it is correct, ask the operator of the host to renew the certificate.",
  ],
  [
    [
      'ERR_TLS_CERT_ALTNAME_INVALID SSL_ERROR_BAD_CERT_DOMAIN',
      /x509: certificate is (?:valid for|not valid for any names)|hostname mismatch|RemoteCertificateNameMismatch/i,
      /doesn'?t match (?:either of )?'|no alternative certificate subject name matches/i,
      /No (?:subject alternative|name matching)/i,
    ],
    'The certificate at this address was issued for other host names: DNS, a hosts file or a proxy leads to another server.',
    'Check where the name leads, and use a name that the certificate has.',
  ],
  [
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE SELF_SIGNED_CERT_IN_CHAIN DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_GET_ISSUER_CERT SEC_E_UNTRUSTED_ROOT 0A000086 1416F086',
      /signed by unknown authority|unable to get (?:local )?issuer certificate|self[- ]signed certificate/i,
      /unable to verify the first certificate|invalid peer certificate: UnknownIssuer|certificate verify failed/i,
      /PKIX path (?:building|validation) failed|unable to find valid certification path/i,
      /\b(?:PartialChain|UntrustedRoot)\b|RemoteCertificateChainErrors|CERTIFICATE_VERIFY_FAILED/,
      /verify error:num=(?:18|19|20|21)\b|could not establish trust relationship/i,
      /certificate is not trusted|not trusted by the trust provider/i,
    ],
    'The client does not trust the certificate authority of the server, or of a proxy that inspects TLS.',
    'Add the certificate authority to the trust of this client. If a proxy inspects TLS, it is the one of the proxy.',
    'trust',
  ],
  [
    [
      /could not find a suitable TLS CA certificate bundle|error setting certificate (?:verify locations|file)/i,
      /Ignoring extra certs from|Problem with the SSL CA cert|trustAnchors parameter must be non-empty/i,
      /SSLError\(PermissionError/,
    ],
    'The file of trusted certificates that a variable names does not exist or cannot be read.',
    'Correct the path in REQUESTS_CA_BUNDLE, SSL_CERT_FILE, CURL_CA_BUNDLE, NODE_EXTRA_CA_CERTS or javax.net.ssl.trustStore, and let the user of the program read the file.',
    'trust',
  ],
  [
    [
      'EPROTO ERR_SSL_WRONG_VERSION_NUMBER 0A00010B 1408F10B 0A000152 0A000410',
      /wrong version number|first record does not look like a TLS handshake|unsupported protocol/i,
      /unsafe legacy renegotiation disabled|handshake[_ ]failure|Unsupported or unrecognized SSL message/i,
    ],
    'The other side does not speak TLS in a form that this client accepts: a proxy or server without TLS at this port, or one with an old version.',
    'Check scheme and port of the address and of the proxy, and ask its operator for TLS 1.2 or 1.3.',
  ],
  [
    [
      'ERR_PROXY_CONNECTION_FAILED',
      /\b407\)? proxy|proxy authentication required|could not resolve proxy|cannot connect to proxy/i,
      /tunnel connection failed|CONNECT tunnel failed|unable to tunnel through proxy|proxyconnect tcp/i,
      /ProxyError\(/,
    ],
    'The proxy did not make the connection: its address is wrong, it wants credentials, or it does not allow the host.',
    'Correct HTTPS_PROXY, ask the operator of the proxy to allow the host, or exempt it in NO_PROXY.',
    'proxy',
  ],
  [
    [
      'EAI_AGAIN',
      /temporary failure in name resolution|server misbehaving/i,
      [/\blookup [\w.-]/i, /i\/o timeout|connection refused/i],
    ],
    'No DNS server of this machine responded. The name may be correct.',
    'Check the DNS servers of this machine or pod, and the network to them (port 53).',
  ],
  [
    [/https?:\/\/https?(?::|\/|$)/im],
    'The client puts https:// before a setting that begins with https:// itself.',
    'Set the host name alone, without https:// and without a path.',
  ],
  [
    [
      'ENOTFOUND EAI_NONAME',
      /no such host|name or service not known|nodename nor servname provided|could not resolve host/i,
      /remote name could not be resolved|no address associated with hostname|DNS server lookup failed/i,
      /UnknownHostException|NameResolutionError|failed to resolve '|getaddrinfo failed|\bNXDOMAIN\b/i,
    ],
    'No DNS server here knows the host name: the resource does not exist, its suffix belongs to another cloud, or this network has no record of it.',
    'Correct the name or its suffix, or add the name to the DNS server of this network (private zone, forwarder).',
  ],
  [
    ['ECONNREFUSED', /connection refused|actively refused it/i],
    'Nothing listens at this address and port, or a firewall refuses the connection.',
    'Correct host and port, start the service there, or open the firewall.',
  ],
  [
    [
      'ECONNRESET EPIPE',
      /connection reset\b|forcibly closed by the remote host|socket hang up|Connection aborted\.|closed the transport stream/i,
      /unexpected EOF while reading|UNEXPECTED_EOF_WHILE_READING|EOF occurred in violation of protocol/i,
    ],
    'The host or a device on the network path closed the connection, often a firewall that inspects TLS.',
    'Ask the network team for a firewall or proxy on the path that does not allow this host.',
  ],
  [
    [
      [
        /servicebus|event ?hub|u?amqp/i,
        /unexpected error state|TransportException: connection aborted|Socketio_Failure|failed to open the connection/i,
      ],
    ],
    'The connection over AMQP (port 5671) was closed or never opened. Often a firewall or a proxy passes HTTPS alone.',
    'Open port 5671 to the namespace, or choose AMQP over WebSockets (port 443) in the client, with the proxy if there is one.',
    'proxy',
  ],
  [
    ['ENETUNREACH EHOSTUNREACH', /network is unreachable|no route to host/i],
    'This network has no route to the host.',
    'Connect this machine to the network of the cloud, or set the proxy that leads there.',
  ],
  [
    [/Unexpected token '?<'?|invalid character '<' looking for beginning of value|<!DOCTYPE html/i],
    'A web page came in place of the response: a sign-in page of the network, a proxy, or a portal.',
    'Check the address, and ask the network team to exempt the host from its sign-in page.',
  ],
  [
    ['ServerTimeout ServerBusy', /\b50[234] (?:Bad Gateway|Service Unavailable|Gateway Time-?out)/i],
    'The service, or a gateway or proxy before it, failed for the moment.',
    'Try again. If it repeats, ask the operator of the host, or of the proxy on the path.',
  ],
  [
    [
      'TooManyRequests SubscriptionRequestsThrottled OperationNotAllowedThrottled',
      /\b429\b[^\n]{0,30}too many requests/i,
    ],
    'The service limits the number of requests.',
    'Wait for the time that it names, and look for a client that sends requests in a loop.',
  ],
  [
    [
      /authority.{0,40}must (?:be|use|start with) .{0,20}https|authority host .{0,60}(?:must|should) be/i,
      /well-formed URI format|Invalid authority.{0,60}URI|'activeDirectoryEndpoint' cannot be empty/i,
    ],
    'The authority URL is missing or malformed: it must be an https URL of the login host, with a tenant where the client wants one.',
    'Set the authority URL in the settings or the credentials file of the program.',
  ],
  [
    [
      'ETIMEDOUT ESOCKETTIMEDOUT UND_ERR_CONNECT_TIMEOUT',
      /i\/o timeout|connect(?:ion)? timed out|read(?: operation)? timed out|context deadline exceeded/i,
      [/connection to /i, /timed out/i],
      /ConnectTimeoutError|Client\.Timeout exceeded|HttpClient\.Timeout|TimeoutException/i,
      /mount error\(11[0-5]\)|WinError 10060|did not properly respond after a period of time|failed to connect to [^\n]{1,80} port \d+/i,
    ],
    'The host did not respond in time: a firewall drops the packets, or there is no route to the host.',
    'Allow traffic from this machine to the host, or set the proxy that leads there.',
  ],
  [
    [
      'IDX20803 IDX20804 endpoints_resolution_error',
      /unable to get authority configuration|unable to (?:obtain|retrieve) (?:configuration|document) from/i,
      /unable to download OpenID Connect configuration/i,
      /could not resolve endpoints|unable to resolve an endpoint/i,
    ],
    'The client could not read the OpenID configuration of the authority: the address or the tenant is wrong, or DNS, TLS or a proxy is in the way.',
    'Open AUTHORITY/TENANT/v2.0/.well-known/openid-configuration from this machine, and correct authority, tenant, trust or proxy. For a private authority, disable instance discovery.',
    'cloud',
  ],
  // Credentials that had nothing to send.
  [
    [
      'invalid_client',
      [/adal: Refresh request failed/i, /Status Code = '401'/],
      /Verify if the Service Principal used is valid and not expired/i,
    ],
    'The login authority rejected the client: its id or its secret is wrong, or belongs to another cloud.',
    'Correct client id, secret and tenant, and check that the authority is that of their cloud.',
  ],
  [
    [
      /(?:tenant|client)[ _-]?id (?:cannot be|is|must not be) (?:empty|required|missing|not set)/i,
      /missing environment variable:? ['"]?AZURE_(?:TENANT|CLIENT)_ID/i,
    ],
    'The program has no tenant or no client id for its sign-in.',
    'Set the tenant and the client id in the settings of the program (AZURE_TENANT_ID, AZURE_CLIENT_ID).',
  ],
  [
    [/(?:post|get)_request_failed|network_error: Network request failed/],
    'The browser made no connection to the login authority, or the authority does not allow requests from the address of the page.',
    'Check authority and network, and register the redirect address of the page as a single-page application.',
  ],
  [
    [
      [/ManagedIdentityCredential/i, /(?<!acquired a token from )AzureCliCredential/i],
      /incomplete environment variable configuration|environment variables are not fully configured/i,
      /(?:DefaultAzureCredential|ChainedTokenCredential) failed to (?:retrieve|acquire) a token/i,
      /failed to retrieve a token from the included credentials|failed to get credentials\. Either pass as parameters/i,
    ],
    'No credential of the chain is configured for this process.',
    'Configure one: AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, a workload identity, a managed identity, or the sign-in of a tool.',
  ],
  [
    [
      /managed ?identity (?:authentication )?(?:is )?(?:unavailable|not available)|no managed identity endpoint found/i,
      [/ManagedIdentityCredential/i, /unavailable|no (?:response|managed identity)/i],
      /\bIdentity not found\b/,
      /MSI (?:is )?not (?:available|supported)|nmi response failed with status code|getting assigned identities for pod/i,
    ],
    ...noIdentity,
  ],
  [
    [
      /no client ID specified\. Check pod configuration|workload options are not fully configured/i,
      /WorkloadIdentityCredential[^\n]{0,160}(?:unavailable|not configured)(?![\s\S]*AzureCliCredential)/i,
    ],
    "The pod has no federated token: the cluster's webhook did not change it.",
    'Label the pod azure.workload.identity/use: "true", and annotate its service account with the client id.',
  ],
  [
    [
      /no authorization tokens were found|no cached token found, please log ?in|please run ['"]?az login|run Connect-AzAccount to log ?in|authentication needed, call Connect-/i,
      [/az account get-access-token/i, /non-zero/i],
      /Azure credentials have not been set up or have expired/i,
    ],
    'The command-line tool is not signed in, or not to this cloud and tenant.',
    'Select the cloud in the tool, then sign in.',
    'login',
  ],
  [
    [
      /Azure CLI (?:could )?not (?:be )?found|Azure CLI not found|(?:az|azure-cli|kubelogin): command not found/i,
      /exec: "(?:az|kubelogin)": executable file not found|executable kubelogin not found/i,
    ],
    'The program takes its sign-in from a tool (az or kubelogin) that is not in PATH.',
    'Install the tool and open a new terminal, or configure another credential.',
    'login',
  ],
]
