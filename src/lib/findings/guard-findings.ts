import type { Finding } from './finding.ts'
import { profileIsCorrect } from './shared-fixes.ts'

/** Requests that the transport refuses, and faults of the OpenID configuration. */
export const guardFindings = {
  EGRESS_BLOCKED: {
    title: 'Request to a host that the profile does not name',
    cause:
      'The credential library tried to contact a host outside the profile, such as the public instance discovery host. The service blocked the request before the DNS lookup.',
    fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to the login host of this cloud. Instance discovery is then disabled, as for every host except the three public ones.',
    symptoms: [
      'Authority host validation failed / Instance Discovery failed',
      'Network request failed at credential use',
    ],
  },
  TOKEN_ENDPOINT_FOREIGN: {
    title: 'Token endpoint on another host',
    cause:
      'The OpenID configuration names a token endpoint outside the login authority. The service did not send the credential there.',
    fix: 'Ask the cloud operator whether that host is correct. If it is, add it to PLATFORM_ALLOWED_TOKEN_HOSTS. If not, correct authorityHost (PLATFORM_AUTHORITY_HOST).',
    fixes: [
      {
        fix: 'Ask the cloud operator whether {tokenHost} is correct. If it is, set PLATFORM_ALLOWED_TOKEN_HOSTS={tokenHost}. If not, correct authorityHost (PLATFORM_AUTHORITY_HOST).',
      },
    ],
  },
  ISSUER_MISMATCH: {
    title: 'Issuer on another host',
    cause:
      'The issuer in the OpenID configuration has another scheme, host or port than authorityHost. The credential library refuses such an issuer.',
    fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to the issuer that the message names, or ask the operator of the login authority to correct the issuer.',
    fixes: [
      profileIsCorrect(
        'Ask the operator of {host} to correct the issuer {issuer} in its OpenID configuration.',
        'the login authority',
      ),
      {
        fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to {issuer}, the issuer that {host} names, or ask the operator of {host} to correct the issuer.',
      },
    ],
  },
  OPENID_CONFIGURATION_INVALID: {
    title: 'Incomplete OpenID configuration',
    cause: 'The OpenID configuration of the login authority lacks an address that sign-in needs.',
    fix: 'Correct authorityHost (PLATFORM_AUTHORITY_HOST), which ends with /adfs/ for a federation service, or PLATFORM_TENANT_ID. If both are correct, ask the operator of the login authority to complete its OpenID configuration.',
    fixes: [
      profileIsCorrect(
        'Ask the operator of {host} to add {missing} to its OpenID configuration.',
        'the login authority',
      ),
    ],
  },
  CERTIFICATE_EXPIRES_SOON: {
    title: 'Certificate about to expire',
    cause: 'The certificate of this host expires in less than 30 days. After that, every request to the host fails.',
    fix: 'Ask the operator of the host to renew its certificate before the date in the message.',
    fixes: [{ fix: 'Ask the operator of the host to renew its certificate before {validTo}.' }],
  },
  PLAIN_HTTP: {
    title: 'Endpoint without TLS',
    cause: 'The endpoint is an http address. Everything sent to it, tokens included, travels unencrypted.',
    fix: 'Set the endpoint to its https address: resourceManagerEndpoint (PLATFORM_RESOURCE_MANAGER_ENDPOINT) or metadataEndpoint of the profile.',
  },
} as const satisfies Readonly<Record<string, Finding>>
