import type { EvidenceName } from './evidence.ts'
import type { ChangeableField, Facts, Finding, FixRow } from './finding.ts'
import {
  ask,
  audienceField,
  because,
  optional,
  host,
  valueOr,
  orChange,
  named,
  ofAnotherCloud,
  say,
  sets,
  setsField,
  when,
  clockProof,
  ifClockAgrees,
  ifProven,
  setAudience,
  setAuthority,
} from './fix-row.ts'

const otherTenant = ({ run: { mode, tenantId } }: Facts): string => {
  if (mode === 'platformCli') return `run az login --tenant ${tenantId ?? 'TENANT_ID'}`
  const tenant = tenantId === undefined ? 'the tenant of the profile' : `tenant ${tenantId}`
  return mode === 'managedIdentity'
    ? `use an identity of ${tenant}: a managed identity belongs to the tenant of its subscription`
    : `ask the operator of the login authority why it issues tokens of that tenant instead of ${tenant}`
}

/** The address may belong to another cloud, unless the live cloud confirms it. */
const askOrCorrect = ({ run: { endpoint: { address, field } = {}, proven } }: Facts): string =>
  address === undefined || (field !== undefined && proven[field] !== undefined) ? 'Ask' : `Correct ${address}, or ask`

/** The fields that differ from the metadata and are proven, or the fields that differ and are not. */
const differences =
  (isProven: boolean) =>
  ({ differingFields = '', run: { proven } }: Facts): string[] =>
    differingFields.split(', ').filter((field) => field !== '' && Object.hasOwn(proven, field) === isProven)

const copyUnproven = (facts: Facts): string | undefined => {
  const fields = differences(false)(facts)
  if (fields.length === 0) return undefined
  const [values, reason] = fields.length === 1 ? ['value', 'another value'] : ['values', 'other values']
  return `Copy the published ${values} of ${fields.join(', ')} into the profile, unless its owner has a reason for ${reason}.`
}

/** The document describes another known cloud. */
const askOfAnotherCloud = (value: EvidenceName): FixRow =>
  ofAnotherCloud(
    value,
    (owner) =>
      ask`Ask the operator of ${({ host }) => host ?? 'the metadata endpoint'} why its metadata describes another cloud (${owner})${orChange('metadataEndpoint', ', or correct ')}. Do not copy these values into the profile.`,
  )

const unauthorized = ['Token acquired, API calls return 401'] as const

