import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type { AccessToken } from '@azure/core-auth'
import * as z from 'zod/mini'
import { ServiceError } from '../errors.ts'

/** Bytes of output that are read. A token answer has a few thousand. */
const maxOutput = 256 * 1024

const CliToken = z.object({
  accessToken: z.string().check(z.minLength(1)),
  expires_on: z.optional(z.number()),
  expiresOn: z.optional(z.string()),
})

export interface CliRequest {
  /** An audience followed by `.default`. */
  readonly scope: string
  readonly tenantId?: string | undefined
  /** All that the tool gets of the environment. */
  readonly environment: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * Asks the platform command-line tool for a token. Our own code, because the library's credential hands the tool our
 * whole environment, has no time-out that holds and leaves children behind.
 *
 * @throws {ServiceError} `CLI_NOT_INSTALLED`, `CLI_NOT_LOGGED_IN`, `CLI_FAILED` or `CLI_TIMEOUT`.
 */
export async function getCliToken({ scope, tenantId, environment, signal }: CliRequest): Promise<AccessToken> {
  const resource = scope.replace(/\/\.default$/, '')
  const tenant = tenantId === undefined ? [] : ['--tenant', tenantId]
  const { code, stdout, stderr } = await run(
    ['account', 'get-access-token', '--output', 'json', '--resource', resource, ...tenant],
    environment,
    signal,
  )
  if (code === 0) return parseToken(stdout)
  throw describeExit(code, stderr)
}

interface Exit {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const timedOut = () => new ServiceError('CLI_TIMEOUT', 'The command-line tool did not answer in time and was ended')

async function run(args: readonly string[], env: CliRequest['environment'], signal: AbortSignal): Promise<Exit> {
  if (signal.aborted) throw timedOut()
  const onWindows = process.platform === 'win32'
  // A group of its own, so that children of the tool end with it. On Windows the tool is a .cmd file, for a shell.
  const child = spawn(onWindows ? 'az.cmd' : 'az', args, {
    cwd: tmpdir(),
    env,
    detached: !onWindows,
    shell: onWindows,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      if (output[name].length < maxOutput) output[name] += text
    })
  }
  try {
    const [code] = (await once(child, 'close', { signal })) as [number | null]
    return { code, ...output }
  } catch (error) {
    if (signal.aborted) {
      endGroup(child)
      throw timedOut()
    }
    throw describeSpawnError(error)
  }
}

function describeSpawnError(error: unknown): ServiceError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return code === 'ENOENT'
    ? new ServiceError('CLI_NOT_INSTALLED', 'The command-line tool "az" was not found in PATH', { cause: error })
    : new ServiceError('CLI_FAILED', `The command-line tool could not be started (${code})`, { cause: error })
}

/** Ends the child with its whole group. Its id is used only while the child is ours: an id is reused after it is reaped. */
function endGroup(child: ChildProcess): void {
  child.stdout?.destroy()
  child.stderr?.destroy()
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    if (process.platform === 'win32') spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' })
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

function parseToken(stdout: string): AccessToken {
  const token = CliToken.safeParse(parseJson(stdout)).data
  // expires_on is in seconds; older tools give only expiresOn, in local time.
  const expires = token?.expires_on === undefined ? Date.parse(token?.expiresOn ?? '') : token.expires_on * 1000
  if (token === undefined || !Number.isFinite(expires)) {
    throw new ServiceError('CLI_FAILED', 'The command-line tool answered with something that is no token')
  }
  return { token: token.accessToken, expiresOnTimestamp: expires }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The tool's own words may hold anything, so only what they mean is passed on. */
function describeExit(code: number | null, stderr: string): ServiceError {
  if (code === 127 || /not recognized as an internal|command not found/i.test(stderr)) {
    return new ServiceError('CLI_NOT_INSTALLED', 'The command-line tool "az" was not found in PATH')
  }
  if (/az login|az account set|AADSTS50078|AADSTS700082|No subscription found/i.test(stderr)) {
    return new ServiceError('CLI_NOT_LOGGED_IN', 'The command-line tool is not logged in to this cloud')
  }
  const number = /AADSTS\d{4,8}/.exec(stderr)?.[0]
  return new ServiceError(
    'CLI_FAILED',
    `The command-line tool ended with exit code ${code ?? 'none'}${number === undefined ? '' : ` (${number})`}`,
  )
}
