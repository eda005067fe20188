import type { Finding } from './finding.ts'
import {
  host,
  known,
  ask,
  named,
  ofAnotherCloud,
  say,
  sets,
  setsField,
  ifProven,
  tenantOfAnotherCloud,
} from './fix-row.ts'

/** Requests that the transport refuses, and faults of the OpenID configuration. */
export const guardFindings = {
  EGRESS_BLOCKED: {
    title: 'Request to a host that the profile does not name',
    cause:
      'The credential library tried to contact a host outside the profile, such as the public instance discovery host. The service blocked the request before the DNS lookup.',
    fix: [
      ifProven(
        'authorityHost',
        say`Check the variables of other tools in this process (AZURE_…, IDENTITY_ENDPOINT, MSI_ENDPOINT): one of them leads the credential library to another host.`,
      ),
      say`Set ${named('authorityHost')} to the login host of this cloud. Instance discovery is then disabled, as for every host except the three public ones.`,
    ],
    symptoms: [
      'Authority host validation failed / Instance Discovery failed',
      'Network request failed at credential use',
    ],
  },
  TOKEN_ENDPOINT_FOREIGN: {
    title: 'Token endpoint on another host',
    cause:
      'The OpenID configuration names a token endpoint outside the login authority. The service did not send the credential there.',
    fix: [
      ofAnotherCloud(
        'tokenHost',
        (owner) =>
          ask`Ask the operator of ${'host'} why its OpenID configuration names ${'tokenHost'}, a host of ${owner}, another cloud. Do not allow that host.`,
      ),
      sets(
        'PLATFORM_ALLOWED_TOKEN_HOSTS',
        'tokenHost',
      )`Ask the cloud operator whether ${known('tokenHost', 'that host')} is correct. If it is, set PLATFORM_ALLOWED_TOKEN_HOSTS to it. If not, ${({ run }) => (run.proven.authorityHost === undefined ? `correct ${run.nameOf('authorityHost')}` : 'ask for a correction of the OpenID configuration')}.`,
    ],
  },
  ISSUER_MISMATCH: {
    title: 'Issuer on another host',
    cause:
      'The issuer in the OpenID configuration has another scheme, host or port than authorityHost. The credential library refuses such an issuer.',
    fix: [
      ofAnotherCloud(
        'issuer',
        (owner) =>
          ask`Ask the operator of ${'host'} why its OpenID configuration names ${'issuer'}, the issuer of ${owner}, another cloud.`,
      ),
      ifProven(
        'authorityHost',
        ask`Ask the operator of ${'host'} to correct the issuer ${'issuer'} in its OpenID configuration.`,
      ),
      setsField(
        'authorityHost',
        'issuer',
      )`Set ${named('authorityHost')} to ${known('issuer', 'the issuer that the message names')}, or ask the operator of ${host} to correct the issuer.`,
    ],
  },
  OPENID_CONFIGURATION_INVALID: {
    title: 'Incomplete OpenID configuration',
    cause: 'The OpenID configuration of the login authority lacks an address that sign-in needs.',
    fix: [
      ifProven('authorityHost', ask`Ask the operator of ${'host'} to add ${'missing'} to its OpenID configuration.`),
      say`Correct ${named('authorityHost')}, which ends with /adfs/ for a federation service, or PLATFORM_TENANT_ID. If both are correct, ask the operator of the login authority to complete its OpenID configuration.`,
    ],
  },
  CERTIFICATE_EXPIRES_SOON: {
    title: 'Certificate about to expire',
    cause:
      'The certificate expires in less than 30 days. After that, every request to its host, or every sign-in with it, fails.',
    fix: [
      say`Renew the certificate in the file of ${'setting'} before ${'validTo'}, and register the new one for the application.`,
      ask`Ask the operator of ${host} to renew its certificate before ${known('validTo', 'the date in the message')}.`,
    ],
  },
  PLAIN_HTTP: {
    title: 'Endpoint without TLS',
    cause: 'The endpoint is an http address. Everything sent to it, tokens included, travels unencrypted.',
    fix: [
      say`Set the endpoint to its https address: ${({ run }) => run.endpoint?.address ?? `${run.nameOf('resourceManagerEndpoint')} or ${run.nameOf('metadataEndpoint')}`}.`,
    ],
  },
  TENANT_OF_ANOTHER_CLOUD: {
    title: 'Tenant of another cloud',
    cause:
      'The tenant belongs to another cloud than the login authority. A login authority issues no tokens to applications of such a tenant.',
    fix: [
      ...tenantOfAnotherCloud,
      'Correct PLATFORM_TENANT_ID, or set PLATFORM_CLOUD to the cloud of the tenant. Each cloud has separate tenants.',
    ],
    symptoms: ['Token acquisition failed'],
  },
} as const satisfies Readonly<Record<string, Finding>>
