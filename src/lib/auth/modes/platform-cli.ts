import { createEgressPolicy } from '../../transport/egress.ts'
import type { Secret } from '../../base/secret.ts'
import type { ToolRun } from '../run-tool.ts'
import type { AccessToken } from '../token-credential.ts'
import type { Mode, Variables } from './mode.ts'
import { ServiceError } from '../../errors.ts'
import { parseJson, valueAt } from '../../base/json.ts'
import { showValue } from '../../base/printable.ts'

export interface PlatformCliSettings {
  readonly mode: 'platformCli'
  /** Default is the tenant of the profile. */
  readonly tenantId?: string | undefined
}

/** The tool signs in to the cloud that is registered in it. */
export interface ToolSignIn {
  /** The environment of the tool; values may contain the password of a proxy. */
  readonly environment: Secret<Readonly<Record<string, string>>>
  /** Whether this process runs in a container, where tools are part of the image. */
  readonly isContainer: boolean
  readonly tenantId?: string
}

export const platformCli: Mode<PlatformCliSettings, ToolSignIn> = {
  credential: 'CommandLineCredential',
  use: 'development',
  needs: 'the command-line tool, logged in to this cloud',
  keys: { tenantId: 'optional' },
  configured: () => true,
  plan({ profile }, { tenantId = profile.tenantId, toolEnvironment: environment, injected }) {
    const isContainer = injected.kubernetesHost !== undefined || process.pid === 1
    return { egress: createEgressPolicy({}), environment, isContainer, ...(tenantId === undefined ? {} : { tenantId }) }
  },
  build: ({ tenantId, environment, isContainer }) => ({
    getToken: (scope, { abortSignal: signal, tenantId: requested = tenantId }) =>
      getToolToken(scope, requested, { environment: environment.reveal(), isContainer, signal }),
  }),
  variables: ({ tenantId }): Variables =>
    tenantId === undefined ? {} : { AZURE_TENANT_ID: tenantId, ARM_TENANT_ID: tenantId },
  failure: { code: 'CLI_FAILED', message: 'The command-line tool failed' },
}

/** An argument that no shell interprets. */
const safeArgument = /^[A-Za-z0-9_.:/-]{1,2048}$/
/** Milliseconds since the epoch of the last date that JavaScript can represent. */
const maxDate = 8.64e15

/**
 * Runs the platform command-line tool to get a token. The library's credential would pass the whole environment to the tool, wait without end
 * and leave child processes behind.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for an audience or tenant that a shell could interpret, `CLI_NOT_INSTALLED`,
 * `CLI_NOT_LOGGED_IN`, `CLI_FAILED` or `CLI_TIMEOUT`.
 */
async function getToolToken(scope: string, tenantId: string | undefined, run: ToolRun): Promise<AccessToken> {
  // Loads `node:child_process`, which no other mode needs.
  const { runTool, notInstalled } = await import('../run-tool.ts')
  const resource = requireSafe('The audience', scope.replace(/\/\.default$/, ''))
  const tenant = tenantId === undefined ? [] : ['--tenant', requireSafe('The tenant', tenantId)]
  const args = ['account', 'get-access-token', '--output', 'json', '--resource', resource, ...tenant]
  const { code, stdout, stderr } = await runTool(args, run)
  if (code === 0) return parseToken(stdout)
  if (code === 127 || /not recognized as an internal|command not found/i.test(stderr))
    throw notInstalled(run.isContainer)
  throw toExitError(code, stderr)
}

function requireSafe(what: string, value: string): string {
  if (safeArgument.test(value)) return value
  const rule = 'is an argument of the command-line tool, so it must contain only letters, digits and _ . : / -'
  throw new ServiceError('ARGUMENT_INVALID', `${what} ${rule}, but is ${showValue(value)}`)
}

function parseToken(stdout: string): AccessToken {
  const output = parseJson(stdout)
  const token = valueAt(output, 'accessToken')
  const seconds = valueAt(output, 'expires_on')
  // expires_on is in seconds; older tools give only expiresOn, in local time.
  const expires = typeof seconds === 'number' ? seconds * 1000 : Date.parse(String(valueAt(output, 'expiresOn')))
  if (typeof token === 'string' && token !== '' && expires >= 0 && expires <= maxDate) {
    return { token, expiresOnTimestamp: expires }
  }
  throw new ServiceError('CLI_FAILED', 'The output of the command-line tool contains no valid token')
}

/** The message doesn't show the output of the tool, which may contain a secret. */
function toExitError(code: number | null, stderr: string): ServiceError {
  if (/az login|az account set|AADSTS50078|AADSTS700082|No subscription found/i.test(stderr)) {
    const message =
      'The command-line tool is not logged in to this cloud: log in, or set AUTH_MODE to another mode than platformCli'
    return new ServiceError('CLI_NOT_LOGGED_IN', message)
  }
  const number = /AADSTS\d{4,8}/.exec(stderr)?.[0]
  const message = `The command-line tool failed with exit code ${code ?? 'none'}${number === undefined ? '' : ` (${number})`}`
  return new ServiceError('CLI_FAILED', message)
}
