import type { Finding } from './finding.ts'

const unauthorized = ['Token acquired, API calls return 401'] as const

/** What a token says of itself, and what the services it is for say. */
export const tokenFindings = {
  TOKEN_AUDIENCE_MISMATCH: {
    title: 'Token for another audience',
    tokenAtFault: true,
    cause:
      'The token was issued for another audience than the profile asks for, so the service it is sent to will answer 401.',
    fix: 'Set resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE) to what this cloud expects: the first audience of its metadata document. The scope is that audience and .default.',
    fixes: [
      {
        when: 'metadataAgrees',
        fix: 'Leave the profile: the metadata of the cloud agrees with {audience}. Let the operator of the issuer (login authority, identity endpoint, tool) mend it: it was asked for that audience and gave {tokenAudience}.',
      },
      {
        fix: 'Set resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE) to {audienceToSet}, which the cloud itself names. The scope is that audience and .default.',
      },
    ],
    symptoms: unauthorized,
  },
  TOKEN_AUDIENCE_SLASH: {
    title: 'Audience differs by its final slash',
    cause:
      'The audience of the token and that of the profile differ only in the final slash. Most services accept both.',
    fix: 'Nothing, as long as the resource manager accepts the token. If it answers 401, ask its operator which form it expects.',
    symptoms: unauthorized,
  },
  TOKEN_TENANT_MISMATCH: {
    title: 'Token of another tenant',
    tokenAtFault: true,
    cause: 'The token comes from another tenant than the one configured.',
    fix: 'Correct PLATFORM_TENANT_ID (or tenantId of the profile); with platformCli run az login --tenant TENANT; a managed identity lives in the tenant of its subscription.',
    fixes: [
      {
        fix: 'If {tokenTenant} is the right tenant, set PLATFORM_TENANT_ID (or tenantId of the profile) to it. If not, let the operator of the login authority find out why it does not answer for {tenantId}.',
      },
    ],
  },
  TOKEN_ISSUER_MISMATCH: {
    title: 'Token of another issuer',
    tokenAtFault: true,
    cause: 'The issuer in the token is not the login authority of the profile.',
    fix: 'Correct authorityHost (PLATFORM_AUTHORITY_HOST), or with platformCli the active cloud: az cloud set --name NAME.',
  },
  TOKEN_EXPIRED: {
    title: 'Token already expired',
    tokenAtFault: true,
    cause:
      'The token ended before it could be used: the clock here is ahead, or the authority issues tokens of no lifetime.',
    fix: 'Set the clock of this machine by the time source of the cloud (NTP). If the clock is right, the operator of the login authority must lengthen the lifetime.',
    fixes: [
      {
        when: 'clockAgrees',
        fix: 'Let the operator of the issuer find out why its tokens are over when they come (this one ended at {endedAt}). The clock here agrees with that of the login authority.',
      },
    ],
  },
  TOKEN_NOT_YET_VALID: {
    title: 'Token not yet valid',
    tokenAtFault: true,
    cause: 'The token begins in the future: the clock here is behind that of the login authority.',
    fix: 'Set the clock of this machine by the time source of the cloud (NTP).',
    fixes: [
      {
        when: 'clockAgrees',
        fix: 'Let the operator of the issuer find out why its tokens begin in the future (this one at {notBefore}). The clock here agrees with that of the login authority.',
      },
    ],
  },
  TOKEN_OPAQUE: {
    title: 'Unreadable token',
    tokenAtFault: true,
    cause: 'The token is not a JWT, so its audience, tenant and lifetime cannot be checked here.',
    fix: 'Nothing, if this authority always issues such tokens; they are shown to nobody here. Try a call of your own with the token, for no check can decide.',
  },
  CLOCK_SKEW: {
    title: 'Clocks differ',
    cause:
      'The clock here and that of the login authority differ by minutes, so tokens and certificates look expired or not yet valid.',
    fix: 'Set the clock of this machine by the time source of the cloud (NTP); an enclave has its own.',
    fixes: [
      {
        fix: 'Set the clock of this machine by the time source of the cloud (NTP): it says {ours}, the login authority {theirs}. An enclave has its own time source.',
      },
    ],
  },
  RESOURCE_MANAGER_REJECTED_TOKEN: {
    title: 'Token not accepted by the resource manager',
    tokenAtFault: true,
    cause:
      'The resource manager answers 401 to a token of this profile: its audience or its tenant is not what it expects.',
    fix: 'Set resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE) to the first audience of its metadata document, and check the tenant.',
    fixes: [
      {
        when: 'metadataAgrees',
        fix: 'Leave the profile: the metadata of the cloud agrees with its audience {audience}. Let the operator of {host} find out why it refuses: the trust in its login authority, its clock, or a gateway in front.',
      },
      {
        fix: 'Set resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE) to {audienceToSet}, which the cloud itself names; it was {audience}.',
      },
    ],
    symptoms: unauthorized,
  },
  RESOURCE_MANAGER_FORBIDDEN: {
    title: 'Identity without rights',
    cause: 'The token is good, but its identity may not list subscriptions.',
    fix: 'Let the owner of the subscription give this identity a role, at least Reader, and wait some minutes.',
    fixes: [
      {
        fix: 'Let the owner of the subscription give the identity {clientId} a role, at least Reader, and wait some minutes.',
      },
    ],
  },
  SERVICE_REJECTED_TOKEN: {
    title: 'Token not accepted by the service',
    tokenAtFault: true,
    cause:
      'The service answers 401 to a token of its audience in the profile: it expects another audience or another tenant.',
    fix: 'Set serviceAudiences.storage (PLATFORM_STORAGE_AUDIENCE) or serviceAudiences.keyVault (PLATFORM_KEYVAULT_AUDIENCE) to what this cloud expects, and check the tenant.',
    fixes: [
      {
        fix: 'Set {setting} to the audience that {host} expects in this cloud; its challenge names it. Then check the tenant of the account.',
      },
    ],
    symptoms: unauthorized,
  },
  SERVICE_FORBIDDEN: {
    title: 'Identity without a role at the service',
    cause: 'The token is good, but its identity has no role that may list containers or secrets there.',
    fix: 'Let the owner of the account give this identity a data role, such as Storage Blob Data Reader or Key Vault Secrets User, and wait some minutes.',
    fixes: [
      {
        fix: 'Let the owner of {host} give the identity {clientId} a data role, at least {role}, and wait some minutes for it to take effect.',
      },
      {
        fix: 'Let the owner of {host} give this identity a data role, at least {role}, and wait some minutes for it to take effect.',
      },
    ],
    symptoms: ['Token acquisition failed'],
  },
  SERVICE_FIREWALL: {
    title: 'Refused by the firewall of the service',
    cause:
      'The network rules of the account do not allow requests from here. The token was not even looked at for its role.',
    fix: 'Let the owner of the account allow the network of this host, or give it a private endpoint with its private DNS zone.',
    fixes: [
      {
        fix: 'Let the owner of {network} {host} allow the network of this host, or reach it by a private endpoint with its private DNS zone. A role does not help.',
      },
    ],
    symptoms: ['Token acquisition failed'],
  },
  CHALLENGE_AUTHORITY_MISMATCH: {
    title: 'Service trusts another login authority',
    cause:
      'Asked without a token, the service names another login host than authorityHost: endpoint and authority belong to different clouds.',
    fix: 'Make authorityHost (PLATFORM_AUTHORITY_HOST) and the endpoint that was asked those of one cloud; the message has both hosts.',
    fixes: [
      {
        when: 'metadataAgrees',
        fix: 'Leave the profile: the metadata of the cloud agrees with its authority. Let the operator of {host} find out why it names {challengeAuthority} instead, or correct the name of the account.',
      },
      {
        fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to {challengeAuthority}, which {host} names, or the endpoint to that of your cloud; it was {authority}.',
      },
    ],
    symptoms: unauthorized,
  },
  CHALLENGE_AUDIENCE_MISMATCH: {
    title: 'Service expects another audience',
    cause:
      'Asked without a token, the service names another audience than the profile; often one of the public cloud was left in place.',
    fix: 'Set the audience in the profile to the one in the message: PLATFORM_RESOURCE_MANAGER_AUDIENCE, PLATFORM_KEYVAULT_AUDIENCE or PLATFORM_STORAGE_AUDIENCE.',
    fixes: [{ fix: 'Set {setting} to {challengeAudience}, the audience that {host} names.' }],
    symptoms: unauthorized,
  },
  CHALLENGE_MISSING: {
    title: 'Answer without a challenge',
    cause:
      'Asked without a token, the service does not say which authority and audience it expects, so they were not compared.',
    fix: 'Check that the endpoint is the service itself and not a gateway or firewall in front of it. Some stacks send no challenge; then the check of the token decides.',
  },
  METADATA_NOT_CONFIGURED: {
    title: 'No metadata endpoint',
    cause: 'Discovery was asked for, but the profile has no metadataEndpoint.',
    fix: 'Add metadataEndpoint to the custom profile file, usually resourceManagerEndpoint followed by metadata/endpoints, or work without discovery.',
    symptoms: ['Metadata endpoint field absent when discovery is requested'],
  },
  METADATA_INVALID: {
    title: 'Unusable metadata document',
    cause: 'The metadata endpoint answers with a document that lacks a login address or audiences.',
    fix: 'Check metadataEndpoint of the profile: it is the resource manager of this cloud with the path metadata/endpoints.',
  },
  METADATA_CLOUD_NOT_LISTED: {
    title: 'Cloud not in the metadata document',
    cause: 'The metadata endpoint lists several clouds, and none has the resource manager that was asked.',
    fix: 'Ask the resource manager of the cloud itself: correct metadataEndpoint or resourceManagerEndpoint of the profile.',
  },
  METADATA_MISMATCH: {
    title: 'Profile and metadata differ',
    cause: 'What the cloud publishes about itself differs from the profile; the message names the fields.',
    fix: 'Take the published values over into the profile, unless its owner has a reason for others.',
  },
} as const satisfies Readonly<Record<string, Finding>>
