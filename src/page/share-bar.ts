import type { Check } from '../lib/diagnostics/report.ts'
import { html, type Markup } from './html.ts'

/** A bar of the part that is left, such as of a lifetime. Decorative: the words beside it have the same meaning. @param share 0 to 1. */
export function shareBar(share: number, status: Check['status']): Markup {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100)
  return html`<svg class="bar ${status}" aria-hidden="true">
    <rect width="${percent}%" />
  </svg>`
}
