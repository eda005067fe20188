import { accessSync, constants, statSync } from 'node:fs'
import * as posix from 'node:path/posix'
import * as win32 from 'node:path/win32'

/** A program by its path. No shell reads its arguments. */
export interface ToolCommand {
  readonly file: string
  /** Arguments before those of the caller. */
  readonly first: readonly string[]
}

export interface FindOptions {
  readonly platform?: NodeJS.Platform
  /** Whether a path is a file that this process may run. */
  readonly isProgram?: (path: string) => boolean
}

/**
 * Finds the command-line tool in the absolute folders of PATH. An empty or relative folder means the current one, where anybody may have put
 * a file of that name.
 *
 * On Windows the tool is a batch file, which only a shell can start, and a shell would interpret the arguments. It runs the Python beside
 * it, which is started instead.
 */
export function findTool(
  environment: Readonly<Record<string, string>>,
  { platform = process.platform, isProgram = isExecutable }: FindOptions = {},
): ToolCommand | undefined {
  const onWindows = platform === 'win32'
  const path = onWindows ? win32 : posix
  const folders = ((onWindows ? windowsVariable(environment, 'PATH') : environment['PATH']) ?? '')
    .split(path.delimiter)
    .filter((folder) => (onWindows ? /^[a-z]:[\\/]/i.test(folder) : path.isAbsolute(folder)))
  for (const folder of folders) {
    if (!onWindows && isProgram(path.join(folder, 'az'))) return { file: path.join(folder, 'az'), first: [] }
    if (!onWindows) continue
    if (isProgram(path.join(folder, 'az.exe'))) return { file: path.join(folder, 'az.exe'), first: [] }
    const python = path.join(folder, '..', 'python.exe')
    if (isProgram(path.join(folder, 'az.cmd')) && isProgram(python)) {
      return { file: python, first: ['-IBm', 'azure.cli'] }
    }
  }
  return undefined
}

/** Windows spells `Path` and `SystemRoot` in any case. */
export function windowsVariable(environment: Readonly<Record<string, string>>, name: string): string | undefined {
  return environment[name] ?? Object.entries(environment).find(([each]) => each.toUpperCase() === name)?.[1]
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
