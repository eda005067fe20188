import { execFileSync } from 'node:child_process'

/** The end of a title that says why its test is skipped. `skip-reasons.ts` prints it. Without a reason, an empty text. */
export const skipped = (reason: string | false | undefined): string => (reason ? ` [skipped: ${reason}]` : '')

/** As {@link skipped}, for a test whose program is not there. */
export function missing(command: string, ...args: readonly string[]): string {
  try {
    execFileSync(command, [...args], { stdio: 'ignore' })
    return ''
  } catch {
    return skipped(`${command} is not installed`)
  }
}
