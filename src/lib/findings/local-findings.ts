import type { Finding } from './finding.ts'
import { setAudience } from './shared-cases.ts'

/** Faults of the profile, the settings and the credential files, found at the start or when a credential is built. */
export const startFindings = {
  UNSUPPORTED_CLOUD: {
    title: 'Unknown cloud profile',
    cause: "PLATFORM_CLOUD isn't a selectable cloud name.",
    fix: 'Set PLATFORM_CLOUD to a name that the message lists, or set CUSTOM_CLOUD_PROFILE_PATH to a profile file.',
    signs: ['Cloud profile not found', 'Unsupported PLATFORM_CLOUD'],
  },
  PROFILE_INVALID: {
    title: 'Invalid cloud profile',
    cause: 'The service does not repair values, so that no request goes to an unintended address.',
    fix: 'Correct each field that the message names, in the file or variable that it names, and start again.',
  },
  PROFILE_UNREADABLE: {
    title: 'Unreadable profile file',
    cause: 'The custom profile file is missing, not readable by this process, or not one JSON object in UTF-8.',
    fix: 'Correct the path, or the content and the permissions of the file. GET /api/profile returns a valid profile to start from.',
  },
  SETTING_INVALID: {
    title: 'Invalid setting',
    cause: 'A setting has a value that its rule does not allow, or contradicts another setting.',
    fix: 'Correct or remove the variable that the message names, and start again. A blank variable counts as unset.',
    cases: [
      '{sign=unable to find matching constructor … accountname|accountname … unable to find matching constructor} Remove the setting AzureWebJobsStorage__accountName (or CONNECTION__accountName), which means the suffix of the public cloud, and keep __blobServiceUri, __queueServiceUri and __tableServiceUri with the suffix of this cloud.',
      'Set {PLATFORM_TENANT_ID.change} to the GUID or a domain name of one tenant: {sharedTenant} means any tenant.',
    ],
  },
  REFERENCE_UNRESOLVED: {
    title: 'Unresolved reference',
    cause: 'The service sends no value that a deployment tool should replace, and no placeholder from a guide.',
    fix: 'Correct the reference that the message names in the tool that should replace it, or write your value in place of the placeholder. Then start again.',
  },
  NODE_UNSUPPORTED: {
    title: 'Node is too old',
    cause: 'The service needs functions that this release of Node does not have.',
    fix: 'Run the service with Node 22.1 or later. Node 22 and 24 have long-term support.',
  },
  FIPS_MODE_OFF: {
    title: 'FIPS mode is off or incomplete',
    cause:
      'PLATFORM_REQUIRE_FIPS requires FIPS mode, but OpenSSL started without an active FIPS provider or without the base provider. A worker that was kept warm started before OPENSSL_CONF was set.',
    fix: 'Set OPENSSL_CONF to a file with a nodejs_conf section that activates the providers fips and base and sets default_properties, and OPENSSL_MODULES to the folder of the provider (docs/operations.md). Or unset PLATFORM_REQUIRE_FIPS.',
  },
  ARGUMENT_INVALID: {
    title: 'Invalid argument',
    cause: 'The caller of a library function passed an unknown option, or a value of the wrong kind.',
    fix: 'Correct the argument or option that the message names.',
    cases: ['{counterpart}.'],
  },
  SERVICE_NOT_PUBLISHED: {
    title: 'Service absent from the profile',
    cause: 'The application uses a service whose address or audience is not in the profile.',
    fix: 'Add the service to `services` of a profile file, or do without it in this cloud.',
  },
  CREDENTIAL_SETTING_MISSING: {
    title: 'Missing credential variable',
    cause: 'The active AUTH_MODE needs variables that are not set.',
    fix: 'Set [{missing}|every variable that the message names], or choose another AUTH_MODE.',
    cases: [
      'Set {AUTH_MODE.change}={modeToSet.value}, because its variables {modeVariables} are set. Or set [{missing}|every variable that the message names].',
      'Set {variable.change}, or choose another AUTH_MODE.',
    ],
  },
  CREDENTIAL_FILE_UNREADABLE: {
    title: 'Unreadable credential file',
    cause: 'The file is missing, empty, too large, not readable for this process, or not in PEM form.',
    fix: 'Correct the variable that the message names, and make its file readable for this process. PLATFORM_CLIENT_CERTIFICATE_PATH needs a PEM file with certificate and private key.',
    cases: [
      'Set {variable.change} to a PEM file with certificate and private key. {conversion}',
      'Correct {variable.change}, or mount its file complete and readable for this process. The file {problem}.',
    ],
  },
  CREDENTIAL_KEY_UNUSABLE: {
    title: 'Unusable private key of the client certificate',
    cause: 'OpenSSL (stricter in FIPS mode) or login authorities refuse the type, size or encryption of the key.',
    fix: 'Replace the certificate and its key with an RSA pair of at least 2048 bits. Or convert the encryption on a machine without FIPS mode: openssl pkcs8 -topk8 -v2 aes-256-cbc -in OLD -out NEW.',
  },
  CERTIFICATE_PASSWORD_WRONG: {
    title: 'Wrong password of the client certificate',
    cause: 'The configured password does not decrypt the private key.',
    fix: 'Set PLATFORM_CLIENT_CERTIFICATE_PASSWORD to the password of the private key, or store the key in the file without a password.',
  },
  PLACEHOLDER_PROFILE: {
    title: 'Placeholder in the profile',
    cause: 'A host under .invalid is a placeholder for an address that only the cloud operator knows.',
    fix: 'Get the values from the cloud operator. Put them into a custom profile file (CUSTOM_CLOUD_PROFILE_PATH) or into the override variables of the fields.',
    cases: ['Get the values from the cloud operator, and replace the placeholders in {file}.'],
  },
  PROCESS_RESOURCES_EXHAUSTED: {
    title: 'Resources of this process exhausted',
    cause: 'The operating system gave this process no further file descriptor, socket, port or memory.',
    fix: 'Raise the limit of this process that [{reason}|the message] names (EMFILE: ulimit -n or LimitNOFILE; ENFILE: fs.file-max; ENOMEM: memory), or find out which files and connections it keeps open, and restart it. No host is at fault.',
  },
  PROFILE_FILE_CHANGED: {
    title: 'Profile file changed since the start',
    cause: 'The custom profile file differs from the profile that this process has used since its start.',
    fix: 'Restart the service to apply the changed file, or restore the previous content. Until then, the page and the checks use the previous profile.',
  },
  UNEXPECTED: {
    title: 'Unexpected failure',
    cause: 'A failure occurred that this catalog does not list. The log has the details.',
    fix: 'Run again with PLATFORM_LOG_LEVEL=verbose, and report the log together with the support report of the page.',
  },
} as const satisfies Readonly<Record<string, Finding>>

