import type { Finding } from './finding.ts'

/** What the transport refuses, and what the OpenID configuration says of itself. */
export const guardFindings = {
  EGRESS_BLOCKED: {
    title: 'Request to a host that the profile does not name',
    cause:
      'The credential library wanted to contact another host, such as the public instance discovery, and was stopped before any lookup.',
    fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to the login host of this cloud: for every host but the three public ones, instance discovery is then disabled.',
    symptoms: [
      'Authority host validation failed / Instance Discovery failed',
      'Network request failed at credential use',
    ],
  },
  TOKEN_ENDPOINT_FOREIGN: {
    title: 'Token endpoint on another host',
    cause:
      'The OpenID configuration names a token endpoint outside the login authority. The credential would be sent there, so it was not.',
    fix: 'Ask the cloud operator whether that host is right. If so, add it to PLATFORM_ALLOWED_TOKEN_HOSTS; if not, correct authorityHost (PLATFORM_AUTHORITY_HOST).',
    fixes: [
      {
        fix: 'Ask the cloud operator whether {tokenHost} is right. If so, set PLATFORM_ALLOWED_TOKEN_HOSTS={tokenHost}; if not, correct authorityHost (PLATFORM_AUTHORITY_HOST).',
      },
    ],
  },
  ISSUER_MISMATCH: {
    title: 'Issuer on another host',
    cause:
      'The issuer in the OpenID configuration has another scheme, host or port than authorityHost; the credential library refuses that.',
    fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to the host that the message names as issuer, or let the operator correct the issuer of the login authority.',
    fixes: [
      {
        when: 'metadataAgrees',
        fix: 'Leave the profile: the metadata of the cloud agrees with its authority. Let the operator of {host} correct the issuer {issuer} in its OpenID configuration.',
      },
      {
        fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to {issuer}, which {host} names as issuer, or let the operator correct the issuer of the login authority.',
      },
    ],
  },
  OPENID_CONFIGURATION_INVALID: {
    title: 'Incomplete OpenID configuration',
    cause: 'The OpenID document of the login authority lacks an address that sign-in needs.',
    fix: 'Check the path of authorityHost (a federation service ends with /adfs/) and the tenant; else the operator of the login authority must complete its document.',
  },
  CERTIFICATE_EXPIRES_SOON: {
    title: 'Certificate about to expire',
    cause: 'The certificate of this host ends in less than 30 days; after that every request to it fails.',
    fix: 'Let the operator of the host renew its certificate before the date in the message.',
    fixes: [{ fix: 'Let the operator of the host renew its certificate before {validTo}.' }],
  },
  PLAIN_HTTP: {
    title: 'Endpoint without TLS',
    cause: 'The endpoint is an http address, so what is sent to it, tokens included, travels unprotected.',
    fix: 'Set the endpoint to its https address: resourceManagerEndpoint (PLATFORM_RESOURCE_MANAGER_ENDPOINT) or metadataEndpoint of the profile.',
  },
} as const satisfies Readonly<Record<string, Finding>>
