import type { Check, DiagnosticsReport, Explanation, ReportStatus } from '../lib/diagnostics/report.ts'

/** A state in words: `verdict` stands large on the page, `title` in the browser's tab. */
export const stateWords: Readonly<Record<ReportStatus, { readonly verdict: string; readonly title: string }>> = {
  ok: { verdict: 'OK', title: 'OK' },
  warning: { verdict: 'Works, with warnings', title: 'Warning' },
  failed: { verdict: 'Does not work', title: 'Failed' },
  pending: { verdict: 'Waiting for sign-in', title: 'Sign-in needed' },
}

/** What a token attempt says when it does not know why; a failed check then knows more. */
const vague = new Set(['UNEXPECTED', 'TOKEN_TIMEOUT'])

/** The one thing to tell of a failure: why there is no token, else the first failed check. */
export function headlineOf({ status, token, checks }: DiagnosticsReport): Partial<Explanation> | undefined {
  if (status !== 'failed') return undefined
  const failed = checks.filter((check) => check.status === 'fail')
  const telling = failed.find(({ code }) => code !== undefined && !vague.has(code))
  const { error } = token
  return error === undefined || vague.has(error.code) ? (telling ?? error ?? failed[0]) : error
}

/** Whether a check says the same as the headline, so that cause and fix need not stand on the page twice. */
export function repeatsHeadline(check: Check, headline: Partial<Explanation> | undefined): boolean {
  return (
    headline?.fix !== undefined &&
    check.code === headline.code &&
    check.cause === headline.cause &&
    check.fix === headline.fix
  )
}

/** What tells two reports apart for a person who looks at the page; the script computes the same from the JSON. */
export function stateMark({ status, token }: DiagnosticsReport): string {
  return [status, token.status, token.error?.code, token.signIn?.userCode].join(' ')
}