/** Claims of a token, responses of the services that receive it, and metadata of the cloud. */
export const tokenFindings = {
  TOKEN_AUDIENCE_MISMATCH: {
    title: 'Token for another audience',
    tokenAtFault: true,
    causes: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
    cause:
      'The token has another audience than the profile requests. The service that receives it will respond with 401.',
    fix: [
      when(
        ({ tokenAudience, federatedAudience }) => tokenAudience === JSON.stringify(federatedAudience),
        say`Use another token: this one (${'tokenAudience'}) is the federated token of a workload, which only the login authority accepts. Set AUTH_MODE=workloadIdentity.`,
      ),
      ifProven(
        audienceField,
        say`Ask the operator of the token issuer (login authority, identity endpoint or tool) to fix the audience: the request named ${valueOr('audience', 'the audience of the profile')}, but the token is for ${valueOr('tokenAudience', 'another one')}.`,
      ),
      when((facts) => audienceField(facts) === 'resourceManagerAudience', setAudience),
      say`Set ${named(audienceField)} to ${(facts) => (audienceField(facts) === 'resourceManagerAudience' ? 'the first audience in the metadata document of this cloud' : 'the audience that the service names in its challenge')}. The scope is that audience followed by .default.`,
    ],
    signs: unauthorized,
  },
  TOKEN_AUDIENCE_SLASH: {
    title: 'Audience differs by its final slash',
    cause:
      'The audience of the token and the audience of the profile differ only in the final slash. Most services accept both.',
    fix: 'Change nothing while the resource manager accepts the token. If it responds with 401, ask its operator which form it expects.',
    signs: unauthorized,
  },
  TOKEN_TENANT_MISMATCH: {
    title: 'Token of another tenant',
    tokenAtFault: true,
    causes: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
    cause: 'The token comes from another tenant than the configured one.',
    fix: [
      sets(
        'PLATFORM_TENANT_ID',
      )`If ${valueOr('tokenTenant', 'the tenant of the token')} is the correct tenant, set PLATFORM_TENANT_ID to it. If not, ${otherTenant}.`,
    ],
  },
  TOKEN_ISSUER_MISMATCH: {
    title: 'Token of another issuer',
    tokenAtFault: true,
    cause: 'The issuer in the token is not the login authority of the profile.',
    fix: [
      when(
        ({ run }) => run.mode === 'platformCli',
        say`Run az cloud set --name NAME with the cloud of the profile, then az login.${orChange('authorityHost', ' If the tool has the correct cloud, set ', ' to its login authority.')}`,
      ),
      ifProven('authorityHost', say`Ask the operator of the token issuer why its tokens name another issuer.`),
      say`Set ${named('authorityHost')} to the login authority of this cloud. With platformCli, activate the cloud of the profile instead: az cloud set --name NAME.`,
    ],
  },
  TOKEN_EXPIRED: {
    title: 'Token already expired',
    tokenAtFault: true,
    causes: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
    cause:
      'The token expired before it could be used: the local clock is ahead, or the authority issues tokens without a lifetime.',
    fix: [
      ifClockAgrees(
        say`Ask the operator of the issuer why its tokens arrive already expired (this token expired at ${'expiredAt'}).`,
      ),
      "Synchronize this machine's clock (NTP). If the clock is correct, ask the operator of the login authority to lengthen the token lifetime.",
    ],
  },
  TOKEN_NOT_YET_VALID: {
    title: 'Token not yet valid',
    tokenAtFault: true,
    causes: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
    cause: 'The token is not valid yet: the local clock is behind the clock of the login authority.',
    fix: [
      ifClockAgrees(
        say`Ask the operator of the issuer why its tokens are not yet valid when they arrive (this token is valid from ${'notBefore'}).`,
      ),
      "Synchronize this machine's clock (NTP) with the time source of the cloud.",
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
    isLocal: true,
    causes: ['TOKEN_EXPIRED', 'TOKEN_NOT_YET_VALID', 'CLIENT_ASSERTION_REJECTED', 'RESOURCE_MANAGER_REJECTED_TOKEN'],
    cause:
      'The local clock and the clock of the login authority differ by minutes. Tokens and certificates then look expired or not yet valid.',
    fix: [
      because(
        'The clock of the login authority differs from the clocks of this machine and of the other hosts of the cloud, which agree with each other.',
        ask`Ask the operator of ${'host'} to synchronize its clock (NTP): its time is ${'theirs'}, but this machine (${'ours'}) and ${'agreeingHosts'} agree.`,
      ),
      say`Synchronize this machine's clock (NTP)${optional('ours', '. Local time ')}${optional('theirs', ', login authority ')}. An enclave has a separate time source.`,
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
    cause: 'The resource manager responded to the token with 401: it expects another audience or another tenant.',
    causeIfProven: {
      field: 'resourceManagerAudience',
      cause: 'The resource manager responded to the token with 401, although its audience is correct.',
    },
    fix: [
      when(
        { errorCode: 'InvalidAuthenticationTokenTenant' },
        because(
          'The token is valid, but the subscription belongs to another tenant.',
          sets(
            'PLATFORM_TENANT_ID',
            'expectedTenant',
          )`Set PLATFORM_TENANT_ID to ${valueOr('expectedTenant', 'the tenant of the subscription')}: ${'host'} rejects tokens of tenant ${'tenantId'} (${'errorCode'}).`,
        ),
      ),
      when(
        { errorCode: 'ExpiredAuthenticationToken' },
        because(
          'The resource manager says that the token has expired, although it was just issued: the clock of the resource manager or of the login authority is wrong.',
          ask`Ask the operator of ${'host'} to synchronize its clock (NTP): it says that a new token has expired (${'errorCode'}).${({ run }) => clockProof(run) ?? ''}`,
        ),
      ),
      ifProven(
        'resourceManagerAudience',
        ask`Ask the operator of ${'host'} why it rejects the token${optional('errorCode', ' (', ')')}. Possible reasons: its trust in the login authority, its clock, or a gateway in front of it.`,
      ),
      setAudience,
      when(
        { errorCode: 'InvalidAuthenticationTokenAudience' },
        because(
          'The resource manager does not accept the audience of the token.',
          setsField(
            'resourceManagerAudience',
          )`Set ${named('resourceManagerAudience')} to an audience that ${'host'} accepts: it rejects ${'audience'} (${'errorCode'}${optional('allowedAudiences', ', accepted: ')}). Its metadata document or its operator names them.`,
        ),
      ),
      say`Set ${named('resourceManagerAudience')} to the first audience in its metadata document, and check the tenant.`,
    ],
  },
  RESOURCE_MANAGER_FORBIDDEN: {
    title: 'Identity without a role',
    signs: ['AuthorizationFailed', 'does not have authorization to perform action'],
    cause: "The token is valid, but the identity isn't allowed to list subscriptions.",
    fix: [
      say`Ask the owner of the subscription to assign the identity${optional('clientId', ' ')} a role, at least Reader. Then wait a few minutes.`,
    ],
  },
  SERVICE_REJECTED_TOKEN: {
    title: 'Token rejected by the service',
    signs: [...unauthorized, 'AKV10022', 'AKV10032', 'InvalidAudience', 'InvalidAuthenticationInfo'],
    tokenAtFault: true,
    cause:
      'The service responded with 401 to a token for its audience in the profile: it expects another audience or another tenant.',
    causeIfProven: {
      field: 'audience',
      cause:
        'The service responded to the token with 401, although its audience is correct: it may trust another tenant.',
    },
    fix: [
      ifProven(
        audienceField,
        ask`Ask the owner of ${host} which tenant it trusts: it rejects the token for ${valueOr('audience', 'its audience')}.`,
      ),
      when(
        ({ run }) => run.endpoint?.audienceField,
        say`Set ${named(audienceField)} to the audience that ${host} names in its challenge. Then check the tenant of the account.`,
      ),
      'Set serviceAudiences.storage (PLATFORM_STORAGE_AUDIENCE) or serviceAudiences.keyVault (PLATFORM_KEYVAULT_AUDIENCE) to the audience that this cloud expects, and check the tenant.',
    ],
  },
  SERVICE_FORBIDDEN: {
    title: 'Identity without a role in the service',
    signs: ['Token acquisition failed', 'AuthorizationPermissionMismatch', 'ForbiddenByRbac'],
    cause: 'The token is valid, but its identity has no role that allows it to list containers or secrets there.',
    fix: [
      say`Ask the owner of ${valueOr('host', 'the account')} to assign the identity${optional('clientId', ' ')} a data role${optional('role', ', at least ')}. Then wait a few minutes.`,
    ],
  },
  SERVICE_FIREWALL: {
    title: 'Blocked by the firewall of the service',
    signs: ['Token acquisition failed', 'ForbiddenByFirewall', 'ForbiddenByConnection'],
    cause:
      'The network rules of the account block requests from this network. The service did not check the role of the identity.',
    fix: [
      say`Add ${'host'} to the private DNS zone that this network uses, so that it resolves to its private endpoint: it has the public address ${'address'} here, but ${'sibling'} has ${'siblingAddress'}. Or ask the owner of ${'network'} to allow this network.`,
      say`Ask the owner of ${valueOr('network', 'the account')}${optional('host', ' ')} to allow the network of this host, or to add a private endpoint with its private DNS zone${optional('address', ' (the name resolves to ', ' here)')}. A role does not help.`,
    ],
  },
  CHALLENGE_AUTHORITY_MISMATCH: {
    title: 'Service trusts another login authority',
    causes: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
    cause:
      'The challenge of the service names another login host than authorityHost. The endpoint and the authority belong to different clouds.',
    causeIfProven: {
      field: 'authorityHost',
      cause: 'The challenge of the service names another login host than authorityHost.',
    },
    fix: [
      ofAnotherCloud(
        'challengeAuthority',
        (owner) =>
          ask`${askOrCorrect} the operator of ${'host'} why its challenge names ${'challengeAuthority'}, the login authority of another cloud (${owner}).`,
      ),
      ifProven(
        'authorityHost',
        ask`${({ accountSetting }) => (accountSetting === undefined ? 'Ask' : `Correct ${accountSetting}, or ask`)} the operator of ${'host'} why its challenge names ${'challengeAuthority'}.`,
      ),
      setsField(
        'authorityHost',
        'challengeAuthority',
      )`Set ${named('authorityHost')} to ${'challengeAuthority'}, which ${'host'} names, or correct the endpoint. The current authorityHost is ${'authority'}.`,
      ifProven('authorityHost', ask`Ask the operator of ${host} why its challenge names another login authority.`),
      say`Set ${named('authorityHost')} and the endpoint of the service to values of the same cloud. The message names both hosts.`,
    ],
    signs: unauthorized,
  },
  CHALLENGE_AUDIENCE_MISMATCH: {
    title: 'Service expects another audience',
    causes: ['RESOURCE_MANAGER_REJECTED_TOKEN', 'RESOURCE_UNKNOWN', 'SCOPE_INVALID'],
    cause:
      'The challenge of the service names another audience than the profile. Often the profile still has an audience of the public cloud.',
    causeIfProven: {
      field: 'audience',
      cause: 'The challenge of the service names an audience that the profile does not have.',
    },
    fix: [
      ofAnotherCloud(
        'challengeAudience',
        (owner) =>
          ask`Ask the operator of ${'host'} why its challenge names ${'challengeAudience'}, an audience of another cloud (${owner}). Check that its address belongs to this cloud.`,
      ),
      setsField(
        audienceField,
        'challengeAudience',
      )`Set ${named(audienceField)} to ${'challengeAudience'}, the audience that ${'host'} names.`,
      ifProven(
        audienceField,
        ask`Ask the operator of ${host} why its challenge names ${valueOr('challengeAudience', 'another audience')}.`,
      ),
      say`Set ${named(audienceField)} to the audience that the challenge names.`,
    ],
    signs: unauthorized,
  },
  CHALLENGE_MISSING: {
    title: 'Response without a challenge',
    cause:
      'The response to a request without a token names neither login authority nor audience, so the check could not compare them with the profile.',
    fix: 'Check that the endpoint is the service and not a gateway or firewall in front of it. If this stack sends no challenge, rely on the token acceptance check.',
  },
  API_VERSION_UNSUPPORTED: {
    title: 'API version not supported by the service',
    signs: ['NoRegisteredProviderFound', 'InvalidApiVersionParameter'],
    cause:
      'The service accepted the token, but does not support the API version of the check. An on-premises stack has older versions.',
    fix: [
      say`Use an API version in your applications that ${valueOr('host', 'this service')} supports${optional('supportedVersions', ': ')}. The token is accepted, so change nothing here.`,
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
    fix: [
      say`Set ${named('metadataEndpoint')} to the address of this cloud's resource manager, followed by metadata/endpoints.`,
    ],
  },
  METADATA_CLOUD_NOT_LISTED: {
    title: 'Cloud not in the metadata document',
    cause: 'The metadata document lists several clouds, and none of them has the requested resource manager.',
    fix: [
      askOfAnotherCloud('publishedResourceManager'),
      ifProven(
        'resourceManagerEndpoint',
        say`Ask the operator of the metadata endpoint to correct its document${orChange('metadataEndpoint', ', or correct ')}.`,
      ),
      say`Correct ${named('metadataEndpoint')} or ${named('resourceManagerEndpoint')}: the metadata must come from the resource manager of this cloud.`,
    ],
  },
  METADATA_MISMATCH: {
    title: 'Profile and metadata differ',
    cause: 'The metadata of the cloud differs from the profile. The message names the fields.',
    fix: [
      askOfAnotherCloud('publishedAuthority'),
      askOfAnotherCloud('publishedAudience'),
      when('publishedAuthority', setAuthority),
      when('publishedAudience', setAudience),
      say`Keep ${(facts) => differences(true)(facts).join(', ') || undefined}: the profile is correct (${(facts) => facts.run.proven[differences(true)(facts)[0] as ChangeableField]}).${(facts) => (copyUnproven(facts) === undefined ? '' : ` ${copyUnproven(facts)}`)} Ask the operator of the metadata endpoint to correct its document${orChange('metadataEndpoint', ', or correct ')}.`,
      say`${copyUnproven}`,
      'Copy the published values into the profile, unless its owner has a reason for other values.',
    ],
  },
} as const satisfies Readonly<Record<string, Finding>>
