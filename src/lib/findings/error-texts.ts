import type { FindingCode } from './catalog.ts'

/** What a fix is about. A tool has its own words for some of them: `tool-fixes.ts`. */
export type Topic =
  | 'audience'
  | 'client'
  | 'cloud'
  | 'connection'
  | 'discovery'
  | 'identity'
  | 'login'
  | 'proxy'
  | 'role'
  | 'trust'
  | 'version'

/** How a cause shows in the errors of other tools. */
export interface ErrorText {
  /** The finding that explains the same failure of our requests: its cause and fix hold unless the row has others. */
  readonly finding?: FindingCode
  readonly topic?: Topic
  /** Codes in the text: of the login authority (AADSTS), the resource manager, a vault, errno, OpenSSL, a compiler. */
  readonly codes?: readonly string[]
  /** One expression, or several that follow each other closely. Each takes linear time: an error text may hold anything. */
  readonly patterns?: readonly (RegExp | readonly RegExp[])[]
  readonly cause?: string
  readonly fix?: string
}

/** Codes of the login authority. */
const aadsts = (...numbers: readonly number[]): readonly string[] => numbers.map((number) => `AADSTS${number}`)

/**
 * The texts of other tools, the most telling first: an error text holds several, and a number of the login authority says more than the
 * client's sentence around it.
 */
