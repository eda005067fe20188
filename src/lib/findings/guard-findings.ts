import type { Finding } from './finding.ts'
import { tenantOfAnotherCloud } from './shared-cases.ts'

/** Requests that the transport refuses, and faults of the OpenID configuration. */
export const guardFindings = {
  EGRESS_BLOCKED: {
    title: 'Blocked request to a host that the profile does not name',
    cause: 'The credential library tried to contact another host, such as the public instance discovery host.',
    fix: 'Set {authorityHost.setting} to the login host of this cloud. Instance discovery is then disabled, as for every host except the three public ones.',
    cases: [
      'Check the variables of other tools in this process (AZURE_…, IDENTITY_ENDPOINT, MSI_ENDPOINT): one of them leads the credential library to another host.{authorityHost.proof}',
    ],
    signs: ['Authority host validation failed', 'Instance Discovery failed', 'Network request failed'],
  },
  TOKEN_ENDPOINT_FOREIGN: {
    title: 'Token endpoint on another host',
    cause: 'The token endpoint is outside the login authority, so the service did not send the credential there.',
    fix: 'Ask the cloud operator whether [{tokenHost.value}|that host] is correct. If it is, set {PLATFORM_ALLOWED_TOKEN_HOSTS.change} to it. If not, [set {authorityHost.setting} to the right login authority, or ]ask for a correction of the OpenID configuration.',
    cases: [
      'Ask the operator of {host} why its OpenID configuration names {tokenHost}, a host of another cloud ({tokenHost.cloud}). Do not allow that host.',
    ],
  },
  ISSUER_MISMATCH: {
    title: 'Issuer on another host',
    cause: 'The credential library refuses an issuer with another scheme, host or port than authorityHost.',
    fix: 'Set {authorityHost.change} to [{issuer.value}|the issuer that the message names], or ask the operator of {at} to correct the issuer.',
    cases: [
      '{problem=one authority} Add both issuers, which are names of one login authority, to those that the service accepts (cloud-profile clouds NAME prints them), or update the library.',
      '{sign=issuer_validation_failed|issuer validation failed|idx10205|idx40001} Set the authority of the client to the login authority of its cloud, and its known authorities to the same host. Compare it with cloud-profile clouds NAME.',
      'Ask the operator of {host} why its OpenID configuration names {issuer}, the issuer of another cloud ({issuer.cloud}).',
      'Ask the operator of {host} to correct the issuer {issuer} in its OpenID configuration.{authorityHost.proof}',
    ],
  },
  OPENID_CONFIGURATION_INVALID: {
    title: 'Incomplete OpenID configuration',
    cause: 'The login authority has no OpenID configuration at this address, or an incomplete one.',
    fix: 'Set {authorityHost.setting} to the login authority of this cloud, with /adfs/ at its end for a federation service[, or correct {tenantId.setting}]. If both are correct, ask its operator to complete the OpenID configuration.',
    cases: [
      '{sign=/oauth2/v2.0/token/…/.well-known/openid-configuration} Set the authority to the login host and the tenant only, without /oauth2/v2.0/token: the client looks for the OpenID configuration below it.',
      'Ask the operator of {host} to add {missing} to its OpenID configuration.{authorityHost.proof}',
    ],
  },
  CERTIFICATE_EXPIRES_SOON: {
    title: 'Certificate about to expire',
    cause: 'In less than 30 days, requests to its host, or sign-ins with it, will fail.',
    fix: 'Ask the operator of {at} to renew its certificate before [{validTo}|the date in the message].',
    cases: [
      'Renew the certificate in the file of {variable} before {validTo}, and register the new one for the application.',
    ],
  },
  PLAIN_HTTP: {
    title: 'Endpoint without TLS',
    cause: 'Everything sent to an http address, tokens included, travels unencrypted.',
    fix: 'Set {resourceManagerEndpoint.setting} or {metadataEndpoint.setting} to its https address.',
    cases: ['Set {address.setting} to its https address.'],
  },
  TENANT_OF_ANOTHER_CLOUD: {
    title: 'Tenant of another cloud',
    cause: 'The login authority issues no tokens to applications of a tenant in another cloud.',
    fix: "Correct {tenantId.setting}, or select a profile for the tenant's cloud. Each cloud has separate tenants.",
    cases: tenantOfAnotherCloud,
    signs: ['not supported in Cross Cloud request'],
  },
} as const satisfies Readonly<Record<string, Finding>>
