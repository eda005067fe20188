import type { Check } from '../lib/diagnostics/report.ts'
import { html, type Markup } from './html.ts'

/** How much of something is left, as a bar. Decorative: the words beside it say the same. @param share 0 to 1. */
export function shareBar(share: number, status: Check['status']): Markup {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100)
  return html`<svg class="bar ${status}" aria-hidden="true">
    <rect width="${percent}%" />
  </svg>`
}
