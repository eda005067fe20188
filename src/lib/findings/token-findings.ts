import type { Finding } from './finding.ts'
import { clockIsCorrect, profileIsCorrect, setAudience } from './shared-fixes.ts'

const unauthorized = ['Token acquired, API calls return 401'] as const

/** Claims of a token, responses of the services that receive it, and metadata of the cloud. */
export const tokenFindings = {
  TOKEN_AUDIENCE_MISMATCH: {
    title: 'Token for another audience',
    tokenAtFault: true,
    cause:
      'The token has another audience than the profile requests. The service that receives it will respond with 401.',
    fix: 'Set resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE) to the first audience in the metadata document of this cloud. The scope is that audience followed by .default.',
    fixes: [
      profileIsCorrect(
        'Ask the operator of the token issuer (login authority, identity endpoint or tool) to fix it: it was asked for {audience} and issued a token for {tokenAudience}.',
        'the audience',
      ),
      setAudience,
    ],
    symptoms: unauthorized,
  },
  TOKEN_AUDIENCE_SLASH: {
    title: 'Audience differs by its final slash',
    cause:
      'The audience of the token and the audience of the profile differ only in the final slash. Most services accept both.',
    fix: 'Change nothing while the resource manager accepts the token. If it responds with 401, ask its operator which form it expects.',
    symptoms: unauthorized,
  },
  TOKEN_TENANT_MISMATCH: {
    title: 'Token of another tenant',
    tokenAtFault: true,
    cause: 'The token comes from another tenant than the configured one.',
    fix: 'Correct PLATFORM_TENANT_ID (or tenantId of the profile). With platformCli, run az login --tenant TENANT. A managed identity always uses the tenant of its subscription.',
    fixes: [
      {
        when: 'managedIdentity',
        fix: 'If {tokenTenant} is the correct tenant, set PLATFORM_TENANT_ID (or tenantId of the profile) to it. If not, use an identity of the tenant {tenantId}: a managed identity belongs to the tenant of its subscription.',
      },
      {
        when: 'platformCli',
        fix: 'If {tokenTenant} is the correct tenant, set PLATFORM_TENANT_ID (or tenantId of the profile) to it. If not, run az login --tenant {tenantId}.',
      },
      {
        fix: 'If {tokenTenant} is the correct tenant, set PLATFORM_TENANT_ID (or tenantId of the profile) to it. If not, ask the operator of the login authority why it issues tokens of that tenant instead of {tenantId}.',
      },
    ],
  },
  TOKEN_ISSUER_MISMATCH: {
    title: 'Token of another issuer',
    tokenAtFault: true,
    cause: 'The issuer in the token is not the login authority of the profile.',
    fix: 'Correct authorityHost (PLATFORM_AUTHORITY_HOST). With platformCli, activate the cloud of the profile instead: az cloud set --name NAME.',
    fixes: [
      {
        when: 'platformCli',
        fix: 'Run az cloud set --name NAME with the cloud of the profile, then az login. If the tool has the correct cloud, correct authorityHost (PLATFORM_AUTHORITY_HOST).',
      },
    ],
  },
  TOKEN_EXPIRED: {
    title: 'Token already expired',
    tokenAtFault: true,
    cause:
      'The token expired before it could be used: the local clock is ahead, or the authority issues tokens without a lifetime.',
    fix: "Synchronize this machine's clock (NTP). If the clock is correct, ask the operator of the login authority to lengthen the token lifetime.",
    fixes: [
      clockIsCorrect(
        'Ask the operator of the issuer why its tokens arrive already expired (this token expired at {expiredAt}).',
      ),
    ],
  },
  TOKEN_NOT_YET_VALID: {
    title: 'Token not yet valid',
    tokenAtFault: true,
    cause: 'The token is not valid yet: the local clock is behind the clock of the login authority.',
    fix: "Synchronize this machine's clock (NTP) with the time source of the cloud.",
    fixes: [
      clockIsCorrect(
        'Ask the operator of the issuer why its tokens are not yet valid when they arrive (this token is valid from {notBefore}).',
      ),
    ],
  },
  TOKEN_OPAQUE: {
    title: 'Unreadable token',
    tokenAtFault: true,
    cause: 'The token is not a JWT. The service cannot check its audience, tenant and lifetime.',
    fix: 'Ask the operator of the login authority whether it always issues such tokens. If it does, test a token with a call from your application: this service sends an unreadable token to no endpoint.',
  },
  CLOCK_SKEW: {
    title: 'Clocks differ',
    cause:
      'The local clock and the clock of the login authority differ by minutes. Tokens and certificates then look expired or not yet valid.',
    fix: "Synchronize this machine's clock (NTP) with the time source of the cloud. An enclave has a separate time source.",
    fixes: [
      {
        fix: "Synchronize this machine's clock (NTP). Local time {ours}, login authority {theirs}. An enclave has a separate time source.",
      },
    ],
  },
  RESOURCE_MANAGER_REJECTED_TOKEN: {
    title: 'Token rejected by the resource manager',
    tokenAtFault: true,
    cause: 'The resource manager responded to the token with 401: it expects another audience or another tenant.',
    fix: 'Set resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE) to the first audience in its metadata document, and check the tenant.',
    fixes: [
      profileIsCorrect(
        'Ask the operator of {host} why it rejects the token: its trust in the login authority, its clock, or a gateway in front of it.',
        '{audience}',
      ),
      setAudience,
    ],
    symptoms: unauthorized,
  },
  RESOURCE_MANAGER_FORBIDDEN: {
    title: 'Identity without a role',
    cause: 'The token is valid, but its identity may not list subscriptions.',
    fix: 'Ask the owner of the subscription to assign this identity a role, at least Reader. Then wait a few minutes.',
    fixes: [
      {
        fix: 'Ask the owner of the subscription to assign the identity {clientId} a role, at least Reader. Then wait a few minutes.',
      },
    ],
  },
  SERVICE_REJECTED_TOKEN: {
    title: 'Token rejected by the service',
    tokenAtFault: true,
    cause:
      'The service responded with 401 to a token for its audience in the profile: it expects another audience or another tenant.',
    fix: 'Set serviceAudiences.storage (PLATFORM_STORAGE_AUDIENCE) or serviceAudiences.keyVault (PLATFORM_KEYVAULT_AUDIENCE) to the audience that this cloud expects, and check the tenant.',
    fixes: [
      {
        fix: 'Set {setting} to the audience that {host} names in its challenge. Then check the tenant of the account.',
      },
    ],
    symptoms: unauthorized,
  },
  SERVICE_FORBIDDEN: {
    title: 'Identity without a role in the service',
    cause: 'The token is valid, but its identity has no role that may list containers or secrets there.',
    fix: 'Ask the owner of the account to assign this identity a data role, such as Storage Blob Data Reader or Key Vault Secrets User. Then wait a few minutes.',
    fixes: [
      {
        fix: 'Ask the owner of {host} to assign the identity {clientId} a data role, at least {role}. Then wait a few minutes.',
      },
      {
        fix: 'Ask the owner of {host} to assign this identity a data role, at least {role}. Then wait a few minutes.',
      },
    ],
    symptoms: ['Token acquisition failed'],
  },
  SERVICE_FIREWALL: {
    title: 'Blocked by the firewall of the service',
    cause:
      'The network rules of the account block requests from this network. The service did not check the role of the identity.',
    fix: 'Ask the owner of the account to allow the network of this host, or to add a private endpoint with its private DNS zone.',
    fixes: [
      {
        fix: 'Ask the owner of {network} {host} to allow the network of this host, or to add a private endpoint with its private DNS zone. A role does not help.',
      },
    ],
    symptoms: ['Token acquisition failed'],
  },
  CHALLENGE_AUTHORITY_MISMATCH: {
    title: 'Service trusts another login authority',
    cause:
      'The challenge of the service names another login host than authorityHost. The endpoint and the authority belong to different clouds.',
    fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) and the endpoint of the service to values of the same cloud. The message names both hosts.',
    fixes: [
      profileIsCorrect(
        'Correct {accountSetting}, or ask the operator of {host} why its challenge names {challengeAuthority}.',
        'the login authority',
      ),
      profileIsCorrect(
        'Ask the operator of {host} why its challenge names {challengeAuthority}.',
        'the login authority',
      ),
      {
        fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to {challengeAuthority}, which {host} names, or correct the endpoint. The current authorityHost is {authority}.',
      },
    ],
    symptoms: unauthorized,
  },
  CHALLENGE_AUDIENCE_MISMATCH: {
    title: 'Service expects another audience',
    cause:
      'The challenge of the service names another audience than the profile. Often the profile still has an audience of the public cloud.',
    fix: 'Set the audience in the profile to the one in the message: PLATFORM_RESOURCE_MANAGER_AUDIENCE, PLATFORM_KEYVAULT_AUDIENCE or PLATFORM_STORAGE_AUDIENCE.',
    fixes: [{ fix: 'Set {setting} to {challengeAudience}, the audience that {host} names.' }],
    symptoms: unauthorized,
  },
  CHALLENGE_MISSING: {
    title: 'Response without a challenge',
    cause:
      'The response to a request without a token names neither authority nor audience. The check could not compare them with the profile.',
    fix: 'Check that the endpoint is the service and not a gateway or firewall in front of it. If this stack sends no challenge, rely on the token acceptance check.',
  },
  METADATA_NOT_CONFIGURED: {
    title: 'No metadata endpoint',
    cause: 'Discovery was requested, but the profile has no metadataEndpoint.',
    fix: 'Add metadataEndpoint to the custom profile file (usually resourceManagerEndpoint followed by metadata/endpoints), or turn discovery off.',
    symptoms: ['Metadata endpoint field absent when discovery is requested'],
  },
  METADATA_INVALID: {
    title: 'Invalid metadata document',
    cause: 'The metadata endpoint returned a document without a login address or without audiences.',
    fix: 'Correct metadataEndpoint of the profile: it is the resource manager of this cloud with the path metadata/endpoints.',
  },
  METADATA_CLOUD_NOT_LISTED: {
    title: 'Cloud not in the metadata document',
    cause: 'The metadata document lists several clouds, and none of them has the requested resource manager.',
    fix: 'Correct metadataEndpoint or resourceManagerEndpoint of the profile: the metadata must come from the resource manager of this cloud.',
  },
  METADATA_MISMATCH: {
    title: 'Profile and metadata differ',
    cause: 'The metadata of the cloud differs from the profile. The message names the fields.',
    fix: 'Copy the published values into the profile, unless its owner has a reason for other values.',
  },
} as const satisfies Readonly<Record<string, Finding>>
