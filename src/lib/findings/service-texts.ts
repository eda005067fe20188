import { findings } from './catalog.ts'
import { generalFix } from './explain.ts'
import type { ErrorText } from './login-texts.ts'

/** What services say about tokens and requests. */
export const serviceTexts: readonly ErrorText[] = [
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
      'AuthenticationFailedMissingToken Authentication_MissingOrMalformed InvalidTokenError',
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
      /aka\.ms\/acr\/authorization/i,
    ],
    'The container registry did not accept the credential of the pull or push: none was sent, its token was issued for another cloud, or the identity has no role. A name that does not exist gets the same response.',
    'Sign in to this registry (az acr login --name NAME in its cloud), check the name of the image, and assign the role AcrPull or AcrPush.',
    'login',
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
    [/provide a custom subdomain for token authentication/i],
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
    ],
    'The tool does not know a cloud of this name. Each tool spells the names of clouds in another way.',
    'Use the name of the cloud as this tool spells it, or register the cloud in the tool.',
    'cloud',
  ],
]
