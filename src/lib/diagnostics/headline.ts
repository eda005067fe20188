import type { Check, Explanation, Headline, ReportStatus, TokenResult } from './report.ts'

/** What a headline is judged from. */
interface Judged {
  readonly status: ReportStatus
  readonly token: Partial<Pick<TokenResult, 'error'>>
  readonly checks: readonly Check[]
}

/** What a token attempt says when it does not know why; a failed check then knows more. */
const vague: ReadonlySet<string> = new Set(['UNEXPECTED', 'TOKEN_TIMEOUT'])

/** The most telling cause of a report that failed: why there is no token, else the first failed check. */
export function headlineOf({ status, token: { error }, checks }: Judged): Headline | undefined {
  if (status !== 'failed') return undefined
  const failed = checks.filter(
    (check): check is Check & Explanation => check.status === 'fail' && check.code !== undefined,
  )
  const telling = failed.find(({ code }) => !vague.has(code))
  const chosen: Explanation | undefined =
    error === undefined || vague.has(error.code) ? (telling ?? error ?? failed[0]) : error
  if (chosen === undefined) return undefined
  const { code, message, cause, fix } = chosen
  return { code, message, cause, fix, checks: failed.filter((check) => check.code === code).map(({ id }) => id) }
}
