import type { Finding } from './finding.ts'

/** A warning whose message says enough has no cause. */
export type WarningFinding = Pick<Finding, 'title' | 'signs'> & { readonly cause?: string; readonly fix: string }

/** Warnings about a profile and the environment variables. */
export const warningFindings = {
  UNKNOWN_FIELD: {
    title: 'Unknown field',
    fix: 'Correct the field name as the message suggests, or remove the field. If a newer build reads it, keep it.',
  },
  OVERRIDE_UNUSED: {
    title: 'Override without effect',
    fix: 'Remove the variables, or set PLATFORM_OVERRIDE_CUSTOM_PROFILE=true to apply them to the file.',
  },
  ARM_AUDIENCE_DIFFERS: {
    title: 'Two audiences for the resource manager',
    fix: 'Set both to the same value in a custom profile file. No variable overrides serviceAudiences.arm.',
  },
  PLACEHOLDER_FIELD: {
    title: 'Placeholder left in the profile',
    fix: 'Replace the placeholder in a custom profile file, or set its override variable.',
  },
  CLOUD_DEFAULTED: {
    title: 'No cloud selected',
    fix: 'Set PLATFORM_CLOUD or CUSTOM_CLOUD_PROFILE_PATH, or pass the cloud as an option.',
  },
  FOREIGN_VALUE: {
    title: 'Value of another cloud',
    cause:
      'The field contains a host, suffix or audience of a known cloud, but authorityHost belongs to another cloud. Requests with it reach the wrong cloud or get 401.',
    fix: 'Replace the field with the value of this cloud, in the file or variable that the message names. If authorityHost itself is wrong, correct it there.',
    signs: ['Token acquired, API calls return 401'],
  },
  VAULT_AUDIENCE_OUTSIDE_SUFFIX: {
    title: 'Key vault audience outside its DNS suffix',
    signs: ['does not match the requested domain'],
    cause:
      'The audience of key vaults is not a domain above their hosts, as with a federation service. The SDKs compare the two and refuse the challenge of the vault.',
    fix: 'Correct serviceAudiences.keyVault or serviceDnsSuffixes.keyVault. If both are correct, set the option of the vault clients that disables the verification of the challenge.',
  },
  TENANT_DIFFERS: {
    title: 'Tenant differs from the profile',
    fix: 'Set PLATFORM_TENANT_ID and tenantId of the profile to the same tenant, or unset PLATFORM_TENANT_ID.',
  },
  SECRET_SUSPECT: {
    title: 'Secret with an unusual shape',
    cause:
      'The secret has quotation marks or blanks at its ends, or the form of a reference. A real secret may look like this, so the service sends it unchanged.',
    fix: 'If the login authority refuses the secret, set the variable or file that the message names again, without the quotation marks, blanks or reference.',
  },
  TENANT_UNUSUAL: {
    title: 'Tenant is neither a GUID nor a domain name',
    fix: 'Set PLATFORM_TENANT_ID to the GUID or a domain name of the tenant. For a federation service, set it to adfs.',
  },
  GUID_TENANT_WITH_FEDERATION_SERVICE: {
    title: 'GUID tenant with a federation service',
    fix: 'Set PLATFORM_TENANT_ID to adfs, or set authorityHost to the login host of the tenant.',
  },
  FEDERATION_SERVICE_OUTSIDE_STACK: {
    title: 'Federation service outside an on-premises stack',
    fix: 'If the cloud is a stack, set environment to platformstackcloud. If not, set authorityHost and tenantId to the values of the cloud.',
  },
  MANAGED_IDENTITY_ON_STACK: {
    title: 'Managed identity on an on-premises stack',
    fix: 'Set AUTH_MODE to clientSecret or clientCertificate. If a person signs in, set it to deviceCode, usernamePassword or platformCli.',
  },
  FUNCTIONS_ON_STACK: {
    title: 'Functions on an on-premises stack',
    fix: 'Run the server as a web app, on a Linux VM or on Kubernetes, as docs/deploy-on-premises.md describes.',
  },
  AUTHORITY_ALIAS: {
    title: 'Alias of a well-known authority',
    fix: 'Set authorityHost to the name in the message, in the file or variable that sets it.',
  },
  UNKNOWN_VARIABLE: {
    title: 'Unknown PLATFORM_ variable',
    fix: 'Correct the variable name as the message suggests, or remove the variable.',
  },
  LIBRARY_VARIABLE_IGNORED: {
    title: "Another tool's variable without effect",
    cause: 'The variable configures the credential library. This service uses the profile and PLATFORM_ variables.',
    fix: 'Set the variable that the message names instead. Remove this variable unless another program on this host needs it.',
  },
  LIBRARY_VARIABLE_IN_EFFECT: {
    title: "Another tool's variable in effect",
    cause: 'The variable redirects managed identity requests to the address that it contains.',
    fix: 'Remove the variable unless this cluster runs the identity service that it names.',
  },
  CLI_CLOUD_NOT_REGISTERED: {
    title: 'Cloud not registered in the command-line tool',
    signs: ["The cloud '…' is not registered"],
    cause:
      'The tool knows only the public, US government and China clouds. It signs in to its active cloud, not to the cloud of the profile.',
    fix: 'Run the commands in the warning once: az cloud register, az cloud set, az login. To see the registered clouds, run az cloud list; to see the active cloud, run az cloud show.',
  },
} as const satisfies Readonly<Record<string, WarningFinding>>
