import type { Finding } from './finding.ts'

const unauthorized = ['Token acquired, API calls return 401'] as const

/** What a token says of itself, and what the services it is for say. */
export const tokenFindings = {
  TOKEN_AUDIENCE_MISMATCH: {
    title: 'Token for another audience',
    cause:
      'The token was issued for another audience than the profile asks for, so the service it is sent to will answer 401.',
    fix: 'Set resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE) to what this cloud expects: the first audience of its metadata document. The scope is that audience and .default.',
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
    cause: 'The token comes from another tenant than the one configured.',
    fix: 'Correct PLATFORM_TENANT_ID (or tenantId of the profile); with platformCli run az login --tenant TENANT; a managed identity lives in the tenant of its subscription.',
  },
  TOKEN_ISSUER_MISMATCH: {
    title: 'Token of another issuer',
    cause: 'The issuer in the token is not the login authority of the profile.',
    fix: 'Correct authorityHost (PLATFORM_AUTHORITY_HOST), or with platformCli the active cloud: az cloud set --name NAME.',
  },
  TOKEN_EXPIRED: {
    title: 'Token already expired',
    cause:
      'The token ended before it could be used: the clock here is ahead, or the authority issues tokens of no lifetime.',
    fix: 'Set the clock of this machine by the time source of the cloud (NTP). If the clock is right, the operator of the login authority must lengthen the lifetime.',
  },
  TOKEN_NOT_YET_VALID: {
    title: 'Token not yet valid',
    cause: 'The token begins in the future: the clock here is behind that of the login authority.',
    fix: 'Set the clock of this machine by the time source of the cloud (NTP).',
  },
  TOKEN_OPAQUE: {
    title: 'Unreadable token',
    cause: 'The token is not a JWT, so its audience, tenant and lifetime cannot be checked here.',
    fix: 'Nothing, as long as the resource manager accepts it; that check decides.',
  },
  CLOCK_SKEW: {
    title: 'Clocks differ',
    cause:
      'The clock here and that of the login authority differ by minutes, so tokens and certificates look expired or not yet valid.',
    fix: 'Set the clock of this machine by the time source of the cloud (NTP); an enclave has its own.',
  },
  RESOURCE_MANAGER_REJECTED_TOKEN: {
    title: 'Token not accepted by the resource manager',
    cause:
      'The resource manager answers 401 to a token of this profile: its audience or its tenant is not what it expects.',
    fix: 'Set resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE) to the first audience of its metadata document, and check the tenant.',
    symptoms: unauthorized,
  },
  RESOURCE_MANAGER_FORBIDDEN: {
    title: 'Identity without rights',
    cause: 'The token is good, but its identity may not list subscriptions.',
    fix: 'Let the owner of the subscription give this identity a role, at least Reader, and wait some minutes.',
  },
  CHALLENGE_AUTHORITY_MISMATCH: {
    title: 'Service trusts another login authority',
    cause:
      'Asked without a token, the service names another login host than authorityHost: endpoint and authority belong to different clouds.',
    fix: 'Make authorityHost (PLATFORM_AUTHORITY_HOST) and the endpoint that was asked those of one cloud; the message has both hosts.',
    symptoms: unauthorized,
  },
  CHALLENGE_AUDIENCE_MISMATCH: {
    title: 'Service expects another audience',
    cause:
      'Asked without a token, the service names another audience than the profile; often one of the public cloud was left in place.',
    fix: 'Set the audience in the profile to the one in the message: PLATFORM_RESOURCE_MANAGER_AUDIENCE, PLATFORM_KEYVAULT_AUDIENCE or PLATFORM_STORAGE_AUDIENCE.',
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
