import type { Finding } from './finding.ts'
import { tenantOfAnotherCloud } from './shared-cases.ts'

/** Requests that the transport refuses, and faults of the OpenID configuration. */
export const guardFindings = {
  EGRESS_BLOCKED: {
    title: 'Request to a host that the profile does not name',
    cause:
      'The credential library tried to contact a host outside the profile, such as the public instance discovery host. The service blocked the request before the DNS lookup.',
    fix: 'Set {authorityHost.setting} to the login host of this cloud. Instance discovery is then disabled, as for every host except the three public ones.',
    cases: [
      'Check the variables of other tools in this process (AZURE_…, IDENTITY_ENDPOINT, MSI_ENDPOINT): one of them leads the credential library to another host.{authorityHost.proof}',
    ],
    signs: ['Authority host validation failed', 'Instance Discovery failed', 'Network request failed'],
  },
  TOKEN_ENDPOINT_FOREIGN: {
    title: 'Token endpoint on another host',
    cause:
      'The OpenID configuration names a token endpoint outside the login authority. The service did not send the credential there.',
    fix: 'Ask the cloud operator whether [{tokenHost.value}|that host] is correct. If it is, set {PLATFORM_ALLOWED_TOKEN_HOSTS.change} to it. If not, [set {authorityHost.setting} to the right login authority, or ]ask for a correction of the OpenID configuration.',
    cases: [
      'Ask the operator of {host} why its OpenID configuration names {tokenHost}, a host of another cloud ({tokenHost.cloud}). Do not allow that host.',
    ],
  },
  ISSUER_MISMATCH: {
    title: 'Issuer on another host',
    cause:
      'The issuer in the OpenID configuration has another scheme, host or port than authorityHost. The credential library refuses such an issuer.',
    fix: 'Set {authorityHost.change} to [{issuer.value}|the issuer that the message names], or ask the operator of {at} to correct the issuer.',
    cases: [
      {
        cause:
          'Both issuers are names of one login authority, and the library or the service accepts only one of them.',
        fix: '{problem=one authority} Add both issuers to those that the service accepts (cloud-profile clouds NAME prints them), or update the library, which may not know that they are one.',
      },
      {
        cause: 'The library does not expect the issuer in the OpenID configuration or the token for this authority.',
        fix: '{sign=issuer_validation_failed|issuer validation failed|idx10205|idx40001} Set the authority of the client to the login authority of its cloud, and its known authorities to the same host. Compare it with cloud-profile clouds NAME.',
      },
      'Ask the operator of {host} why its OpenID configuration names {issuer}, the issuer of another cloud ({issuer.cloud}).',
      'Ask the operator of {host} to correct the issuer {issuer} in its OpenID configuration.{authorityHost.proof}',
    ],
  },
  OPENID_CONFIGURATION_INVALID: {
    title: 'Incomplete OpenID configuration',
    cause: 'The OpenID configuration of the login authority does not contain an address that the sign-in needs.',
    fix: 'Set {authorityHost.setting} to the login authority of this cloud, with /adfs/ at its end for a federation service[, or correct {tenantId.setting}]. If both are correct, ask its operator to complete the OpenID configuration.',
    cases: [
      {
        cause: 'The authority is set to a token endpoint, so the client requests the OpenID configuration below it.',
        fix: '{sign=/oauth2/v2.0/token/…/.well-known/openid-configuration} Set the authority to the login host and the tenant only, without /oauth2/v2.0/token.',
      },
      'Ask the operator of {host} to add {missing} to its OpenID configuration.{authorityHost.proof}',
    ],
  },
  CERTIFICATE_EXPIRES_SOON: {
    title: 'Certificate about to expire',
    cause:
      'The certificate expires in less than 30 days. After that, every request to its host, or every sign-in with it, fails.',
    fix: 'Ask the operator of {at} to renew its certificate before [{validTo}|the date in the message].',
    cases: [
      'Renew the certificate in the file of {variable} before {validTo}, and register the new one for the application.',
    ],
  },
  PLAIN_HTTP: {
    title: 'Endpoint without TLS',
    cause: 'The endpoint is an http address. Everything sent to it, tokens included, travels unencrypted.',
    fix: 'Set {resourceManagerEndpoint.setting} or {metadataEndpoint.setting} to its https address.',
    cases: ['Set {address.setting} to its https address.'],
  },
  TENANT_OF_ANOTHER_CLOUD: {
    title: 'Tenant of another cloud',
    cause:
      'The tenant is in a different cloud from the login authority, which issues no tokens to applications of such a tenant.',
    fix: "Correct {tenantId.setting}, or select a profile for the tenant's cloud. Each cloud has separate tenants.",
    cases: tenantOfAnotherCloud,
    signs: ['not supported in Cross Cloud request'],
  },
} as const satisfies Readonly<Record<string, Finding>>
