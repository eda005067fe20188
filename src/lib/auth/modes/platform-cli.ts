import type { ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { parse } from 'node:path'
import * as win32 from 'node:path/win32'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Env,
  type FindOptions,
  findProgram,
  isExecutable,
  programFolders,
  windowsVariable,
} from '../../base/env.ts'
import { errorCode } from '../../base/files.ts'
import { parseJson, valueAt } from '../../base/json.ts'
import { showValue } from '../../base/printable.ts'
import type { Secret } from '../../base/secret.ts'
import { ServiceError } from '../../errors.ts'
import { createEgressPolicy } from '../../transport/egress.ts'
import type { AccessToken } from '../token-credential.ts'
import type { Mode } from './mode.ts'

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
  failure: { code: 'CLI_FAILED', message: 'The command-line tool failed' },
}

/** Gets a token by the tool. The library's credential would pass the whole environment to it, wait without end and leave children behind. */
async function getToolToken(scope: string, tenantId: string | undefined, run: ToolRun): Promise<AccessToken> {
  const resource = requireSafe('The audience', scope.replace(/\/\.default$/, ''))
  const tenant = tenantId === undefined ? [] : ['--tenant', requireSafe('The tenant', tenantId)]
  const args = ['account', 'get-access-token', '--output', 'json', '--resource', resource, ...tenant]
  const { code, stdout, stderr } = await runTool(args, run)
  if (code === 0) return parseToken(stdout)
  // The tool is a script whose Python is missing.
  if (code === 127) throw notInstalled(run.isContainer)
  throw toExitError(code, stderr)
}

/** Refuses an argument that a shell could interpret. */
function requireSafe(what: string, value: string): string {
  if (/^[A-Za-z0-9_.:/-]{1,2048}$/.test(value)) return value
  const rule = 'is an argument of the command-line tool, so it must contain only letters, digits and _ . : / -'
  throw new ServiceError('ARGUMENT_INVALID', `${what} ${rule}, but is ${showValue(value)}`)
}

function parseToken(stdout: string): AccessToken {
  const output = parseJson(stdout)
  const token = valueAt(output, 'accessToken')
  const seconds = valueAt(output, 'expires_on')
  // expires_on is in seconds; older tools give only expiresOn, in local time.
  const expires = typeof seconds === 'number' ? seconds * 1000 : Date.parse(String(valueAt(output, 'expiresOn')))
  if (typeof token === 'string' && expires >= 0) return { token, expiresOnTimestamp: expires }
  throw new ServiceError('CLI_FAILED', 'The output of the command-line tool contains no valid token')
}

const notLoggedIn =
  'The command-line tool is not logged in to this cloud: log in, or set AUTH_MODE to another mode than platformCli'

/** The message doesn't show the output of the tool, which may contain a secret. */
function toExitError(code: number | null, stderr: string): ServiceError {
  if (/az login|az account set|AADSTS50078|AADSTS700082|No subscription found/i.test(stderr))
    return new ServiceError('CLI_NOT_LOGGED_IN', notLoggedIn)
  const number = /AADSTS\d{4,8}/.exec(stderr)?.[0]
  const message = `The command-line tool failed with exit code ${code ?? 'none'}${number === undefined ? '' : ` (${number})`}`
  return new ServiceError('CLI_FAILED', message)
}

/** Longest output in bytes. A token response has a few thousand. */
const maxOutput = 256 * 1024
/** Milliseconds to wait for the rest of the output after the exit: a child of the tool may keep the pipe open. */
const finalOutputMs = 250

interface ToolRun {
  /** The whole environment of the tool. */
  readonly environment: Readonly<Record<string, string>>
  readonly isContainer: boolean
  readonly signal: AbortSignal
}

