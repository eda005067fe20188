import { findings } from './catalog.ts'
import { generalFix } from './explain.ts'

/** What a fix is about. A tool has its own words for some of them: `tool-fixes.ts`. */
export type Topic = 'audience' | 'cloud' | 'discovery' | 'login' | 'proxy' | 'trust' | 'version'

/** How a cause shows in the errors of other tools. The topic chooses the words of the tool. */
export type ErrorText = readonly [signs: readonly Sign[], cause: string, fix: string, topic?: Topic]

/**
 * Codes, separated by spaces: of the login authority, the resource manager, a vault, errno, OpenSSL or a compiler. Or an expression, or
 * several that follow each other closely. Each takes linear time: an error text may hold anything.
 */
export type Sign = string | RegExp | readonly RegExp[]

/** Codes of the login authority. */
const aadsts = (numbers: string): string => numbers.replaceAll(/\d+/g, 'AADSTS$&')

/** What compilers and login authorities say, the most telling first. */
export const loginTexts: readonly ErrorText[] = [
  [
    ['BCP192', [/Azure CLI not installed/i, /PowerShell is not installed/i]],
    'Bicep could not restore a module from the registry. If bicepconfig.json names a custom cloud that BICEP_TRUSTED_CLOUDS does not list, Bicep ignores its credentials too and reports that az and PowerShell are not installed.',
    'Set BICEP_TRUSTED_CLOUDS to the JSON list with the resourceManagerEndpoint and activeDirectoryAuthority of the profile in bicepconfig.json, with the same final slashes: cloud-profile export recipe bicep. If the cloud is a known one, sign in with az login first.',
    'trust',
  ],
  [
    ['BCP446'],
    'Bicep does not trust the registry of the module: it knows the registries of the known clouds only.',
    'Add the registry to security.trustedRegistries in bicepconfig.json: cloud-profile export recipe bicep.',
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
    [[/Invalid authority type/i, /adfs/i], /not supported (?:by|for) (?:an? )?(?:adfs|ad fs)\b/i],
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
]
