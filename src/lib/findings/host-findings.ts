import type { Finding } from './finding.ts'
import { because, given, say, sets, when, audienceProof } from './fix-row.ts'

const setsClient = sets('PLATFORM_CLIENT_ID')
const setsMode = sets('AUTH_MODE')
const restart = because(
  'The identity endpoint works, and refuses this process: the header or address that identifies it is not the current one.',
  say`Restart this process so that it gets the current IDENTITY_ENDPOINT and IDENTITY_HEADER, and remove any copies of them from its settings: ${'host'} returned ${'status'}${given('error', ' (', ')')}.`,
)

/** Managed identity, the command-line tool, and the chain of all modes. */
export const hostFindings = {
  MANAGED_IDENTITY_UNAVAILABLE: {
    title: 'No managed identity',
    cause: 'This host offers no identity endpoint, or no identity is assigned to the resource.',
    fix: 'Assign a managed identity to the function app, machine or pod and restart it, or set AUTH_MODE to a mode that this host supports.',
  },
  MANAGED_IDENTITY_ENDPOINT_FIXED: {
    title: 'Another managed identity than that of the process',
    cause:
      'The credential library reads the identity endpoint and its header from the environment of the process, and keeps the first one for the life of the process.',
    fix: 'Set IDENTITY_ENDPOINT and its like in the environment of the process before it starts. Start a second process for another endpoint.',
  },
  MANAGED_IDENTITY_REJECTED: {
    title: 'Managed identity refused',
    cause:
      'The identity endpoint refused the request: it does not know the identity, or the audience does not belong to this cloud.',
    fix: [
      when(
        { status: '400' },
        because(
          'The identity endpoint works, and has no identity with this client id.',
          setsClient`Correct PLATFORM_CLIENT_ID, or assign the identity ${'clientId'} to this resource and restart it: ${'host'} does not know it${given('error', ' (', ')')}. Unset it for the system-assigned identity.`,
        ),
      ),
      when(
        { status: '400' },
        because(
          'The identity endpoint works, but no identity is assigned to this resource, or several are and none is named.',
          setsClient`Assign a system-assigned identity to this resource and restart it, or set PLATFORM_CLIENT_ID to its user-assigned identity: ${'host'} returned 400${given('error', ' (', ')')}.${audienceProof}`,
        ),
      ),
      when(
        ({ host = '', status }) => host.startsWith('169.254.169.254') && status !== undefined,
        because(
          'The identity endpoint of this machine refuses the request: no identity is assigned to it, or a proxy forwarded the request.',
          say`Assign a managed identity to this machine, or set AUTH_MODE to a mode that this host supports: ${'host'} returned ${'status'}${given('error', ' (', ')')}.`,
        ),
      ),
      when({ status: '401' }, restart),
      when({ status: '403' }, restart),
      say`Set PLATFORM_CLIENT_ID to the client id of the user-assigned identity, or unset it for the system-assigned identity.${({ run }) => (run.proven.resourceManagerAudience === undefined ? ` Then check ${run.nameOf('resourceManagerAudience')}.` : '')}`,
    ],
  },
  CLI_NOT_INSTALLED: {
    title: 'Command-line tool not found',
    cause: 'AUTH_MODE is platformCli (the default on a plain machine), and PATH has no tool "az".',
    fix: [
      because(
        'AUTH_MODE is not set, so the service uses the command-line tool, which is not installed.',
        sets(
          'AUTH_MODE',
          'modeToSet',
        )`Set AUTH_MODE=${'modeToSet'}: the variables of this mode are set, but AUTH_MODE is not, so that the command-line tool is the default.`,
      ),
      when(
        'container',
        setsMode`Set AUTH_MODE and its variables, such as clientSecret. For workloadIdentity, label the pod azure.workload.identity/use: "true" and check the webhook of the cluster, which sets AZURE_FEDERATED_TOKEN_FILE.`,
      ),
      'Install the tool and open a new terminal, or set AUTH_MODE to another mode, such as clientSecret.',
    ],
  },
  CLI_NOT_LOGGED_IN: {
    title: 'Command-line tool not logged in',
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
    cause: 'No credential kind of AUTH_MODE default is configured here. The message lists each kind with its code.',
    fix: 'Set AUTH_MODE to the one mode meant for this host. Its finding then names what is missing.',
  },
} as const satisfies Readonly<Record<string, Finding>>
