import type { Finding } from './finding.ts'

/** What each warning about a profile and its environment means. */
export const warningFindings = {
  UNKNOWN_FIELD: {
    title: 'Unknown field',
    cause: 'The profile file has a field that this build does not know; it is ignored.',
    fix: 'Correct its name as the message suggests, or remove it. A file for a newer build may keep it.',
  },
  OVERRIDE_UNUSED: {
    title: 'Override without effect',
    cause: 'Override variables are set, but a custom profile file is used as it stands.',
    fix: 'Remove the variables, or set PLATFORM_OVERRIDE_CUSTOM_PROFILE=true to apply them to the file.',
  },
  ARM_AUDIENCE_DIFFERS: {
    title: 'Two audiences for the resource manager',
    cause: 'serviceAudiences.arm and resourceManagerAudience differ. Tokens are requested for resourceManagerAudience.',
    fix: 'Set both to the same value in a custom profile file; no variable overrides serviceAudiences.arm.',
  },
  PLACEHOLDER_FIELD: {
    title: 'Placeholder left in the profile',
    cause: 'The field holds a host under .invalid, which stands for a value only the cloud operator knows.',
    fix: 'Replace it in a custom profile file, or by its override variable.',
  },
  PUBLIC_VALUE_IN_PRIVATE_PROFILE: {
    title: 'Public-cloud value in another cloud',
    cause:
      'A host, suffix or audience of the public cloud was left in a profile for another cloud; requests with it go astray or are answered 401.',
    fix: 'Replace the field by the value of this cloud. The storage audience alone is the same everywhere.',
    symptoms: ['Token acquired, API calls return 401'],
  },
  GUID_TENANT_WITH_FEDERATION_SERVICE: {
    title: 'GUID tenant with a federation service',
    cause: 'authorityHost ends with /adfs/, and a federation service has the one tenant adfs.',
    fix: 'Set tenantId (PLATFORM_TENANT_ID) to adfs, or authorityHost to the login host of the tenant.',
  },
  FEDERATION_SERVICE_OUTSIDE_STACK: {
    title: 'Federation service outside an on-premises stack',
    cause:
      'The tenant is adfs, or authorityHost ends with /adfs/, which only an on-premises stack has; other enclaves have the normal identity provider.',
    fix: 'Set environment to platformstackcloud for a stack; otherwise set authorityHost and tenantId to those of the cloud.',
  },
  AUTHORITY_ALIAS: {
    title: 'Other name of a well-known authority',
    cause: 'authorityHost is another name of a public login host; only the main name counts as well known.',
    fix: 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to the name in the message.',
  },
  UNKNOWN_VARIABLE: {
    title: 'Variable that is no setting',
    cause: 'A variable starts with PLATFORM_, but none of the settings has its name; most likely it is misspelt.',
    fix: 'Correct its name as the message suggests, or remove it.',
  },
  LIBRARY_VARIABLE_IGNORED: {
    title: "Another tool's variable without effect",
    cause: 'The variable would steer the credential library, but here the profile and the PLATFORM_ variables decide.',
    fix: 'Set what the message names instead, and remove the variable unless another program of this host needs it.',
  },
  LIBRARY_VARIABLE_IN_EFFECT: {
    title: "Another tool's variable in effect",
    cause: 'The variable moves the requests for a managed identity to the address it holds.',
    fix: 'Remove the variable unless this cluster really runs the identity service it names.',
  },
  CLI_CLOUD_NOT_REGISTERED: {
    title: 'Cloud to be registered in the command-line tool',
    cause:
      'The tool knows only the public, US government and China clouds. It signs in to the cloud that is active in it, not to the profile.',
    fix: 'Run the commands of the message once: az cloud register, az cloud set, az login.',
  },
} as const satisfies Readonly<Record<string, Finding>>