/** The reason that an identity endpoint gives: its error name and text. */
const said = '[ ({error})][: "{words}"]'

/** Faults of managed identities, of the command-line tool, and of the chain of all modes. */
export const hostFindings = {
  MANAGED_IDENTITY_UNAVAILABLE: {
    title: 'No managed identity',
    signs: ['no managed identity endpoint found', 'ManagedIdentityCredential … unavailable'],
    cause: 'This host offers no identity endpoint, or no identity is assigned to the resource.',
    fix: 'Assign a managed identity to the function app, machine or pod and restart it, or set AUTH_MODE to a mode that this host supports.',
  },
  MANAGED_IDENTITY_ENDPOINT_FIXED: {
    title: 'Managed identity endpoint other than the one of the process',
    cause: 'The credential library keeps the first identity endpoint and header of its process.',
    fix: 'Set IDENTITY_ENDPOINT and IDENTITY_HEADER in the environment before the process starts. Start a second process for another endpoint.',
  },
  MANAGED_IDENTITY_REJECTED: {
    // The identity endpoint refuses, and not this machine.
    isLocal: false,
    title: 'Managed identity refused',
    signs: ['Identity not found', 'failed to retrieve … MSI token'],
    cause: 'The identity endpoint refuses the identity or the audience of the request, or this process.',
    fix: 'Set PLATFORM_CLIENT_ID to the client id of the user-assigned identity, or unset it for the system-assigned identity.[ Or set {resourceManagerAudience.setting} to the audience of this cloud.]',
    cases: [
      `{error=invalid_resource} Ask the operator of the cloud to register the resource {audience} in the tenant of the identity: {at} does not know it${said}.{resourceManagerAudience.proof}`,
      `{error=invalid_resource} ${setAudience}`,
      `{error=invalid_resource} Set {resourceManagerAudience.change} to an audience that {at} knows: it does not know {audience}${said}. Do not change PLATFORM_CLIENT_ID.`,
      `{status=400} Correct {PLATFORM_CLIENT_ID.change}, or assign the identity {clientId} to this resource and restart it: {at} does not know it${said}. Unset it for the system-assigned identity.`,
      `{status=400} Assign a system-assigned identity to this resource and restart it, or set {PLATFORM_CLIENT_ID.change} to its user-assigned identity: {at} returned 400${said}.`,
      `{host=169.254.169.254} Assign a managed identity to this machine, or set AUTH_MODE to a mode that this host supports: {host} returned {status}${said}. It also refuses requests that a proxy forwards.`,
      '{status=401|403} Restart this process so that it gets the current IDENTITY_ENDPOINT and IDENTITY_HEADER, and remove any copies of them from its settings: {at} returned {status}[ ({error})].',
    ],
  },
  CLI_NOT_INSTALLED: {
    title: 'Command-line tool not found',
    signs: ['Azure CLI not found', 'az: command not found'],
    cause: 'AUTH_MODE is platformCli, which is the default on a plain machine.',
    fix: 'Install the tool and open a new terminal, or set AUTH_MODE to another mode, such as clientSecret.',
    cases: [
      'Set {AUTH_MODE.change}={modeToSet.value}: {modeVariables} are set, but AUTH_MODE is not, so the service uses the command-line tool.',
      '{problem=in a container} Set {AUTH_MODE.change} and its variables, such as clientSecret. For workloadIdentity, label the pod azure.workload.identity/use: "true" and check the webhook of the cluster, which sets AZURE_FEDERATED_TOKEN_FILE.',
    ],
  },
  CLI_NOT_LOGGED_IN: {
    title: 'Command-line tool not logged in',
    signs: ["run 'az login'", 'AADSTS700082', 'AADSTS700084', 'AADSTS70043', 'AADSTS50173', 'AADSTS50078'],
    cause: 'The tool has no valid sign-in for its active cloud.',
    fix: 'Run az cloud set --name NAME, then az login. If the tool does not know the cloud, first run az cloud register.',
  },
  CLI_FAILED: {
    title: 'Command-line tool failed',
    cause: 'The tool failed or returned no token. Its active cloud may differ from the profile.',
    fix: 'Compare az cloud show with the profile. Then run az account get-access-token with --resource and the resourceManagerAudience, and fix what it reports.',
  },
  CLI_TIMEOUT: {
    title: 'Command-line tool timed out',
    cause: 'The tool did not respond before the deadline and was stopped.',
    fix: 'Run az account show once by hand to see what delays it: a first start, an extension prompt or an unreachable cloud. If it is only slow, raise PLATFORM_TOKEN_TIMEOUT_MS.',
  },
  CHAIN_EXHAUSTED: {
    title: 'No usable credential in the default chain',
    signs: ['failed to retrieve a token from the included credentials', 'DefaultAzureCredential failed to'],
    cause: 'No credential kind of AUTH_MODE default is configured here. The message lists each kind with its code.',
    fix: 'Set AUTH_MODE to the mode that this host should use. The finding of that mode then names the missing variable or service.',
  },
} as const satisfies Readonly<Record<string, Finding>>
