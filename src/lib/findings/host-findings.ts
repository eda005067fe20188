import type { Finding } from './finding.ts'

const failed = ['Token acquisition failed'] as const

/** Managed identity, the command-line tool, and the chain of all modes. */
export const hostFindings = {
  MANAGED_IDENTITY_UNAVAILABLE: {
    title: 'No managed identity',
    cause: 'This host offers no identity endpoint, or no identity is assigned to the resource.',
    fix: 'Assign a managed identity to the function app, machine or pod and restart it, or set AUTH_MODE to a mode that this host supports.',
    symptoms: failed,
  },
  MANAGED_IDENTITY_ENDPOINT_FIXED: {
    title: 'Another managed identity than that of the process',
    cause:
      'The credential library reads the identity endpoint and its header from the environment of the process, and keeps the first one for the life of the process.',
    fix: 'Set IDENTITY_ENDPOINT and its like in the environment of the process before it starts. Start a second process for another endpoint.',
    symptoms: failed,
  },
  MANAGED_IDENTITY_REJECTED: {
    title: 'Managed identity refused',
    cause:
      'The identity endpoint refused the request: it does not know the identity, or the audience does not belong to this cloud.',
    fix: 'Set PLATFORM_CLIENT_ID to the client id of the user-assigned identity, or unset it for the system-assigned identity. Then check resourceManagerAudience (PLATFORM_RESOURCE_MANAGER_AUDIENCE).',
    symptoms: failed,
  },
  CLI_NOT_INSTALLED: {
    title: 'Command-line tool not found',
    cause: 'AUTH_MODE is platformCli (the default on a plain machine), and PATH has no tool "az".',
    fix: 'Install the tool and open a new terminal, or set AUTH_MODE to another mode, such as clientSecret.',
    fixes: [
      {
        when: 'container',
        fix: 'Set AUTH_MODE and its variables, such as clientSecret. For workloadIdentity, label the pod azure.workload.identity/use: "true" and check the webhook of the cluster, which sets AZURE_FEDERATED_TOKEN_FILE.',
      },
    ],
    symptoms: failed,
  },
  CLI_NOT_LOGGED_IN: {
    title: 'Command-line tool not logged in',
    cause: 'The tool has no valid sign-in for its active cloud.',
    fix: 'Run az cloud set --name NAME, then az login. If the tool does not know the cloud, first run az cloud register.',
    symptoms: failed,
  },
  CLI_FAILED: {
    title: 'Command-line tool failed',
    cause: 'The tool failed or returned no token. Its active cloud may differ from the profile.',
    fix: 'Compare az cloud show with the profile. Then run az account get-access-token with --resource and the resourceManagerAudience, and fix what it reports.',
    symptoms: failed,
  },
  CLI_TIMEOUT: {
    title: 'Command-line tool timed out',
    cause: 'The tool did not respond before the deadline and was stopped.',
    fix: 'Run az account show once by hand to see what delays it: a first start, an extension prompt or an unreachable cloud. If it is only slow, raise PLATFORM_TOKEN_TIMEOUT_MS.',
    symptoms: failed,
  },
  CHAIN_EXHAUSTED: {
    title: 'No usable credential in the default chain',
    cause: 'No credential kind of AUTH_MODE default is configured here. The message lists each kind with its code.',
    fix: 'Set AUTH_MODE to the one mode meant for this host. Its finding then names what is missing.',
    symptoms: failed,
  },
} as const satisfies Readonly<Record<string, Finding>>
