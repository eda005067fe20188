import { accessSync, constants, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { ownCopy } from './json.ts'

/** Environment variables by name. A blank value counts as unset everywhere. */
export type Env = Readonly<Record<string, string | undefined>>

/** The value of a variable. `undefined` if it is unset or blank. */
export function readVariable(env: Env, name: string): string | undefined {
  // oxlint-disable-next-line repository/read-variables -- This is the function that the rule wants.
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  return value === undefined || value.trim() === '' ? undefined : value
}

/** The value of a flag. `undefined` for any text but `true` and `false`. */
export function parseFlag(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined
}

/** The first of these variables that is set names the proxy. */
export const proxyVariables = ['HTTPS_PROXY', 'ALL_PROXY', 'HTTP_PROXY'] as const

/** The proxy variables and NO_PROXY of an environment. Their values may contain passwords. */
export function readProxies(env: Env): Env {
  const names = [...proxyVariables, 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  return ownCopy(Object.fromEntries(names.map((name) => [name, readVariable(env, name)])))
}

export interface FindOptions {
  readonly platform?: NodeJS.Platform
  readonly isProgram?: (path: string) => boolean
}

/** Finds a program in the absolute folders of PATH. For a bare name, Windows and a relative entry of PATH would search the current folder too. */
export function findProgram(
  name: string,
  environment: Env,
  { platform = process.platform, isProgram = isExecutable }: FindOptions = {},
): string | undefined {
  const path = platform === 'win32' ? win32 : posix
  const file = platform === 'win32' ? `${name}.exe` : name
  return programFolders(environment, platform)
    .map((folder) => path.join(folder, file))
    .find(isProgram)
}

/** The absolute folders of PATH. */
export function programFolders(environment: Env, platform: NodeJS.Platform): readonly string[] {
  if (platform === 'win32') {
    const folders = (windowsVariable(environment, 'PATH') ?? '').split(win32.delimiter)
    // Windows accepts a folder in quotes.
    const plain = folders.map((folder) => folder.trim().replace(/^"(.*)"$/, '$1'))
    return plain.filter((folder) => /^[a-z]:[\\/]/i.test(folder))
  }
  return (readVariable(environment, 'PATH') ?? '').split(posix.delimiter).filter((folder) => posix.isAbsolute(folder))
}

/** Reads a variable regardless of letter case, as Windows does. @param name In upper case. */
export function windowsVariable(environment: Env, name: string): string | undefined {
  return (
    readVariable(environment, name) ?? Object.entries(environment).find(([each]) => each.toUpperCase() === name)?.[1]
  )
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