/** Runs the tool, and ends it with all its children when the signal aborts. */
async function runTool(args: readonly string[], { environment, isContainer, signal }: ToolRun) {
  // No other mode needs this module.
  const { spawn: start } = await import('node:child_process')
  if (signal.aborted) throw timedOut()
  const tool = findTool(environment)
  if (tool === undefined) throw notInstalled(isContainer)
  const child = start(tool.file, [...tool.first, ...args], {
    // A folder that only the administrator can write to: the tool may load files from where it is started.
    cwd: (process.platform === 'win32' && windowsVariable(environment, 'SYSTEMROOT')) || parse(process.execPath).root,
    env: environment,
    // The tool leads a process group, so that its children end with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  // A tool that still runs would outlive this process.
  const end = () => {
    child.stdout.destroy()
    child.stderr.destroy()
    endProcessTree(child, start)
  }
  process.once('exit', end)
  try {
    const [code] = (await once(child, 'exit', { signal })) as [number | null]
    const closed = await Promise.race([once(child, 'close').then(() => true), sleep(finalOutputMs, false, { signal })])
    if (!closed) end()
    return { code, ...output }
  } catch (error) {
    end()
    if (signal.aborted) throw timedOut()
    const message = `Cannot start the command-line tool (${errorCode(error) ?? 'unknown'})`
    throw new ServiceError('CLI_FAILED', message, { cause: error })
  } finally {
    process.off('exit', end)
  }
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      if (output[name].length < maxOutput) output[name] += text
    })
  }
  return output
}

const timedOut = () => new ServiceError('CLI_TIMEOUT', 'The command-line tool did not respond in time and was stopped')

function notInstalled(isContainer: boolean): ServiceError {
  const message = `The command-line tool "az" was not found in an absolute folder of PATH${isContainer ? ' of this container' : ''}`
  const evidence = { problem: isContainer ? 'in a container' : undefined }
  return new ServiceError('CLI_NOT_INSTALLED', message, { evidence })
}

/** Ends a process with all its children. On POSIX it must lead a process group: the id of a group is not reused while a member is alive. */
export function endProcessTree(
  child: ChildProcess,
  start: typeof spawn,
  platform: NodeJS.Platform = process.platform,
  environment: Env = process.env,
): void {
  if (child.pid === undefined) return
  const endAlone = () => void child.kill('SIGKILL')
  try {
    if (platform !== 'win32') {
      process.kill(-child.pid, 'SIGKILL')
      return
    }
    // With its path, because Windows would otherwise start a taskkill.exe from the current folder.
    const systemRoot = windowsVariable(environment, 'SYSTEMROOT') ?? ''
    const windows = /^[a-z]:[\\/]/i.test(systemRoot) ? systemRoot : String.raw`C:\Windows`
    const taskkill = start(win32.join(windows, 'System32', 'taskkill.exe'), ['/pid', String(child.pid), '/T', '/F'], {
      cwd: windows,
      stdio: 'ignore',
      windowsHide: true,
    })
    taskkill.once('error', endAlone)
    taskkill.once('exit', (code) => {
      if (code !== 0) endAlone()
    })
    taskkill.unref()
  } catch {
    endAlone()
  }
}

/**
 * Finds the command-line tool in the absolute folders of PATH: its file, and arguments before the caller's. No shell reads the arguments.
 *
 * On Windows the tool is a batch file, which only a shell can start, and a shell would interpret the arguments. The batch file runs the
 * Python in its folder, so this function returns that Python.
 */
export function findTool(
  environment: Readonly<Record<string, string>>,
  { platform = process.platform, isProgram = isExecutable }: FindOptions = {},
): { readonly file: string; readonly first: readonly string[] } | undefined {
  if (platform !== 'win32') {
    const file = findProgram('az', environment, { platform, isProgram })
    return file === undefined ? undefined : { file, first: [] }
  }
  for (const folder of programFolders(environment, platform)) {
    const python = win32.join(folder, '..', 'python.exe')
    const hasBatchFile = ['az.cmd', 'az.bat'].some((name) => isProgram(win32.join(folder, name)))
    if (hasBatchFile && isProgram(python)) return { file: python, first: ['-IBm', 'azure.cli'] }
  }
  return undefined
}
