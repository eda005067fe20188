import type { Finding } from './finding.ts'

const failed = ['Token acquisition failed'] as const

/** Managed identity, the command-line tool, and the chain of all modes. */
export const hostFindings = {
  MANAGED_IDENTITY_UNAVAILABLE: {
    title: 'No managed identity here',
    cause: 'This host offers no identity endpoint, or no identity is assigned to the resource.',
    fix: 'Assign a managed identity to the function app, machine or pod and restart it, or set AUTH_MODE to a mode that this host supports.',
    symptoms: failed,
  },
  MANAGED_IDENTITY_REJECTED: {
    title: 'Managed identity refused',
    cause:
      'The identity endpoint refuses the request: the identity is unknown to it, or the audience is not one of this cloud.',
    fix: 'For a user-assigned identity set PLATFORM_CLIENT_ID to its client id (unset it for the system-assigned one). Check resourceManagerAudience.',
    symptoms: failed,
  },
  CLI_NOT_INSTALLED: {
    title: 'Command-line tool not found',
    cause: 'AUTH_MODE platformCli, which also is the default on a plain machine, needs the tool "az" in PATH.',
    fix: 'Install the tool and open a new terminal, or set AUTH_MODE to another mode, such as clientSecret.',
    symptoms: failed,
  },
  CLI_NOT_LOGGED_IN: {
    title: 'Command-line tool not logged in',
    cause: 'The tool has no valid sign-in for its active cloud.',
    fix: 'Run: az cloud set --name NAME, then az login. Register a cloud that the tool does not know first: az cloud register.',
    symptoms: failed,
  },
  CLI_FAILED: {
    title: 'Command-line tool failed',
    cause:
      'The tool ended with an error or an answer that is no token; its active cloud may be another one than the profile.',
    fix: 'Compare az cloud show with the profile, then run az account get-access-token yourself with --resource and the resourceManagerAudience, and mend what it says.',
    symptoms: failed,
  },
  CLI_TIMEOUT: {
    title: 'Command-line tool too slow',
    cause: 'The tool did not answer before the deadline and was ended.',
    fix: 'Run az account show once by hand: a first start, an extension prompt or an unreachable cloud can hold it up. Else raise PLATFORM_TOKEN_TIMEOUT_MS.',
    symptoms: failed,
  },
  CHAIN_EXHAUSTED: {
    title: 'No credential of the default chain',
    cause: 'None of the ways to sign in is configured here; the message lists each with its code.',
    fix: 'Set AUTH_MODE to the one mode meant for this host; then its own finding says what is missing.',
    symptoms: failed,
  },
} as const satisfies Readonly<Record<string, Finding>>
