import type { Finding } from './finding.ts'

/** Profile and settings, found at start, and what a credential is built from. */
export const startFindings = {
  UNSUPPORTED_CLOUD: {
    title: 'Unknown cloud profile',
    cause: 'PLATFORM_CLOUD is not one of the five built-in names.',
    fix: 'Set PLATFORM_CLOUD to a name that the message lists, or CUSTOM_CLOUD_PROFILE_PATH to a profile file.',
    symptoms: ['Cloud profile not found', 'Requested profile name is not a built-in name'],
  },
  PROFILE_INVALID: {
    title: 'Invalid cloud profile',
    cause: 'One or more fields break a rule. Nothing is repaired, so that no request goes to an address nobody wrote.',
    fix: 'Correct each field that the message names, in the file or variable that it names, and start again.',
    symptoms: ['Profile fails schema or runtime validation'],
  },
  PROFILE_UNREADABLE: {
    title: 'Unreadable profile file',
    cause: 'The custom profile file is missing, not readable by this process, or not one JSON object in UTF-8.',
    fix: 'Correct CUSTOM_CLOUD_PROFILE_PATH, or the file and its permissions. GET /api/profile shows the shape to save.',
  },
  SETTING_INVALID: {
    title: 'Invalid setting',
    cause: 'An environment variable holds a value that its rule does not allow.',
    fix: 'Correct or remove the variable that the message names, and start again. A blank variable counts as unset.',
  },
  ARGUMENT_INVALID: {
    title: 'Invalid argument',
    cause: 'A library function was called with a value that could change the host it talks to.',
    fix: 'Pass one DNS label as a resource name, a path below the endpoint, or an absolute URL, as the message says.',
  },
  CREDENTIAL_SETTING_MISSING: {
    title: 'Missing credential variable',
    cause: 'The AUTH_MODE in force needs variables that are not set.',
    fix: 'Set every variable that the message names, or choose another AUTH_MODE.',
    fixes: [{ fix: 'Set {missing}, or choose another AUTH_MODE.' }],
    symptoms: ['A required environment variable is absent when a credential is built'],
  },
  CREDENTIAL_FILE_UNREADABLE: {
    title: 'Unreadable credential file',
    cause: 'The certificate or federated token file is missing, empty, too large, not readable, or not in PEM form.',
    fix: 'Correct PLATFORM_CLIENT_CERTIFICATE_PATH (PEM with its private key; and its password) or PLATFORM_FEDERATED_TOKEN_FILE, and mount the file readable for this process.',
    fixes: [
      {
        fix: 'Correct {variable}, or mount the file that it names, whole and readable for this process: it {problem}.',
      },
    ],
  },
  CERTIFICATE_PASSWORD_WRONG: {
    title: 'Wrong password of the client certificate',
    cause: 'The private key of the client certificate is protected, and the password that is set does not open it.',
    fix: 'Set PLATFORM_CLIENT_CERTIFICATE_PASSWORD to the password of the private key, or write the key to the file without one.',
  },
  PLACEHOLDER_PROFILE: {
    title: 'Placeholder in the profile',
    cause: 'The profile still holds a host under .invalid, which stands for an address only the cloud operator knows.',
    fix: 'Get the real values from the cloud operator, and put them into a custom profile file (CUSTOM_CLOUD_PROFILE_PATH) or the override variables, such as PLATFORM_AUTHORITY_HOST.',
  },
  UNEXPECTED: {
    title: 'Unexpected failure',
    cause: 'Something failed that this service does not know. The log holds the details.',
    fix: 'Run again with PLATFORM_LOG_LEVEL=verbose, and report the log with the support report of the page.',
  },
} as const satisfies Readonly<Record<string, Finding>>
