import type { DiagnosticsReport, ReportStatus } from '../lib/diagnostics/report.ts'

/** A state in words: `verdict` stands large on the page, `title` in the browser's tab. */
export const stateWords: Readonly<Record<ReportStatus, { readonly verdict: string; readonly title: string }>> = {
  ok: { verdict: 'OK', title: 'OK' },
  warning: { verdict: 'Works, with warnings', title: 'Warning' },
  failed: { verdict: 'Does not work', title: 'Failed' },
  pending: { verdict: 'Waiting for sign-in', title: 'Sign-in needed' },
}

/**
 * What tells two reports apart for a person who looks at the page, as a number. The script computes the same from the JSON; a number is all that
 * no attribute, whatever a remote text holds, can change on its way.
 */
export function stateMark({ status, token, checks }: DiagnosticsReport): number {
  const troubles = checks.filter((check) => check.status === 'fail' || check.status === 'warn')
  const codes = troubles.map(({ id, code }) => [id, code])
  return textHash(JSON.stringify([status, token.status, token.error?.code, token.signIn?.userCode, codes]))
}

/** A hash of 32 bits (djb2); `page.js` has the same. */
function textHash(text: string): number {
  let hash = 5381
  for (let index = 0; index < text.length; index++) hash = (hash * 33) ^ text.charCodeAt(index)
  return hash
}
