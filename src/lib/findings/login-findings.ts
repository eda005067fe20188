import type { Finding } from './finding.ts'

const failed = ['Token acquisition failed'] as const

/** What the login authority answers, and how a token attempt or a sign-in by a person ends. */
export const loginFindings = {
  CLIENT_SECRET_INVALID: {
    title: 'Client secret rejected',
    cause:
      'The login authority does not accept the secret: it is wrong, expired, or the id of the secret instead of its value.',
    fix: 'Create a new secret for the application and set PLATFORM_CLIENT_SECRET to its value. Check that PLATFORM_CLIENT_ID is the same application.',
    fixes: [
      {
        fix: 'Create a new secret for the application {clientId} in tenant {tenantId} and set PLATFORM_CLIENT_SECRET to its value. Check that PLATFORM_CLIENT_ID is the same application.',
      },
    ],
    symptoms: failed,
  },
  CLIENT_UNKNOWN: {
    title: 'Unknown application',
    cause: 'No application with this client id exists in the tenant, or it may not use this way to sign in.',
    fix: 'Correct PLATFORM_CLIENT_ID and PLATFORM_TENANT_ID, or register the application in this tenant of this cloud. Each cloud has its own registrations.',
    fixes: [
      {
        fix: 'Correct PLATFORM_CLIENT_ID (now {clientId}) and PLATFORM_TENANT_ID (now {tenantId}), or register the application there. Each cloud has its own registrations.',
      },
    ],
    symptoms: failed,
  },
  CLIENT_ASSERTION_REJECTED: {
    title: 'Certificate or federated token rejected',
    cause:
      'The certificate is not registered for the application, the federated credential does not match, or the clocks differ.',
    fix: 'Register the certificate of PLATFORM_CLIENT_CERTIFICATE_PATH, or a federated credential whose issuer, subject and audience equal those of PLATFORM_FEDERATED_TOKEN_FILE.',
    symptoms: failed,
  },
  USER_REJECTED: {
    title: 'User or password rejected',
    cause: 'The user is unknown, locked or disabled, or the password is wrong or expired.',
    fix: 'Correct PLATFORM_USERNAME and PLATFORM_PASSWORD, or unlock the user. In production use an AUTH_MODE without a password.',
    symptoms: failed,
  },
  TENANT_UNKNOWN: {
    title: 'Unknown tenant',
    cause: 'The login authority does not know the tenant. A tenant lives in one cloud only.',
    fix: 'Correct PLATFORM_TENANT_ID (or tenantId of the profile), and check that authorityHost belongs to the cloud of that tenant.',
    fixes: [
      {
        fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to {authorityToSet}, which the cloud itself names; it was {authority}.',
      },
      {
        fix: 'Correct PLATFORM_TENANT_ID (or tenantId of the profile): the tenant {tenantId} is unknown at {host}. Each cloud has its own tenants.',
      },
    ],
    symptoms: failed,
  },
  INSTANCE_UNKNOWN: {
    title: 'Unknown login instance (AADSTS50049)',
    cause:
      'The login authority does not know the host it was asked as: the authority URL is malformed or belongs to another cloud.',
    fix: 'Correct authorityHost (PLATFORM_AUTHORITY_HOST): https, the login host of this cloud, a path only for a federation service, a final slash.',
    fixes: [
      {
        fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to {authorityToSet}, which the cloud itself names; it was {authority}.',
      },
      {
        when: 'metadataAgrees',
        fix: 'Leave the profile: the metadata of the cloud agrees with {authority}. Let the operator of {host} make it known there under that name; correlation id {correlationId}.',
      },
    ],
    symptoms: ['AADSTS50049: Unknown or invalid instance'],
  },
  RESOURCE_UNKNOWN: {
    title: 'Unknown resource',
    cause: 'No resource with this audience exists in the tenant; often an audience of another cloud was left in place.',
    fix: 'Set resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE) to the first audience of the metadata document: GET RESOURCE_MANAGER/metadata/endpoints?api-version=2015-01-01.',
    fixes: [
      {
        when: 'metadataAgrees',
        fix: 'Leave the profile: the metadata of the cloud agrees with {audience}. Let the operator of {host} register that resource in tenant {tenantId}.',
      },
      {
        fix: 'Set resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE) to {audienceToSet}, which the cloud itself names; it was {audience}.',
      },
    ],
    symptoms: failed,
  },
  SCOPE_INVALID: {
    title: 'Invalid scope',
    cause: 'The login authority does not accept the scope, which is the audience followed by .default.',
    fix: 'Correct resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE): one absolute URL with a final slash, as the metadata document lists it.',
    fixes: [
      {
        when: 'metadataAgrees',
        fix: 'Leave the profile: the metadata of the cloud agrees with {audience}. Let the operator of {host} find out why it refuses that scope.',
      },
      {
        fix: 'Set resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE) to {audienceToSet}, which the cloud itself names; it was {audience}.',
      },
    ],
    symptoms: failed,
  },
  CONDITIONAL_ACCESS: {
    title: 'Access policy of the tenant',
    cause:
      'A policy of the tenant wants more than this sign-in gives: a second factor, a managed device or another network.',
    fix: 'Let the administrator of the tenant exempt this identity or network, or use an AUTH_MODE that the policy allows, such as managedIdentity.',
    fixes: [
      {
        fix: 'Let the administrator of the tenant {tenantId} exempt the identity {clientId} or this network, or use an AUTH_MODE that the policy allows, such as managedIdentity.',
      },
    ],
    symptoms: failed,
  },
  TOKEN_REJECTED: {
    title: 'Token request refused',
    cause:
      'The login authority refused the request for a reason without a finding of its own; the message has its error name and number.',
    fix: 'Look the number up in the documentation of the login authority, and check AUTH_MODE and the PLATFORM_ variables of that mode.',
    fixes: [
      {
        fix: 'Look {errorNumber} up in the documentation of the login authority, or give its operator the correlation id {correlationId}. Check AUTH_MODE and the PLATFORM_ variables of that mode.',
      },
      {
        fix: 'Look {errorNumber} up in the documentation of the login authority, and check AUTH_MODE and the PLATFORM_ variables of that mode.',
      },
    ],
    symptoms: failed,
  },
  TOKEN_RESPONSE_INVALID: {
    title: 'Unusable token answer',
    cause: 'The answer to the token request holds no access token.',
    fix: 'Check that authorityHost (PLATFORM_AUTHORITY_HOST) is the login authority itself and not a gateway or portal in front of it.',
    symptoms: failed,
  },
  TOKEN_TIMEOUT: {
    title: 'No token in time',
    cause: 'The token attempt was not over at its deadline. The failed or slow check shows which host it waited for.',
    fix: 'Mend the check of the slow host first. If the host is only slow, raise PLATFORM_TOKEN_TIMEOUT_MS (milliseconds).',
    symptoms: failed,
  },
  TOKEN_CANCELLED: {
    title: 'Token attempt cancelled',
    cause: 'The caller ended the attempt before it was over.',
    fix: 'Ask again. If nobody cancelled on purpose, the host is shutting down or the request to the service was dropped.',
  },
  DEVICE_CODE_PENDING: {
    title: 'Sign-in waits for a person',
    cause: 'A code was given out and nobody has entered it yet.',
    fix: 'Open the address that the page shows, on any device that reaches the login authority, and enter the code.',
  },
  DEVICE_CODE_DECLINED: {
    title: 'Sign-in declined',
    cause: 'The person at the sign-in page declined, or may not use this application.',
    fix: 'Reload the page for a new code and approve it, or let the administrator grant the user this application.',
    symptoms: failed,
  },
  DEVICE_CODE_EXPIRED: {
    title: 'Sign-in code expired',
    cause: 'Nobody entered the code before its end.',
    fix: 'Reload the page for a new code and enter it in time. Without a person at hand, use another AUTH_MODE.',
    symptoms: failed,
  },
  DEVICE_CODE_RESPONSE_INVALID: {
    title: 'Unusable device-code answer',
    cause:
      'The login authority started the sign-in without all it must say: the codes, the address, the lifetime or the poll interval.',
    fix: 'Let the operator of the login authority correct its device-code endpoint (RFC 8628, section 3.2), or use another AUTH_MODE.',
    symptoms: failed,
  },
} as const satisfies Readonly<Record<string, Finding>>