export const errorTexts: readonly ErrorText[] = [
  {
    topic: 'trust',
    codes: ['BCP192'],
    patterns: [[/Azure CLI not installed/i, /PowerShell is not installed/i]],
    cause:
      'Bicep could not restore a module from the registry. If bicepconfig.json names a custom cloud that BICEP_TRUSTED_CLOUDS does not list, Bicep ignores its credentials too and reports that az and PowerShell are not installed.',
    fix: 'Set BICEP_TRUSTED_CLOUDS to the JSON list with the resourceManagerEndpoint and activeDirectoryAuthority of the profile in bicepconfig.json, with the same final slashes: cloud-profile export recipe bicep. If the cloud is a known one, sign in with az login first.',
  },
  {
    topic: 'cloud',
    codes: ['BCP446'],
    cause: 'Bicep does not trust the registry of the module: it knows the registries of the known clouds only.',
    fix: 'Add the registry to security.trustedRegistries in bicepconfig.json: cloud-profile export recipe bicep.',
  },
  // The cloud
  {
    topic: 'cloud',
    codes: aadsts(900382, 900432, 900383),
    patterns: [/not supported in Cross Cloud request/i],
    cause:
      'The tenant lives in another cloud than the login authority that received the request. Each cloud has a separate authority.',
    fix: 'Send the token request to the login authority of the cloud of the tenant, and register the application there.',
  },
  {
    finding: 'TENANT_UNKNOWN',
    topic: 'cloud',
    codes: aadsts(90002, 90019, 50059, 900021, 900023),
    patterns: [/Tenant '[^']*' not found/i, /invalid_tenant/i],
    cause:
      'The login authority does not know the tenant: the name or GUID is wrong, or the tenant lives in another cloud.',
    fix: 'Correct the tenant, and set the authority of the cloud in which the tenant lives.',
  },
  {
    topic: 'login',
    codes: aadsts(50020, 51004, 90072, 500200, 500208),
    cause: 'The user is not a member of the tenant, or signed in with an account of another cloud or of another kind.',
    fix: 'Sign in with an account of the tenant, at the authority of its cloud, or name the tenant of the account.',
  },
  {
    codes: aadsts(500021, 500022, 500023),
    cause:
      'The network allows sign-ins to chosen tenants only (tenant restrictions of a proxy), and this tenant is not among them.',
    fix: 'Ask the operator of the proxy to allow the tenant.',
  },
  {
    finding: 'INSTANCE_UNKNOWN',
    topic: 'discovery',
    codes: aadsts(50049),
    patterns: [
      /invalid_instance/i,
      /is not whitelisted/i,
      /authority (?:host )?validation failed/i,
      /instance discovery failed/i,
      /unknown or invalid instance/i,
      /turn off this check by passing in (?:validate_authority|instance_discovery)=False/i,
    ],
    cause:
      'The client asked the public instance discovery about the authority, and it knows the public, government and China authorities only. Or the authority URL is malformed.',
    fix: 'Disable instance discovery in the client for a private authority, or correct the authority URL.',
  },
  {
    finding: 'RESOURCE_UNKNOWN',
    topic: 'audience',
    codes: [...aadsts(500011, 500014, 650057, 65007, 50001), 'AudienceNotSupported'],
    patterns: [/resource principal named/i, /is not a supported MSI token audience/i],
    cause: 'The tenant has no resource with the requested audience. Often the audience belongs to another cloud.',
    fix: 'Request the token for an audience of the cloud of the tenant.',
  },
  {
    finding: 'SCOPE_INVALID',
    topic: 'audience',
    codes: aadsts(70011, 1002012, 28002, 28003),
    fix: 'Request exactly one scope: the audience of the service, followed by /.default.',
  },
  // The client
  {
    finding: 'CLIENT_SECRET_INVALID',
    topic: 'client',
    codes: aadsts(7000215, 7000222, 7000218, 7000216, 70002),
    patterns: [/invalid client secret/i],
    fix: 'Create a new secret for the application, and use its value, not its id.',
  },
  {
    finding: 'CLIENT_UNKNOWN',
    topic: 'client',
    codes: aadsts(700016, 7000229, 70001, 700030),
    cause: 'The tenant has no application with this client id. Each cloud has separate application registrations.',
    fix: 'Correct client id and tenant, or register the application in this tenant of this cloud.',
  },
  {
    finding: 'CLIENT_ASSERTION_REJECTED',
    codes: aadsts(700211, 700212, 700213, 70021, 700222, 7002138, 700223),
    patterns: [/No matching federated identity record found/i],
    cause: 'No federated credential of the application has the issuer, subject and audience of the token.',
    fix: 'Register a federated credential with exactly the issuer, subject and audience of the token. The audience differs between clouds.',
  },
  {
    codes: aadsts(501661),
    cause:
      'The login authority could not read the OpenID configuration or the keys of the issuer of the federated token.',
    fix: 'Make the issuer reachable for the login authority. If it worked before, try again.',
  },
  {
    finding: 'DEVICE_CODE_PENDING',
    codes: aadsts(70016),
    cause: 'The person has not yet approved the sign-in with the device code. The client asks again until then.',
    fix: 'Approve the sign-in at the address of this cloud that the client shows.',
  },
  {
    topic: 'login',
    finding: 'DEVICE_CODE_EXPIRED',
    codes: aadsts(70018, 70019, 70020),
    cause: 'The device code has expired or was used already.',
    fix: 'Start the sign-in again.',
  },
  {
    finding: 'CLIENT_ASSERTION_REJECTED',
    codes: aadsts(700024),
    patterns: [/client assertion is not within its valid time range/i],
    cause:
      'The client assertion is expired or not yet valid: the clock of this machine is wrong, or the token file was not renewed.',
    fix: "Synchronize this machine's clock (NTP), and check that the federated token is renewed.",
  },
  {
    finding: 'CLIENT_ASSERTION_REJECTED',
    codes: aadsts(700027, 700021, 700023, 50027, 50013, 70025),
    cause:
      'The login authority rejected the certificate or the client assertion: the certificate is not registered for the application, or the assertion names another audience.',
    fix: 'Register the certificate for the application, and check that the authority belongs to the cloud of the application.',
  },
  {
    finding: 'USER_REJECTED',
    codes: aadsts(50126, 50034, 50055, 50057, 50053, 50056, 50012),
    fix: 'Correct the user and the password, or unlock the user.',
  },
  {
    finding: 'CONDITIONAL_ACCESS',
    topic: 'login',
    codes: aadsts(
      53003,
      53000,
      53002,
      530002,
      530003,
      530031,
      50097,
      50155,
      50005,
      50076,
      50079,
      50074,
      50158,
      50072,
      53001,
      530034,
    ),
    patterns: [/blocked by Conditional Access/i],
  },
  {
    finding: 'SIGN_IN_NOT_ALLOWED',
    codes: aadsts(7000112, 50105, 501051, 65001, 650051, 650052, 90094, 65004),
  },
  {
    topic: 'login',
    codes: aadsts(70043, 700082, 50173, 700084, 70008, 700081, 50078, 50132, 50133, 54005),
    patterns: [/refresh token (?:has expired|is invalid|was revoked)/i],
    cause: 'The sign-in of the person has expired or was revoked.',
    fix: 'Sign in again.',
  },
  {
    topic: 'login',
    codes: aadsts(50058, 160021, 16000),
    cause: 'The authority has no session of this person.',
    fix: 'Sign in again, in the tenant and cloud of the resources.',
  },
  {
    topic: 'client',
    codes: aadsts(50011, 500113, 900971, 500112),
    cause:
      'The redirect address of the request is not registered for the application. Each cloud has separate registrations and other host names.',
    fix: 'Register the redirect address for the application in the tenant of this cloud.',
  },
  {
    topic: 'cloud',
    codes: aadsts(50194),
    cause: 'The application has one tenant, and the request used /common.',
    fix: 'Use the tenant of the application in the authority.',
  },
  {
    topic: 'client',
    codes: aadsts(90023, 900144, 9002313, 90014, 70003, 700054, 9002326, 9002327, 1000104),
    cause:
      'The request to the login authority is malformed: a parameter is missing, or the application may not use this flow.',
    fix: 'Correct the parameter that the message names, or allow the flow for the application.',
  },
  {
    topic: 'client',
    codes: aadsts(7000012),
    cause: 'The grant belongs to another tenant.',
    fix: 'Use the tenant in which the code or token was issued.',
  },
  {
    codes: aadsts(90033, 90006, 90013, 90055, 90007, 50196, 50000),
    cause: 'The login authority had a temporary fault, or limits the number of requests.',
    fix: 'Wait and try again. If it repeats, look for a client that signs in in a loop.',
  },
  // Tokens at the services
  {
    finding: 'TOKEN_AUDIENCE_MISMATCH',
    topic: 'audience',
    codes: ['InvalidAuthenticationTokenAudience', 'AKV10022', 'InvalidAudience', 'IDX10214', 'IDX10208'],
    patterns: [
      /wrong audience or resource/i,
      /access token validation failure\. Invalid audience/i,
      /audience validation failed/i,
      /AuthenticationErrorDetail>Audience/i,
      /token audience (?:is invalid|does not match)/i,
    ],
    cause:
      'The token was issued for another audience than the service accepts. Often it is the audience of another cloud.',
    fix: 'Request the token for the audience of this service in this cloud.',
  },
  {
    topic: 'cloud',
    finding: 'OPENID_CONFIGURATION_INVALID',
    patterns: [/issuer from OIDC discovery/i, [/issuer /i, /does not match (?:the )?(?:authority|issuer)/i]],
    cause:
      'The OpenID configuration of the authority names another host as issuer than the authority, and this version of the client does not accept that. The China authority is an alias, and a private authority may be too.',
    fix: 'Update the client, or set the authority to the host that the issuer names.',
  },
  {
    finding: 'TOKEN_TENANT_MISMATCH',
    topic: 'cloud',
    codes: ['InvalidAuthenticationTokenTenant', 'AKV10032', 'IDX10205', 'IDX10211', 'InvalidIssuer'],
    patterns: [
      /token is from the wrong issuer/i,
      /issuer validation failed/i,
      /Invalid issuer\. Expected one of/i,
      /issuer did not match/i,
    ],
    cause: 'The token comes from another tenant or another login authority than the service trusts.',
    fix: 'Sign in to the tenant of the resource, at the authority of its cloud.',
  },
  {
    topic: 'audience',
    patterns: [[/challenge resource /i, /does not match the requested domain/i], /challenge contains invalid scope/i],
    finding: 'CHALLENGE_AUDIENCE_MISMATCH',
    cause:
      'The vault names an audience that is not part of its host name, as on Azure Stack Hub, and the SDK refuses to send a token there.',
    fix: 'Check that the host is the vault of your cloud, then disable the check of the challenge resource (verify_challenge_resource=False, DisableChallengeResourceVerification).',
  },
  {
    topic: 'login',
    codes: ['ExpiredAuthenticationToken', 'IDX10223', 'AKV10016', 'AKV10010'],
    patterns: [/access token (?:has expired|expiry UTC time)/i, /lifetime validation failed/i, /token is expired/i],
    finding: 'TOKEN_EXPIRED',
    cause: 'The token has expired, or the clock of this machine is wrong.',
    fix: "Sign in again. If the token is new, synchronize this machine's clock (NTP).",
  },
  {
    topic: 'audience',
    codes: [
      'InvalidAuthenticationToken',
      'InvalidAuthenticationInfo',
      'AKV10000',
      'AKV10001',
      'AuthenticationFailedInvalidHeader',
    ],
    cause: 'The service could not use the token: it is of another cloud, of another audience, or damaged.',
    fix: 'Check audience and issuer of the token: cloud-profile why --token -',
  },
  {
    topic: 'role',
    codes: ['RequestTimeTooSkewed'],
    patterns: [/request date header too old/i],
    finding: 'CLOCK_SKEW',
    fix: "Synchronize this machine's clock (NTP).",
  },
  {
    finding: 'SERVICE_FIREWALL',
    codes: ['ForbiddenByFirewall', 'ForbiddenByConnection', 'AuthorizationFailure', 'IpAuthorizationError'],
    patterns: [
      /client address is not authorized and caller is not a trusted service/i,
      /client with IP address .{1,60} is not allowed to access the server/i,
      /public network access is disabled/i,
    ],
    fix: 'Allow the network of this machine at the service, or reach it through a private endpoint with its private DNS zone.',
  },
  {
    topic: 'role',
    finding: 'SERVICE_FORBIDDEN',
    codes: [
      'AuthorizationFailed',
      'LinkedAuthorizationFailed',
      'AuthorizationPermissionMismatch',
      'InsufficientAccountPermissions',
      'ForbiddenByRbac',
      'ForbiddenByPolicy',
      'Authorization_RequestDenied',
    ],
    patterns: [
      /does not have authorization to perform action/i,
      /does not have (?:secrets|keys|certificates) \w+ permission on key vault/i,
      /caller is not authorized to perform action on resource/i,
    ],
    cause: 'The identity is known, but has no role for this operation.',
    fix: 'Ask the owner of the resource to assign the identity the role that the operation needs. Then wait a few minutes.',
  },
  {
    codes: ['RequestDisallowedByPolicy', 'RequestDisallowedByAzure'],
    cause: 'A policy of the subscription does not allow this operation or these properties.',
    fix: 'Ask the owner of the policy, or change the properties that the message names.',
  },
  {
    codes: [
      'SkuNotAvailable',
      'QuotaExceeded',
      'ZonalAllocationFailed',
      'AllocationFailed',
      'OverconstrainedAllocationRequest',
    ],
    patterns: [/exceeding (?:approved )?[^\n]{0,40}quota/i],
    cause: 'The location of this cloud does not offer the size, or the quota of the subscription is used up.',
    fix: 'Choose another size or location, or request more quota: az vm list-skus, az vm list-usage.',
  },
  {
    patterns: [/Login failed for user '<token-identified principal>'/i],
    cause: 'The database knows no user for the identity of the token.',
    fix: 'Create the user in the database: CREATE USER [NAME] FROM EXTERNAL PROVIDER.',
  },
  {
    codes: ['KeyBasedAuthenticationNotPermitted', 'PublicAccessNotPermitted'],
    cause: 'The storage account does not permit keys or anonymous access.',
    fix: 'Use a token (Entra ID) for the account: --auth-mode login, use_azuread_auth, storage_use_azuread.',
  },
  {
    codes: ['SignatureDoesNotMatch'],
    patterns: [/value of Authorization header is formed correctly including the signature/i],
    cause:
      'The storage account rejected the key or signature: the key is of another account, was renewed, or the clock of this machine is wrong.',
    fix: "Copy the key of this account again, check its endpoint suffix, and synchronize this machine's clock.",
  },
  // What the cloud has
  {
    topic: 'cloud',
    codes: ['SubscriptionNotFound', 'InvalidSubscriptionId', 'InvalidSubscription'],
    patterns: [/subscription (?:of )?'[^']*' (?:could not be found|doesn'?t exist in cloud|was not found)/i],
    cause: 'The subscription is not in the cloud and tenant of the sign-in.',
    fix: 'Select the cloud of the subscription, sign in to its tenant, and check the subscription id.',
  },
  {
    topic: 'version',
    codes: [
      'NoRegisteredProviderFound',
      'InvalidResourceType',
      'InvalidApiVersionParameter',
      'NoApiVersionsForNamespace',
      'UnsupportedApiVersion',
    ],
    patterns: [
      /no registered resource provider found for location/i,
      /the api-version '[^']*' is invalid/i,
      [/specified version \(/i, /\) is not recognized/i],
      /value for one of the HTTP headers is not in the correct format[\s\S]{0,200}x-ms-version/i,
    ],
    cause:
      'This cloud does not offer that version of the API, or the service not at all in this location. Other clouds get versions later.',
    fix: 'Use a version among those that the message lists: an older package, provider or profile of the tool.',
  },
  {
    codes: ['MissingSubscriptionRegistration', 'SubscriptionNotRegistered', 'MissingRegistrationForLocation'],
    cause: 'The subscription has not registered the resource provider.',
    fix: 'Register the provider in the subscription: az provider register --namespace NAMESPACE.',
  },
  {
    topic: 'cloud',
    codes: ['LocationNotAvailableForResourceType', 'LocationNotAvailableForResourceGroup'],
    patterns: [/provided location '[^']*' is not (?:available|permitted)/i],
    cause: 'This cloud has no such location for this resource. Each cloud has separate locations.',
    fix: 'Use a location of this cloud: az account list-locations.',
  },
  {
    topic: 'cloud',
    patterns: [
      /the cloud '[^']*' is not registered/i,
      /unable to find environment with name/i,
      /no cloud environment matching the name/i,
      /expected "?environment"? to be one of/i,
      /unable to locate (?:a )?(?:cloud )?environment/i,
      /(?:retrieving|loading|determining) environment[^\n]{0,120}(?:not found|unable|unknown)/i,
    ],
    cause: 'The tool does not know a cloud of this name. Each tool spells the names of clouds in another way.',
    fix: 'Use the name of the cloud as this tool spells it, or register the cloud in the tool.',
  },
  {
    topic: 'identity',
    finding: 'MANAGED_IDENTITY_UNAVAILABLE',
    patterns: [
      /managed ?identity (?:authentication )?(?:is )?(?:unavailable|not available)/i,
      [/ManagedIdentityCredential/i, /unavailable|no (?:response|managed identity)/i],
      /no managed identity endpoint found/i,
      /\bIdentity not found\b/,
      [/(?:get|post) "?http:\/\/169\.254\.169\.254/i, /timeout|deadline|refused|unreachable/i],
      /MSI (?:is )?not (?:available|supported)/i,
    ],
    cause:
      'The host offers no managed identity to this process: none is assigned, the client id is another, or the request to the identity endpoint went through a proxy.',
    fix: 'Assign an identity to the host, correct its client id, and exempt 169.254.169.254 from the proxy (NO_PROXY).',
  },
  {
    topic: 'identity',
    patterns: [
      /no client ID specified\. Check pod configuration/i,
      /workload options are not fully configured/i,
      /WorkloadIdentityCredential[^\n]{0,160}(?:unavailable|not configured)(?![\s\S]*AzureCliCredential)/i,
    ],
    cause: "The pod has no federated token: the cluster's webhook did not change it.",
    fix: 'Label the pod azure.workload.identity/use: "true", and annotate its service account with the client id.',
  },
  {
    topic: 'login',
    finding: 'CLI_NOT_LOGGED_IN',
    patterns: [
      /please run ['"]?az login/i,
      /run Connect-AzAccount to log ?in/i,
      /Azure credentials have not been set up or have expired/i,
      /no subscriptions? found for/i,
    ],
    cause: 'The command-line tool is not signed in, or not to this cloud and tenant.',
    fix: 'Select the cloud in the tool, then sign in.',
  },
  {
    topic: 'login',
    finding: 'CLI_NOT_INSTALLED',
    patterns: [
      /Azure CLI (?:could )?not (?:be )?found/i,
      /(?:az|azure-cli): command not found/i,
      /exec: "az": executable file not found/i,
    ],
  },
  // TLS
  {
    finding: 'AUTHORITY_CERTIFICATE_INVALID',
    patterns: [/Missing Authority Key Identifier/i, /Basic Constraints of CA cert not marked critical/i],
    cause:
      'Python 3.13 and OpenSSL check certificates strictly, and a CA in the chain breaks a rule (RFC 5280). Trusting it does not help.',
    fix: 'Ask the operator of the proxy or server to renew its CA with the missing extension.',
  },
  {
    finding: 'AUTHORITY_CERTIFICATE_EXPIRED',
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    patterns: [
      /certificate has expired/i,
      /certificate is not yet valid/i,
      /CertificateExpiredException/,
      /CertificateNotYetValidException/,
      /\bNotTimeValid\b/,
    ],
    cause:
      'A certificate of the server or of the proxy has expired or is not yet valid, or the clock of this machine is wrong.',
    fix: "Synchronize this machine's clock (NTP). If it is correct, ask the operator of the host to renew the certificate.",
  },
  {
    finding: 'AUTHORITY_CERTIFICATE_NAME_MISMATCH',
    topic: 'connection',
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'SSL_ERROR_BAD_CERT_DOMAIN'],
    patterns: [
      /x509: certificate is (?:valid for|not valid for any names)/i,
      /hostname mismatch/i,
      /doesn'?t match (?:either of )?'/i,
      /No (?:subject alternative|name matching)/i,
      /RemoteCertificateNameMismatch/,
      /no alternative certificate subject name matches/i,
    ],
    cause:
      'The certificate at this address was issued for other host names: DNS, a hosts file or a proxy leads to another server.',
    fix: 'Check where the name leads, and use a name that the certificate has.',
  },
  {
    finding: 'AUTHORITY_CERTIFICATE_WEAK',
    patterns: [
      /(?:ee key|ca key|dh key) too small/i,
      /(?:ca|ee) md too weak/i,
      /certificate key too weak/i,
      /insecure algorithm SHA1-RSA/i,
    ],
    cause: 'The certificate chain has a key or signature that OpenSSL or Go refuses.',
    fix: 'Ask the operator of the host to renew the chain with SHA-256 and RSA keys of 2048 bits or more.',
  },
  {
    finding: 'AUTHORITY_UNTRUSTED',
    topic: 'trust',
    codes: [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_GET_ISSUER_CERT',
      'SEC_E_UNTRUSTED_ROOT',
      '0A000086',
      '1416F086',
    ],
    patterns: [
      /signed by unknown authority/i,
      /unable to get (?:local )?issuer certificate/i,
      /unable to verify the first certificate/i,
      /self[- ]signed certificate/i,
      /PKIX path (?:building|validation) failed/i,
      /unable to find valid certification path/i,
      /\b(?:PartialChain|UntrustedRoot)\b/,
      /RemoteCertificateChainErrors/,
      /invalid peer certificate: UnknownIssuer/i,
      /CERTIFICATE_VERIFY_FAILED/,
      /verify error:num=(?:18|19|20|21)\b/,
      /certificate verify failed/i,
      /could not establish trust relationship/i,
      /certificate is not trusted/i,
      /not trusted by the trust provider/i,
    ],
    cause: 'The client does not trust the certificate authority of the server, or of a proxy that inspects TLS.',
    fix: 'Add the certificate authority to the trust of this client. If a proxy inspects TLS, it is the one of the proxy.',
  },
  {
    topic: 'trust',
    patterns: [
      /could not find a suitable TLS CA certificate bundle/i,
      /error setting certificate (?:verify locations|file)/i,
      /Ignoring extra certs from/i,
    ],
    cause: 'The file of trusted certificates that a variable names does not exist or cannot be read.',
    fix: 'Correct the path in REQUESTS_CA_BUNDLE, SSL_CERT_FILE, CURL_CA_BUNDLE or NODE_EXTRA_CA_CERTS.',
  },
  {
    finding: 'AUTHORITY_TLS_FAILED',
    topic: 'connection',
    codes: ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', '0A00010B', '1408F10B', '0A000152', '0A000410'],
    patterns: [
      /wrong version number/i,
      /first record does not look like a TLS handshake/i,
      /unsafe legacy renegotiation disabled/i,
      /handshake[_ ]failure/i,
      /Unsupported or unrecognized SSL message/i,
      /unsupported protocol/i,
    ],
    cause:
      'The other side does not speak TLS in a form that this client accepts: a proxy or server without TLS at this port, or one with an old version.',
    fix: 'Check scheme and port of the address and of the proxy, and ask its operator for TLS 1.2 or 1.3.',
  },
  // The network
  {
    finding: 'AUTHORITY_PROXY_FAILED',
    topic: 'proxy',
    codes: ['ERR_PROXY_CONNECTION_FAILED'],
    patterns: [
      /\b407\b[^\n]{0,40}proxy/i,
      /proxy authentication required/i,
      /tunnel connection failed/i,
      /CONNECT tunnel failed/i,
      /unable to tunnel through proxy/i,
      /proxyconnect tcp/i,
      /cannot connect to proxy/i,
      /ProxyError\(/,
      /could not resolve proxy/i,
    ],
    cause:
      'The proxy did not make the connection: its address is wrong, it wants credentials, or it does not allow the host.',
    fix: 'Correct HTTPS_PROXY, ask the operator of the proxy to allow the host, or exempt it in NO_PROXY.',
  },
  {
    finding: 'AUTHORITY_DNS_UNAVAILABLE',
    topic: 'connection',
    codes: ['EAI_AGAIN'],
    patterns: [
      /temporary failure in name resolution/i,
      /server misbehaving/i,
      [/\blookup [\w.-]/i, /i\/o timeout|connection refused/i],
    ],
    cause: 'No DNS server of this machine responded. The name may be correct.',
    fix: 'Check the DNS servers of this machine or pod, and the network to them (port 53).',
  },
  {
    finding: 'AUTHORITY_DNS_FAILED',
    topic: 'connection',
    codes: ['ENOTFOUND', 'EAI_NONAME'],
    patterns: [
      /no such host/i,
      /name or service not known/i,
      /nodename nor servname provided/i,
      /could not resolve host/i,
      /remote name could not be resolved/i,
      /UnknownHostException/,
      /failed to resolve '/i,
      /NameResolutionError/,
      /no address associated with hostname/i,
      /DNS server lookup failed/i,
    ],
    cause:
      'No DNS server here knows the host name: the resource does not exist, its suffix belongs to another cloud, or this network has no record of it.',
    fix: 'Correct the name or its suffix, or add the name to the DNS server of this network (private zone, forwarder).',
  },
  {
    finding: 'AUTHORITY_REFUSED',
    topic: 'connection',
    codes: ['ECONNREFUSED'],
    patterns: [/connection refused/i, /actively refused it/i],
    cause: 'Nothing listens at this address and port, or a firewall refuses the connection.',
    fix: 'Correct host and port, start the service there, or open the firewall.',
  },
  {
    finding: 'AUTHORITY_RESET',
    topic: 'connection',
    codes: ['ECONNRESET', 'EPIPE'],
    patterns: [
      /connection reset by peer/i,
      /forcibly closed by the remote host/i,
      /socket hang up/i,
      /Connection aborted\./i,
      /unexpected EOF while reading/i,
      /UNEXPECTED_EOF_WHILE_READING/,
    ],
    cause: 'The host or a device on the network path closed the connection, often a firewall that inspects TLS.',
    fix: 'Ask the network team for a firewall or proxy on the path that does not allow this host.',
  },
  {
    finding: 'AUTHORITY_UNREACHABLE',
    topic: 'connection',
    codes: ['ENETUNREACH', 'EHOSTUNREACH'],
    patterns: [/network is unreachable/i, /no route to host/i],
    cause: 'This network has no route to the host.',
    fix: 'Connect this machine to the network of the cloud, or set the proxy that leads there.',
  },
  {
    finding: 'AUTHORITY_RESPONSE_INVALID',
    topic: 'connection',
    patterns: [/Unexpected token '?<'?/i, /invalid character '<' looking for beginning of value/i, /<!DOCTYPE html/i],
    cause: 'A web page came in place of the response: a sign-in page of the network, a proxy, or a portal.',
    fix: 'Check the address, and ask the network team to exempt the host from its sign-in page.',
  },
  {
    finding: 'AUTHORITY_THROTTLED',
    codes: ['TooManyRequests', 'SubscriptionRequestsThrottled', 'OperationNotAllowedThrottled'],
    patterns: [/\b429\b[^\n]{0,30}too many requests/i],
    cause: 'The service limits the number of requests.',
    fix: 'Wait for the time that it names, and look for a client that sends requests in a loop.',
  },
  {
    topic: 'client',
    patterns: [
      /authority.{0,40}must (?:be|use|start with) .?https/i,
      /well-formed URI format/i,
      /Invalid authority.{0,60}URI/i,
      /authority host .{0,60}(?:must|should) be/i,
    ],
    cause:
      'The authority URL is malformed: it must be an https URL of the login host, with a tenant where the client wants one.',
    fix: 'Correct the authority URL.',
  },
  {
    finding: 'AUTHORITY_TIMEOUT',
    topic: 'connection',
    codes: ['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
    patterns: [
      /i\/o timeout/i,
      /connect(?:ion)? timed out/i,
      [/connection to /i, /timed out/i],
      /ConnectTimeoutError/,
      /context deadline exceeded/i,
      /Client\.Timeout exceeded/i,
      /HttpClient\.Timeout/,
      /read(?: operation)? timed out/i,
      /WinError 10060/,
      /did not properly respond after a period of time/i,
      /TimeoutException/,
      /failed to connect to [^\n]{1,80} port \d+/i,
    ],
    cause: 'The host did not respond in time: a firewall drops the packets, or there is no route to the host.',
    fix: 'Allow traffic from this machine to the host, or set the proxy that leads there.',
  },
  {
    topic: 'cloud',
    codes: ['IDX20803', 'IDX20804', 'endpoints_resolution_error'],
    patterns: [
      /unable to get authority configuration/i,
      /unable to (?:obtain|retrieve) (?:configuration|document) from/i,
      /could not resolve endpoints/i,
      /unable to resolve an endpoint/i,
    ],
    cause:
      'The client could not read the OpenID configuration of the authority: the address or the tenant is wrong, or DNS, TLS or a proxy is in the way.',
    fix: 'Open AUTHORITY/TENANT/v2.0/.well-known/openid-configuration from this machine, and correct authority, tenant, trust or proxy. For a private authority, disable instance discovery.',
  },
  {
    finding: 'CLIENT_SECRET_INVALID',
    topic: 'client',
    codes: ['invalid_client'],
    cause: 'The login authority rejected the client: its id or its secret is wrong, or belongs to another cloud.',
    fix: 'Correct client id, secret and tenant, and check that the authority is that of their cloud.',
  },
  {
    topic: 'client',
    patterns: [
      /incomplete environment variable configuration/i,
      /environment variables are not fully configured/i,
      /(?:DefaultAzureCredential|ChainedTokenCredential) failed to (?:retrieve|acquire) a token/i,
      /failed to retrieve a token from the included credentials/i,
    ],
    cause: 'No credential of the chain is configured for this process.',
    fix: 'Configure one: AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, a workload identity, a managed identity, or the sign-in of a tool.',
  },
]
