import type { Case } from './finding.ts'

// Cases of one AADSTS number or of one phrase in the error of another program. `why` finds the phrases here, regardless of case; `…` matches
// any words.

/** The federated token has other times than the login authority. */
const times = ['AADSTS700024', 'AADSTS500133', 'AADSTS50012'] as const

export const signCases = {
  CLIENT_SECRET_INVALID: [
    {
      is: { errorNumber: 'AADSTS700025' },
      cause: 'The application is registered as a public client, which must send neither secret nor assertion.',
      fix: 'Remove the secret or certificate from the request, or ask the administrator to set "Allow public client flows" of the application to No.',
    },
  ],
  CLIENT_ASSERTION_REJECTED: [
    {
      is: { errorNumber: ['AADSTS50166', 'AADSTS501661', 'AADSTS90061'] },
      cause:
        'The login authority cannot read the OpenID configuration or the keys of the token issuer: the issuer is down, private, or has an untrusted certificate.',
      fix: 'Retry, because the issuer may be down for a moment. Make the OpenID configuration and the keys of the issuer reachable from the login authority, with a certificate that it trusts.',
    },
    {
      is: { errorNumber: 'AADSTS700238' },
      cause: 'A policy of the tenant does not allow federated tokens of this issuer.',
      fix: 'Ask the administrator of the tenant to allow the issuer in the policy for federated credentials of workloads.',
    },
    {
      is: { errorNumber: times, problem: 'expired assertion' },
      cause: 'The assertion had expired before it was sent: the program read the token file once, or keeps the token.',
      fix: 'Change the program so that it reads the token file for each request, because the file is renewed about each hour. Restart the pod for now.',
    },
    {
      is: { errorNumber: times, problem: 'early assertion' },
      cause: 'The assertion is valid later than now by the clock of the login authority.',
      fix: "Synchronize the clock of the assertion's issuer (NTP): of this machine for a certificate, or of the cluster for a federated token.",
    },
    {
      is: { errorNumber: times },
      fix: "Synchronize this machine's clock (NTP), and the clock of the issuer of a federated token: the login authority received an assertion that has expired or is not yet valid.",
    },
  ],
  USER_REJECTED: [
    {
      is: { errorNumber: ['AADSTS50020', 'AADSTS500208'] },
      cause: 'The account belongs to another directory than the tenant of the sign-in. No password helps.',
      fix: 'Use an account of this tenant, or ask its administrator to invite the account as a guest. Check PLATFORM_TENANT_ID: a shared tenant such as common selects the home directory of the account.',
    },
  ],
  TENANT_UNKNOWN: [
    {
      is: { errorNumber: 'AADSTS50194' },
      sets: 'PLATFORM_TENANT_ID',
      cause: 'The application belongs to one tenant, but the sign-in used a shared one such as common.',
      fix: 'Set PLATFORM_TENANT_ID to the tenant of the application, or ask its owner to make it multi-tenant.',
    },
  ],
  SIGN_IN_NOT_ALLOWED: [
    {
      is: { errorNumber: 'AADSTS65002' },
      cause: 'The client id belongs to a tool of the vendor, which is not authorized in advance for this resource.',
      fix: 'Use az (AUTH_MODE=platformCli) for this resource, or register an application and set PLATFORM_CLIENT_ID to its id.',
    },
    {
      is: { errorNumber: ['AADSTS50011', 'AADSTS500113'] },
      cause:
        'The application has no such redirect URI. The one in the request must be registered, character by character.',
      fix: 'Add the redirect URI of the message to the application, for the right platform: mobile and desktop for a public client, web for a server.',
    },
  ],
  TOKEN_REJECTED: [
    {
      is: { errorNumber: 'AADSTS9002313' },
      cause: 'The request has a wrong form: a parameter is missing, repeated or not encoded, or the body is no form.',
      fix: 'Correct the request: send client_id, grant_type and scope once each, as application/x-www-form-urlencoded, and encode + and & in a secret.',
    },
  ],
  ISSUER_MISMATCH: [
    {
      is: { problem: 'one authority' },
      cause: 'Both issuers are names of one login authority, and the library or the service accepts only one of them.',
      fix: 'Add both issuers to those that the service accepts (cloud-profile clouds NAME prints them), or update the library, which may not know that they are one.',
    },
    {
      is: { sign: ['issuer_validation_failed', 'issuer validation failed', 'idx10205', 'idx40001'] },
      cause: 'The library does not expect the issuer in the OpenID configuration or the token for this authority.',
      fix: 'Set the authority of the client to the login authority of its cloud, and its known authorities to the same host. Compare it with cloud-profile clouds NAME.',
    },
  ],
  OPENID_CONFIGURATION_INVALID: [
    {
      is: { sign: '/oauth2/v2.0/token/…/.well-known/openid-configuration' },
      cause: 'The authority is set to a token endpoint, so the client requests the OpenID configuration below it.',
      fix: 'Set the authority to the login host and the tenant only, without /oauth2/v2.0/token.',
    },
  ],
  SERVICE_REJECTED_TOKEN: [
    {
      is: { sign: "login failed for user '<token-identified principal>'" },
      cause:
        'The token is for SQL of another cloud or tenant, or the server has no Microsoft Entra administrator, or the database has no user for the identity.',
      fix: "Request a token for [{audienceToUse} (scope {scopeToUse})|this cloud's audience of SQL (cloud-profile clouds NAME)] in the tenant of the server. Then set a Microsoft Entra administrator on the server, and create a user for the identity in the database.",
    },
  ],
  API_VERSION_UNSUPPORTED: [
    {
      is: { sign: ['is not supported by this release of the storage emulator', 'is not supported by azurite'] },
      cause:
        'The client is newer than azurite, the storage emulator, which refuses versions of the REST interface that it does not know.',
      fix: 'Install the newest azurite, or start it with --skipApiVersionCheck.',
    },
  ],
  SETTING_INVALID: [
    {
      is: {
        sign: [
          'unable to find matching constructor … accountname',
          'accountname … unable to find matching constructor',
        ],
      },
      cause:
        'A connection of Functions has both __accountName and __blobServiceUri (or another URI). __accountName means the suffix of the public cloud.',
      fix: 'Remove the setting AzureWebJobsStorage__accountName (or CONNECTION__accountName), and keep __blobServiceUri, __queueServiceUri and __tableServiceUri with the suffix of this cloud.',
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>
