import * as win32 from 'node:path/win32'
import { findProgram, isExecutable, programFolders, type FindOptions } from '../../base/find-program.ts'

/** A program by its path. No shell reads its arguments. */
export interface ToolCommand {
  readonly file: string
  /** Arguments before those of the caller. */
  readonly first: readonly string[]
}

/**
 * Finds the command-line tool in the absolute folders of PATH.
 *
 * On Windows the tool is a batch file, which only a shell can start, and a shell would interpret the arguments. The batch file runs the
 * Python beside it, so this function returns that Python.
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
