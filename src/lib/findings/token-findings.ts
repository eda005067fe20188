import type { Finding } from './finding.ts'
import { setAudience, setAuthority, setCounterpart } from './shared-cases.ts'

/** The metadata describes another known cloud. */
const whyAnotherCloud = 'Ask the operator of [{host}|the metadata endpoint] why its metadata describes another cloud'
const copyNothing = '[, or correct {metadataEndpoint.setting}]. Do not copy these values into the profile.'

/** The address may belong to another cloud, unless the live cloud confirms it. */
const whyAuthority =
  '[Correct {address.setting}, or ask|Ask] the operator of {at} why its challenge names {challengeAuthority}'

const ifTenant =
  'If [{tokenTenant}|the tenant of the token] is the correct tenant, set {PLATFORM_TENANT_ID.change} to it. If not,'

const unauthorized = ['Token acquired, API calls return 401'] as const

/** Claims of a token, responses of the services that receive it, and metadata of the cloud. */
export const tokenFindings = {
  TOKEN_AUDIENCE_MISMATCH: {
    title: 'Token for another audience',
    tokenAtFault: true,
    causes: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
    cause: 'It has another audience than the profile requests. The service that receives it will respond with 401.',
    fix: 'Set {audience.change} to the first audience in the metadata document of this cloud, or to the one that the service names in its challenge. The scope is that audience followed by .default.',
    cases: [
      '{counterpart}. If the request was right, ask the operator of the token issuer (login authority, identity endpoint or tool) to fix the audience.',
      'Ask the operator of the token issuer (login authority, identity endpoint or tool) to fix the audience: the request named [{audience}|the audience of the profile], but the token is for [{tokenAudience}|another one].{audience.proof}',
      setAudience,
    ],
    signs: unauthorized,
  },
  TOKEN_AUDIENCE_SLASH: {
    title: 'Audience differs by its final slash',
    cause: 'Most services accept an audience with and without its final slash.',
    fix: 'Change nothing while the resource manager accepts the token. If it responds with 401, ask its operator which form it expects.',
    signs: unauthorized,
  },
  TOKEN_TENANT_MISMATCH: {
    title: 'Token of another tenant',
    tokenAtFault: true,
    causes: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
    cause: 'The token comes from another tenant than the configured one.',
    fix: `${ifTenant} ask the operator of the login authority why it issues no token[ in tenant {tenantId}| in the tenant of the profile].`,
    cases: [
      `{mode=platformCli} ${ifTenant} run az login --tenant [{tenantId}|TENANT_ID].`,
      `{mode=managedIdentity} ${ifTenant} use an identity[ in tenant {tenantId}| in the tenant of the profile]: a managed identity belongs to the tenant of its subscription.`,
    ],
  },
  TOKEN_ISSUER_MISMATCH: {
    title: 'Token of another issuer',
    tokenAtFault: true,
    cause: 'The issuer in the token is not the login authority of the profile.',
    fix: 'Set {authorityHost.setting} to the login authority of this cloud. With platformCli, activate the cloud of the profile instead: az cloud set --name NAME.',
    cases: [
      '{mode=platformCli} Run az cloud set --name NAME with the cloud of the profile, then az login.[ If the tool has the correct cloud, set {authorityHost.setting} to its login authority.]',
      'Ask the operator of the token issuer why its tokens name another issuer.{authorityHost.proof}',
    ],
  },
  TOKEN_EXPIRED: {
    title: 'Token already expired',
    tokenAtFault: true,
    causes: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
    cause: 'The local clock is ahead, or the authority issues tokens without a lifetime.',
    fix: "Synchronize this machine's clock (NTP). If the clock is correct, ask the operator of the login authority to lengthen the token lifetime.",
    cases: [
      'Ask the operator of the issuer why its tokens arrive already expired (this token expired at {expiredAt}).{clockProof}',
    ],
  },
  TOKEN_NOT_YET_VALID: {
    title: 'Token not yet valid',
    tokenAtFault: true,
    causes: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
    cause: 'The local clock is behind the clock of the login authority.',
    fix: "Synchronize this machine's clock (NTP) with the time source of the cloud.",
    cases: [
      'Ask the operator of the issuer why its tokens are not yet valid when they arrive (this token is valid from {validFrom}).{clockProof}',
    ],
  },
  TOKEN_OPAQUE: {
    title: 'Unreadable token',
    tokenAtFault: true,
    cause: 'The token is not a JWT, so the service cannot check its audience, tenant and lifetime.',
    fix: 'Ask the operator of the login authority whether it always issues such tokens. If it does, test a token with a call from your application: this service sends an unreadable token to no endpoint.',
  },
  CLOCK_SKEW: {
    title: 'Clocks differ',
    isLocal: true,
    causes: ['TOKEN_EXPIRED', 'TOKEN_NOT_YET_VALID', 'CLIENT_ASSERTION_REJECTED', 'RESOURCE_MANAGER_REJECTED_TOKEN'],
    cause: 'A difference of minutes makes tokens and certificates look expired or not yet valid.',
    fix: "Synchronize this machine's clock (NTP)[. Local time {ours}][, login authority {theirs}]. An enclave has a separate time source.",
    cases: [
      'Ask the operator of {at} to synchronize its clock (NTP): its time is {theirs}, but this machine ({ours}) and {agreeingHosts} agree.',
    ],
  },
  RESOURCE_MANAGER_REJECTED_TOKEN: {
    title: 'Token rejected by the resource manager',
    signs: [
      ...unauthorized,
      'InvalidAuthenticationTokenAudience',
      'InvalidAuthenticationTokenTenant',
      'InvalidAuthenticationToken',
      'ExpiredAuthenticationToken',
      'wrong audience or resource',
      'token is from the wrong issuer',
    ],
    tokenAtFault: true,
    cause:
      'The resource manager responded with 401[{resourceManagerAudience.open}, most often for its audience or tenant|, although the audience is correct].',
    fix: 'Set {resourceManagerAudience.setting} to the first audience in its metadata document, and check the tenant.',
    cases: [
      '{errorCode=InvalidAuthenticationTokenTenant} Set {PLATFORM_TENANT_ID.change} to [{expectedTenant.value}|the tenant of the subscription]: {at} rejects tokens of tenant {tenantId} ({errorCode}).',
      '{errorCode=ExpiredAuthenticationToken} Ask the operator of {at} to synchronize its clock (NTP): it says that a new token has expired ({errorCode}).[{clockProof}]',
      'Ask the operator of {at} why it rejects the token[ ({errorCode})]. Possible reasons: its trust in the login authority, its clock, or a gateway in front of it.{resourceManagerAudience.proof}',
      setAudience,
      setCounterpart,
      '{errorCode=InvalidAuthenticationTokenAudience} Set {resourceManagerAudience.change} to an audience that {at} accepts: it rejects {audience} ({errorCode}[, accepted: {allowedAudiences}]). Its metadata document or its operator names them.',
    ],
  },
  RESOURCE_MANAGER_FORBIDDEN: {
    title: 'Identity without a role',
    signs: ['AuthorizationFailed', 'does not have authorization to perform action'],
    cause: 'The token is valid, but its identity has no role that allows it to list subscriptions.',
    fix: 'Ask the owner of the subscription to assign the identity[ {clientId}] a role, at least Reader. Then wait a few minutes.',
  },
  SERVICE_REJECTED_TOKEN: {
    title: 'Token rejected by the service',
    signs: [...unauthorized, 'AKV10022', 'AKV10032', 'InvalidAudience', 'InvalidAuthenticationInfo'],
    tokenAtFault: true,
    cause:
      '[{audience.open}The service expects another audience or another tenant|The audience is correct, but the service may trust another tenant].',
    fix: 'Set serviceAudiences.storage (PLATFORM_STORAGE_AUDIENCE) or serviceAudiences.keyVault (PLATFORM_KEYVAULT_AUDIENCE) to the audience that this cloud expects, and check the tenant.',
    cases: [
      "{sign=login failed for user '<token-identified principal>'} Request a token for [{audienceToUse} (scope {scopeToUse})|this cloud's audience of SQL (cloud-profile clouds NAME)] in the tenant of the server. Then set a Microsoft Entra administrator on the server, and create a user for the identity in the database.",
      'Ask the owner of {at} which tenant it trusts: it rejects the token for [{audience}|its audience].{audience.proof}',
      setCounterpart,
      '{audienceField.known} Set {audience.setting} to the audience that {at} names in its challenge. Then check the tenant of the account.',
    ],
  },
  SERVICE_FORBIDDEN: {
    title: 'Identity without a role in the service',
    signs: ['Token acquisition failed', 'AuthorizationPermissionMismatch', 'ForbiddenByRbac'],
    cause: 'The token is valid, but its identity has no role that allows it to list containers or secrets there.',
    fix: 'Ask the owner of [{host}|the account] to assign the identity[ {clientId}] a data role[, at least {role}]. Then wait a few minutes.',
  },
  SERVICE_FIREWALL: {
    title: 'Blocked by the firewall of the service',
    signs: ['Token acquisition failed', 'ForbiddenByFirewall', 'ForbiddenByConnection'],
    cause: 'The network rules of the account block this network. The service did not check the role of the identity.',
    fix: 'Ask the owner of the [{service}|account][ {host}] to allow the network of this host, or to add a private endpoint with its private DNS zone[ (the name resolves to {address} here)]. A role does not help.',
    cases: [
      'Add {host} to the private DNS zone that this network uses, so that it resolves to its private endpoint: it has the public address {address} here, but {sibling} has {siblingAddress}. Or ask the owner of the {service} to allow this network.',
    ],
  },
  CHALLENGE_AUTHORITY_MISMATCH: {
    title: 'Service trusts another login authority',
    causes: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
    cause:
      'The challenge of the service names another login host[{authorityHost.open}: endpoint and authority belong to different clouds].',
    fix: 'Set {authorityHost.setting} and the endpoint of the service to values of the same cloud. The message names both hosts.',
    cases: [
      `${whyAuthority}, the login authority of another cloud ({challengeAuthority.cloud}).`,
      `${whyAuthority}.{authorityHost.proof}`,
      'Set {authorityHost.change} to {challengeAuthority.value}, which {at} names, or correct the endpoint. The current authorityHost is {authority}.',
    ],
    signs: unauthorized,
  },
  CHALLENGE_AUDIENCE_MISMATCH: {
    title: 'Service expects another audience',
    causes: ['RESOURCE_MANAGER_REJECTED_TOKEN', 'RESOURCE_UNKNOWN', 'SCOPE_INVALID'],
    cause:
      '[{audience.open}Often the profile still has an audience of the public cloud|The challenge names an audience that the profile does not have].',
    fix: 'Set {audience.setting} to the audience that the challenge names.',
    cases: [
      'Ask the operator of {at} why its challenge names {challengeAudience}, an audience of another cloud ({challengeAudience.cloud}). Check that its address belongs to this cloud.',
      'Set {audience.change} to {challengeAudience.value}, the audience that {at} names.',
      'Ask the operator of {at} why its challenge names [{challengeAudience}|another audience].{audience.proof}',
    ],
    signs: unauthorized,
  },
  CHALLENGE_MISSING: {
    title: 'Response without a challenge',
    cause: 'A request without a token gets no login authority and no audience to compare with the profile.',
    fix: 'Check that the endpoint is the service and not a gateway or firewall in front of it. If this stack sends no challenge, rely on the token acceptance check.',
  },
  API_VERSION_UNSUPPORTED: {
    title: 'API version not supported by the service',
    signs: ['NoRegisteredProviderFound', 'InvalidApiVersionParameter'],
    cause: 'The service does not know the API version of the request. An on-premises stack has older versions.',
    fix: 'Use an API version in your applications that [{host}|this service] supports[: {supportedVersions}]. The token is accepted, so change nothing here.',
    cases: [
      '{sign=is not supported by this release of the storage emulator|is not supported by azurite} Install the newest azurite, the storage emulator, which refuses versions newer than itself, or start it with --skipApiVersionCheck.',
    ],
  },
  METADATA_NOT_CONFIGURED: {
    title: 'No metadata endpoint',
    cause: 'Discovery was requested, but the profile has no metadataEndpoint.',
    fix: 'Add metadataEndpoint to the custom profile file (usually resourceManagerEndpoint followed by metadata/endpoints), or turn discovery off.',
  },
  METADATA_INVALID: {
    title: 'Invalid metadata document',
    cause: 'The metadata endpoint returned a document without a login address or without audiences.',
    fix: "Set {metadataEndpoint.setting} to the address of this cloud's resource manager, followed by metadata/endpoints.",
  },
  METADATA_CLOUD_NOT_LISTED: {
    title: 'Cloud not in the metadata document',
    cause: 'None of the clouds in the metadata document has the requested resource manager.',
    fix: 'Correct {metadataEndpoint.setting} or {resourceManagerEndpoint.setting}: the metadata must come from the resource manager of this cloud.',
    cases: [
      `${whyAnotherCloud} ({publishedResourceManager.cloud})${copyNothing}`,
      'Ask the operator of the metadata endpoint to correct its document[, or correct {metadataEndpoint.setting}].{resourceManagerEndpoint.proof}',
    ],
  },
  METADATA_MISMATCH: {
    title: 'Profile and metadata differ',
    cause: 'The metadata of the cloud has other values in the fields that the message names.',
    fix: 'Copy the published values into the profile, unless its owner has a reason for other values.',
    cases: [
      `${whyAnotherCloud} ({publishedAuthority.cloud})${copyNothing}`,
      `${whyAnotherCloud} ({publishedAudience.cloud})${copyNothing}`,
      `{publishedAuthority.known} ${setAuthority}`,
      `{publishedAudience.known} ${setAudience}`,
      'Keep {fieldsToKeep}. Ask the operator of the metadata endpoint to correct its document[, or correct {metadataEndpoint.setting}].',
    ],
  },
} as const satisfies Readonly<Record<string, Finding>>
