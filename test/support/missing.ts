import { execFileSync } from 'node:child_process'

/** What a title says of a test whose program is not there, or an empty text. */
export function missing(command: string, ...args: readonly string[]): string {
  try {
    execFileSync(command, [...args], { stdio: 'ignore' })
    return ''
  } catch {
    return ` [skipped: ${command} is not installed]`
  }
}
