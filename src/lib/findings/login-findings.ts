import type { Finding } from './finding.ts'
import { setAudience, setAuthority, tenantOfAnotherCloud } from './shared-cases.ts'

const ofManager = '{scopeOf=resource manager}'
const ofService = '{scopeOf=service}'

/** The refused scope is left over from another cloud, or has a wrong form. A setting is named only if the scope comes from it. */
const useCounterpart = [
  `${ofManager} Set {resourceManagerAudience.change} to {audienceToUse.value}. {counterpart}.`,
  `${ofService} {counterpart}.`,
] as const

const compareScope = 'Compare the scope {scope} with the audience that the service documents. If it is right, ask'

/** The audience of the resource manager was refused: the cloud publishes another one, or nothing says which one is right. */
const setManagerAudience = [
  setAudience,
  `${ofManager} Set {resourceManagerAudience.change} to the first audience in the metadata document: GET RESOURCE_MANAGER/metadata/endpoints?api-version=2015-01-01.`,
] as const

/** The federated token has other times than the login authority. */
const times = 'AADSTS700024|AADSTS500133|AADSTS50012'

/** Refusals by the login authority, and failures of a token attempt or a sign-in by a person. */
export const loginFindings = {
  CLIENT_SECRET_INVALID: {
    title: 'Client secret rejected',
    signs: ['invalid client secret'],
    cause:
      '[{errorNumber=AADSTS7000222}The secret was correct and has expired|{errorNumber=AADSTS700025}A public client must send neither secret nor assertion|The secret is wrong, has expired, or is the id of the secret instead of its value].',
    fix: 'Create a new secret for the application {application}[ in tenant {tenantId}] and set {PLATFORM_CLIENT_SECRET.change} to its value. Check that PLATFORM_CLIENT_ID names the same application.',
    cases: [
      '{errorNumber=AADSTS700025} Remove the secret or certificate from the request, or ask the administrator to set "Allow public client flows" of the application to No.',
      'Remove the {problem} from the value of {variable.change}: they were sent as a part of the secret. If they belong to the secret, create a new one.',
      '{errorNumber=AADSTS7000222} Create a new secret for the application {application}[ in tenant {tenantId}], because this one has expired ({errorNumber}), and set {PLATFORM_CLIENT_SECRET.change} to its value.',
      '{errorNumber=AADSTS7000215} Set {PLATFORM_CLIENT_SECRET.change} to the value of a secret of the application {application}[ in tenant {tenantId}], not to its id, or create a new secret. Check that PLATFORM_CLIENT_ID names the same application.',
    ],
  },
  CLIENT_NOT_PUBLIC: {
    title: 'Application without public client flows',
    cause: 'The application must prove its identity by a secret or certificate, unless it is a public client.',
    fix: 'Allow public client flows for the application {application}[ in tenant {tenantId}], and add a redirect URI for mobile and desktop. Or use an AUTH_MODE with a secret or certificate, such as clientSecret.',
  },
  CLIENT_UNKNOWN: {
    title: 'Unknown application',
    cause: 'The tenant has no application with this client id, or does not allow it this sign-in method.',
    fix: 'Correct {PLATFORM_CLIENT_ID.change}[ (now {clientId})][ and {tenantId.setting} (now {tenantId})| and {tenantId.setting}], or register the application in the tenant. Each cloud has separate application registrations.',
  },
  CLIENT_ASSERTION_REJECTED: {
    title: 'Certificate or federated token rejected',
    signs: ['No matching federated identity record found', 'client assertion is not within its valid time range'],
    cause: 'The login authority does not accept the certificate, or issuer, subject, audience or time of the token.',
    fix: 'Register the certificate of PLATFORM_CLIENT_CERTIFICATE_PATH, or a federated credential with the issuer, subject and audience of the token in PLATFORM_FEDERATED_TOKEN_FILE.',
    cases: [
      'Replace the federated token in the file of PLATFORM_FEDERATED_TOKEN_FILE, which expired at {expiredAt}: mount it as a projected volume, which the cluster renews, and restart the pod.',
      '{problem=no JWT} Replace the content of the file of {PLATFORM_FEDERATED_TOKEN_FILE.change}, which is not a JWT, with the token that the cluster or the pipeline issues.',
      'Request the federated token for the audience {federatedAudience}, which this cloud expects: the token in the file of PLATFORM_FEDERATED_TOKEN_FILE is for {assertionAudience}. In a pod, set serviceAccountToken.audience of the projected volume.',
      'Replace the certificate in the file of PLATFORM_CLIENT_CERTIFICATE_PATH, which expired at {validTo}, and register the new one for the application {application}[ in tenant {tenantId}].',
      'Wait until {validFrom}, when the certificate of PLATFORM_CLIENT_CERTIFICATE_PATH becomes valid, or restore the previous one. If this date has passed, synchronize the clock of this machine.',
      '{errorNumber=AADSTS50166|AADSTS501661|AADSTS90061} Retry, because the token issuer may be down for a moment. If the login authority still cannot read the OpenID configuration and the keys of the issuer, make them reachable for it, with a certificate that it trusts.',
      '{errorNumber=AADSTS700238} Ask the administrator of the tenant to allow the issuer in the policy for federated credentials of workloads.',
      `{errorNumber=${times}} {problem=expired assertion} Change the program, which read the token file once, so that it reads the file for each request, because it is renewed about each hour. Restart the pod for now.`,
      `{errorNumber=${times}} {problem=early assertion} Synchronize the clock of the assertion's issuer, which is ahead (NTP): of this machine for a certificate, or of the cluster for a federated token.`,
      `{errorNumber=${times}} Synchronize this machine's clock (NTP), and the clock of the issuer of a federated token: the login authority received an assertion that has expired or is not yet valid.`,
      '{mode=clientCertificate} Register the certificate of PLATFORM_CLIENT_CERTIFICATE_PATH for the application {application}[ in tenant {tenantId}]. If it is registered, check PLATFORM_CLIENT_ID and the clock of this machine.',
      'Register a federated credential for the application {application} with issuer {issuer}, subject {subject} and audience {assertionAudience}.',
      '{errorNumber=AADSTS70021|AADSTS700211|AADSTS700212|AADSTS700213} Register a federated credential for the application {application} with the issuer and subject of the token in PLATFORM_FEDERATED_TOKEN_FILE, and with the audience {federatedAudience}, which this cloud expects.',
    ],
  },
  USER_REJECTED: {
    title: 'User or password rejected',
    cause: 'The user is unknown, locked or disabled, or the password is wrong or has expired.',
    fix: 'Correct PLATFORM_USERNAME and PLATFORM_PASSWORD, change an expired password, or unlock the user. In production, use an AUTH_MODE without a password.',
    cases: [
      '{errorNumber=AADSTS50020|AADSTS500208} Use an account of this tenant, or ask its administrator to invite this one (of another directory) as a guest. No password helps. Check PLATFORM_TENANT_ID: a shared tenant such as common selects the home directory of the account.',
      '{errorNumber=AADSTS50034} Correct {PLATFORM_USERNAME.change}: {at} knows no such user in this tenant ({errorNumber}).',
      '{errorNumber=AADSTS50055} Change the expired password of the user by a sign-in in a browser at {at} ({errorNumber}), then set {PLATFORM_PASSWORD.change} to the new one. In production, use an AUTH_MODE without a password.',
      '{errorNumber=AADSTS50057} Ask the administrator of the tenant[ {tenantId}] to enable the account of the user[{mode=usernamePassword} in PLATFORM_USERNAME], which is disabled ({errorNumber}). No password helps.',
      '{errorNumber=AADSTS50126} Correct {PLATFORM_PASSWORD.change}, or PLATFORM_USERNAME: {at} rejected them ({errorNumber}). In production, use an AUTH_MODE without a password.',
    ],
  },
  TENANT_UNKNOWN: {
    title: 'Unknown tenant',
    signs: ["Tenant '…' not found", 'invalid_tenant'],
    cause: 'The login authority does not know the tenant, or not for this application. A tenant exists in one cloud.',
    fix: 'Correct {PLATFORM_TENANT_ID.change}: {at} does not know the tenant[ {tenantId}]. Each cloud has separate tenants.',
    cases: [
      '{errorNumber=AADSTS50194} Set {PLATFORM_TENANT_ID.change} to the tenant of the application, which a shared tenant such as common does not know, or ask its owner to make it multi-tenant.',
      ...tenantOfAnotherCloud,
      setAuthority,
    ],
  },
  INSTANCE_UNKNOWN: {
    title: 'Unknown login instance (AADSTS50049)',
    cause:
      'The login authority does not know the host name in the request as one of its instances[{authorityHost.open}: the URL is malformed or belongs to another cloud].',
    fix: 'Set {authorityHost.change} to the https login host of this cloud, with a final slash, and with a path only for a federation service.',
    cases: [
      setAuthority,
      'Ask the operator of {at} to register this host name as an instance of the login authority[; correlation id {correlationId}].{authorityHost.proof}',
    ],
    signs: ['AADSTS50049: Unknown or invalid instance', 'invalid_instance'],
  },
  RESOURCE_UNKNOWN: {
    title: 'Unknown resource',
    signs: [
      'resource principal named … was not found',
      'AudienceNotSupported',
      'is not a supported MSI token audience',
      'MSIS9602',
      'MSIS9605',
    ],
    cause: 'The tenant has no resource with this audience[{resourceManagerAudience.open}, often of another cloud].',
    fix: 'Compare the audience with the values of this cloud: cloud-profile why names its counterpart, and cloud-profile explain prints all values. Tokens for the resource manager need the first audience in its metadata document.',
    cases: [
      ...useCounterpart,
      `${ofService} ${compareScope} the administrator to register the service[ in tenant {tenantId}].`,
      'Ask the operator of {at} to register the resource {audience}[ in tenant {tenantId}].{resourceManagerAudience.proof}',
      ...setManagerAudience,
    ],
  },
  SCOPE_INVALID: {
    title: 'Invalid scope',
    cause: 'The scope is not one audience followed by .default, or the login authority does not know it.',
    fix: 'Request the audience of the service followed by /.default, alone: no permission, no second .default and no scope of OpenID after it. cloud-profile why names the audience of this cloud.',
    cases: [
      ...useCounterpart,
      `${ofService} ${compareScope} the operator of {at} why it rejects it.`,
      'Ask the operator of {at} why the login authority rejects the scope {audience}.default.{resourceManagerAudience.proof}',
      ...setManagerAudience,
    ],
  },
  CONDITIONAL_ACCESS: {
    title: 'Blocked by an access policy of the tenant',
    signs: ['blocked by Conditional Access'],
    cause: 'A policy requires more than this sign-in provides: a second factor, a managed device or another network.',
    fix: 'Ask the administrator of the tenant[ {tenantId}] to exempt the identity[ {clientId}] or this network, or use an AUTH_MODE that the policy allows, such as managedIdentity.',
  },
  SIGN_IN_NOT_ALLOWED: {
    title: 'Identity not allowed to sign in',
    cause: 'The application is disabled, the identity is not assigned to it, or consent or a redirect URI is missing.',
    fix: 'Ask the administrator of the tenant to enable the application of PLATFORM_CLIENT_ID, to assign the identity to it, or to grant consent.',
    cases: [
      '{errorNumber=AADSTS65002} Use az (AUTH_MODE=platformCli) for this resource, or register an application and set PLATFORM_CLIENT_ID to its id: the vendor has not authorized this tool for the resource.',
      '{errorNumber=AADSTS50011|AADSTS500113} Add the redirect URI of the message to the application, character by character, for the right platform: mobile and desktop for a public client, web for a server.',
      '{errorNumber=AADSTS7000112} Ask the administrator of the tenant[ {tenantId}] to enable the application {application}, which is disabled.',
      '{errorNumber=AADSTS50105|AADSTS501051} Ask the administrator of the tenant[ {tenantId}] to assign the user or identity to the application {application}, which requires assignment.',
      '{errorNumber=AADSTS65001|AADSTS90094} Ask the administrator of the tenant[ {tenantId}] to grant the application {application} consent for {audience}.',
    ],
  },
  USER_ASSERTION_REJECTED: {
    title: 'User token rejected',
    cause: 'The access token that the user sent has expired, or it is for another application, tenant or cloud.',
    fix: 'Check the token of the user first: its audience must be the application {application}. If it has expired, respond with 401, so that the client gets a new one.',
  },
  ON_BEHALF_OF_NOT_ALLOWED: {
    title: 'Token of an application instead of a user',
    cause: 'Only the token of a user can be exchanged, and the caller sent one for itself (AADSTS7000114).',
    fix: 'Pass the token of a user. To call a service without a user, use the credential of the application.',
  },
  CONSENT_REQUIRED: {
    title: 'Consent of the user missing',
    cause: 'Neither the user nor an administrator has allowed the application to call this service for the user.',
    fix: 'Ask the administrator of the tenant[ {tenantId}] to grant the application {application} consent for [{audience}|this service], or let the user sign in to it and consent.',
  },
  TOKEN_REJECTED: {
    title: 'Token request refused',
    cause: 'The reason has no separate code in this catalog.',
    fix: 'Ask the operator of {at} why it refuses this token request[ ({error})] without an error number. Check AUTH_MODE and the PLATFORM_ variables of that mode.',
    cases: [
      '{errorNumber=AADSTS9002313} Correct the form of the request: send client_id, grant_type and scope once each, as application/x-www-form-urlencoded, and encode + and & in a secret.',
      'Look up {errorNumber} in the documentation of the login authority[, or give the correlation id {correlationId} to its operator]. Check AUTH_MODE and the PLATFORM_ variables of that mode.',
    ],
  },
  TOKEN_RESPONSE_INVALID: {
    title: 'Invalid token response',
    cause: 'The response contains no access token, or its lifetime is not a number of seconds.',
    fix: 'Set {authorityHost.setting} to the address of the login authority, and not of a gateway or portal in front of it.',
    cases: ['Ask the operator of {at} to correct its token responses.{authorityHost.proof}'],
  },
  TOKEN_TIMEOUT: {
    title: 'Token attempt timed out',
    cause: 'The failed or slow check shows which host delayed it.',
    fix: 'Fix the failed check of the slow host first. If the host is only slow, raise PLATFORM_TOKEN_TIMEOUT_MS (milliseconds).',
  },
  TOKEN_CANCELLED: {
    title: 'Token attempt canceled',
    cause: 'The caller canceled the attempt before it finished.',
    fix: 'Try again. If the caller did not cancel it on purpose, check whether the host was shutting down or the client closed its connection.',
  },
  DEVICE_CODE_PENDING: {
    title: 'Waiting for sign-in',
    cause: 'The login authority issued a sign-in code, and waits for a person to enter it.',
    fix: 'Open the sign-in address on any device that reaches the login authority, and enter the code.',
  },
  DEVICE_CODE_DECLINED: {
    title: 'Sign-in declined',
    cause: 'The person at the sign-in page declined, or is not allowed to use this application.',
    fix: 'Start a new sign-in and approve its code, or ask the administrator to grant the user access to this application.',
  },
  DEVICE_CODE_EXPIRED: {
    title: 'Sign-in code expired',
    cause: 'The code expired before a person entered it.',
    fix: 'Start a new sign-in and enter its code in time. If no person can sign in, use another AUTH_MODE.',
  },
  DEVICE_CODE_RESPONSE_INVALID: {
    title: 'Invalid device code response',
    cause: 'A required field of the response has no valid value: a code, the address or the lifetime.',
    fix: 'Ask the operator of the login authority to correct its device authorization endpoint (RFC 8628, section 3.2), or use another AUTH_MODE.',
  },
} as const satisfies Readonly<Record<string, Finding>>
