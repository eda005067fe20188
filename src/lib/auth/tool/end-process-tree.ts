import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path/win32'
import type { Env } from '../../base/env.ts'
import { windowsVariable } from '../../base/find-program.ts'

export interface EndOptions {
  readonly platform?: NodeJS.Platform
  readonly environment?: Env
  readonly start?: typeof spawn
}

/** Ends a process with all its children. On POSIX it must lead a process group, whose id is not reused while a member is alive. */
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
    // By its path: by its bare name, Windows would start a taskkill.exe of the current folder.
    const systemRoot = windowsVariable(environment, 'SYSTEMROOT') ?? ''
    const windows = /^[a-z]:[\\/]/i.test(systemRoot) ? systemRoot : String.raw`C:\Windows`
    const taskkill = start(join(windows, 'System32', 'taskkill.exe'), ['/pid', String(child.pid), '/T', '/F'], {
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
