import type { Check, DiagnosticsReport, Explanation, ReportStatus } from '../lib/diagnostics/report.ts'

/** A state in words: `verdict` stands large on the page, `title` in the browser's tab. */
export const stateWords: Readonly<Record<ReportStatus, { readonly verdict: string; readonly title: string }>> = {
  ok: { verdict: 'OK', title: 'OK' },
  warning: { verdict: 'Works, with warnings', title: 'Warning' },
  failed: { verdict: 'Does not work', title: 'Failed' },
  pending: { verdict: 'Waiting for sign-in', title: 'Sign-in needed' },
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
