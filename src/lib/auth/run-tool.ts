import * as win32 from 'node:path/win32'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { parse } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Env, type FindOptions, findProgram, isExecutable, programFolders, windowsVariable } from '../base/env.ts'
import { errorCode } from '../base/files.ts'
import { ServiceError } from '../errors.ts'

/** Longest output in bytes. A token response has a few thousand. */
const maxOutput = 256 * 1024
/** Milliseconds to wait for the rest of the output after the exit: a child of the tool may keep the pipe open. */
const finalOutputMs = 250

/** The exit code and the output of the tool. */
export interface Exit {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ToolRun {
  /** The whole environment of the tool. */
  readonly environment: Readonly<Record<string, string>>
  /** Default is false. */
  readonly isContainer?: boolean
  readonly signal: AbortSignal
}

/**
 * Runs the tool, and ends it with all its children when the signal aborts.
 *
 * @throws {ServiceError} `CLI_NOT_INSTALLED`, `CLI_TIMEOUT` or `CLI_FAILED`.
 */
export async function runTool(args: readonly string[], { environment, isContainer, signal }: ToolRun): Promise<Exit> {
  if (signal.aborted) throw timedOut()
  const tool = findTool(environment)
  if (tool === undefined) throw notInstalled(isContainer)
  const child = spawn(tool.file, [...tool.first, ...args], {
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
    endProcessTree(child)
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

export function notInstalled(isContainer = false): ServiceError {
  const message = `The command-line tool "az" was not found in an absolute folder of PATH${isContainer ? ' of this container' : ''}`
  return new ServiceError('CLI_NOT_INSTALLED', message, {
    evidence: { problem: isContainer ? 'in a container' : undefined },
  })
}

export interface EndOptions {
  readonly platform?: NodeJS.Platform
  readonly environment?: Env
  readonly start?: typeof spawn
}

/** Ends a process with all its children. On POSIX it must lead a process group: the id of a group is not reused while a member is alive. */
export function endProcessTree(
  child: ChildProcess,
  { platform = process.platform, environment = process.env, start = spawn }: EndOptions = {},
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

/** A program by its path. No shell reads its arguments. */
export interface ToolCommand {
  readonly file: string
  /** Arguments before the caller's. */
  readonly first: readonly string[]
}

/**
 * Finds the command-line tool in the absolute folders of PATH.
 *
 * On Windows the tool is a batch file, which only a shell can start, and a shell would interpret the arguments. The batch file runs the
 * Python in its folder, so this function returns that Python.
 */
export function findTool(
  environment: Readonly<Record<string, string>>,
  { platform = process.platform, isProgram = isExecutable }: FindOptions = {},
): ToolCommand | undefined {
  if (platform !== 'win32') {
    const file = findProgram('az', environment, { platform, isProgram })
    return file === undefined ? undefined : { file, first: [] }
  }
  for (const folder of programFolders(environment, platform)) {
    const program = win32.join(folder, 'az.exe')
    if (isProgram(program)) return { file: program, first: [] }
    const python = win32.join(folder, '..', 'python.exe')
    const hasBatchFile = ['az.cmd', 'az.bat'].some((name) => isProgram(win32.join(folder, name)))
    if (hasBatchFile && isProgram(python)) return { file: python, first: ['-IBm', 'azure.cli'] }
  }
  return undefined
}
