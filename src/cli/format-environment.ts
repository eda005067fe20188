import { quoteShell } from '../lib/base/printable.ts'
import { UsageError } from './exit.ts'

/** How a shell, or a file of variables, writes one variable. */
const formats = {
  posix: (name, value) => `export ${name}=${quoteShell(value)}`,
  // PowerShell takes typographic quotes for plain ones.
  powershell: (name, value) => `$env:${name} = '${value.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`,
  // For a batch file, where a percent sign is written twice. Nothing escapes a double quote.
  cmd: (name, value) => `set "${name}=${expectNo(value, '"').replaceAll('%', '%%')}"`,
  env: (name, value) => `${name}=${value}`,
} as const satisfies Readonly<Record<string, (name: string, value: string) => string>>

export type Shell = keyof typeof formats

export const shells = Object.keys(formats) as Shell[]

/** The shell that a person at this machine most likely uses. */
export const defaultShell: Shell = process.platform === 'win32' ? 'powershell' : 'posix'

/**
 * Variables as lines for a shell.
 *
 * @throws {UsageError} for a name or value that the shell cannot express.
 */
export function formatEnvironment(variables: Readonly<Record<string, string>>, shell: Shell): string {
  const end = shell === 'cmd' ? '\r\n' : '\n'
  return Object.entries(variables)
    .map(([name, value]) => {
      if (!/^[A-Za-z_]\w*$/.test(name)) throw new UsageError(`${name} is not a valid variable name`)
      return formats[shell](name, shell === 'posix' ? value : expectNo(value, '\n', '\r', '\0')) + end
    })
    .join('')
}

function expectNo(value: string, ...characters: readonly string[]): string {
  if (!characters.some((each) => value.includes(each))) return value
  throw new UsageError('A value contains a character that this shell cannot express. Choose --shell posix')
}
