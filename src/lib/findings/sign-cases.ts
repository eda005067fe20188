import type { Case } from './finding.ts'

// Cases of one AADSTS number or of one phrase in the error of another program. `why` finds the phrases here, regardless of case; `…` matches
// any words.

/** The federated token has other times than the login authority. */
const times = 'AADSTS700024|AADSTS500133|AADSTS50012'

export const signCases = {
  CLIENT_SECRET_INVALID: [
    {
      cause: 'The application is registered as a public client, which must send neither secret nor assertion.',
      fix: '{errorNumber=AADSTS700025} Remove the secret or certificate from the request, or ask the administrator to set "Allow public client flows" of the application to No.',
    },
  ],
  CLIENT_ASSERTION_REJECTED: [
    {
      cause:
        'The login authority cannot read the OpenID configuration or the keys of the token issuer: the issuer is down, private, or has an untrusted certificate.',
      fix: '{errorNumber=AADSTS50166|AADSTS501661|AADSTS90061} Retry, because the issuer may be down for a moment. Make the OpenID configuration and the keys of the issuer reachable from the login authority, with a certificate that it trusts.',
    },
    {
      cause: 'A policy of the tenant does not allow federated tokens of this issuer.',
      fix: '{errorNumber=AADSTS700238} Ask the administrator of the tenant to allow the issuer in the policy for federated credentials of workloads.',
    },
    {
      cause: 'The assertion had expired before it was sent: the program read the token file once, or keeps the token.',
      fix: `{errorNumber=${times}} {problem=expired assertion} Change the program so that it reads the token file for each request, because the file is renewed about each hour. Restart the pod for now.`,
    },
    {
      cause: 'The assertion is valid later than now by the clock of the login authority.',
      fix: `{errorNumber=${times}} {problem=early assertion} Synchronize the clock of the assertion's issuer (NTP): of this machine for a certificate, or of the cluster for a federated token.`,
    },
    `{errorNumber=${times}} Synchronize this machine's clock (NTP), and the clock of the issuer of a federated token: the login authority received an assertion that has expired or is not yet valid.`,
  ],
  USER_REJECTED: [
    {
      cause: 'The account belongs to another directory than the tenant of the sign-in. No password helps.',
      fix: '{errorNumber=AADSTS50020|AADSTS500208} Use an account of this tenant, or ask its administrator to invite the account as a guest. Check PLATFORM_TENANT_ID: a shared tenant such as common selects the home directory of the account.',
    },
  ],
  TENANT_UNKNOWN: [
    {
      cause: 'The application belongs to one tenant, but the sign-in used a shared one such as common.',
      fix: '{errorNumber=AADSTS50194} Set {PLATFORM_TENANT_ID.change} to the tenant of the application, or ask its owner to make it multi-tenant.',
    },
  ],
  SIGN_IN_NOT_ALLOWED: [
    {
      cause: 'The client id belongs to a tool of the vendor, which is not authorized in advance for this resource.',
      fix: '{errorNumber=AADSTS65002} Use az (AUTH_MODE=platformCli) for this resource, or register an application and set PLATFORM_CLIENT_ID to its id.',
    },
    {
      cause:
        'The application has no such redirect URI. The one in the request must be registered, character by character.',
      fix: '{errorNumber=AADSTS50011|AADSTS500113} Add the redirect URI of the message to the application, for the right platform: mobile and desktop for a public client, web for a server.',
    },
  ],
  TOKEN_REJECTED: [
    {
      cause: 'The request has a wrong form: a parameter is missing, repeated or not encoded, or the body is no form.',
      fix: '{errorNumber=AADSTS9002313} Correct the request: send client_id, grant_type and scope once each, as application/x-www-form-urlencoded, and encode + and & in a secret.',
    },
  ],
  ISSUER_MISMATCH: [
    {
      cause: 'Both issuers are names of one login authority, and the library or the service accepts only one of them.',
      fix: '{problem=one authority} Add both issuers to those that the service accepts (cloud-profile clouds NAME prints them), or update the library, which may not know that they are one.',
    },
    {
      cause: 'The library does not expect the issuer in the OpenID configuration or the token for this authority.',
      fix: '{sign=issuer_validation_failed|issuer validation failed|idx10205|idx40001} Set the authority of the client to the login authority of its cloud, and its known authorities to the same host. Compare it with cloud-profile clouds NAME.',
    },
  ],
  OPENID_CONFIGURATION_INVALID: [
    {
      cause: 'The authority is set to a token endpoint, so the client requests the OpenID configuration below it.',
      fix: '{sign=/oauth2/v2.0/token/…/.well-known/openid-configuration} Set the authority to the login host and the tenant only, without /oauth2/v2.0/token.',
    },
  ],
  SERVICE_REJECTED_TOKEN: [
    {
      cause:
        'The token is for SQL of another cloud or tenant, or the server has no Microsoft Entra administrator, or the database has no user for the identity.',
      fix: "{sign=login failed for user '<token-identified principal>'} Request a token for [{audienceToUse} (scope {scopeToUse})|this cloud's audience of SQL (cloud-profile clouds NAME)] in the tenant of the server. Then set a Microsoft Entra administrator on the server, and create a user for the identity in the database.",
    },
  ],
  API_VERSION_UNSUPPORTED: [
    {
      cause:
        'The client is newer than azurite, the storage emulator, which refuses versions of the REST interface that it does not know.',
      fix: '{sign=is not supported by this release of the storage emulator|is not supported by azurite} Install the newest azurite, or start it with --skipApiVersionCheck.',
    },
  ],
  SETTING_INVALID: [
    {
      cause:
        'A connection of Functions has both __accountName and __blobServiceUri (or another URI). __accountName means the suffix of the public cloud.',
      fix: '{sign=unable to find matching constructor … accountname|accountname … unable to find matching constructor} Remove the setting AzureWebJobsStorage__accountName (or CONNECTION__accountName), and keep __blobServiceUri, __queueServiceUri and __tableServiceUri with the suffix of this cloud.',
    },
  ],
} as const satisfies Readonly<Record<string, readonly (string | Case)[]>>
