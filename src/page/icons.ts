import type { Check, ReportStatus } from '../lib/diagnostics/report.ts'
import { html, trusted, type Markup } from './html.ts'

/** What an icon can say. Each has its own outline, so that it reads without colour. */
export type IconName = ReportStatus | 'skip'

/** Outlines of 24 by 24 units; the sign is cut out of the shape, so one colour is enough. */
const shapes: Readonly<Record<IconName, string>> = {
  ok: 'M12 1a11 11 0 1 1 0 22a11 11 0 0 1 0-22zM10.4 17.2l7.4-7.6l-1.9-1.9l-5.5 5.7l-2.5-2.5l-1.9 1.9z',
  warning: 'M12 1.5l11.2 20.4h-22.4zM10.8 9v6.4h2.4v-6.4zM10.8 17v2.4h2.4v-2.4z',
  failed:
    'M7.4 1h9.2l6.4 6.4v9.2l-6.4 6.4h-9.2l-6.4-6.4v-9.2zM8.3 6.5l-1.8 1.8l3.7 3.7l-3.7 3.7l1.8 1.8l3.7-3.7l3.7 3.7l1.8-1.8l-3.7-3.7l3.7-3.7l-1.8-1.8l-3.7 3.7z',
  pending: 'M12 1a11 11 0 1 1 0 22a11 11 0 0 1 0-22zM10.8 5.5v7.1l4.9 3l1.3-2l-3.8-2.4v-5.7z',
  skip: 'M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18zM12 5.2a6.8 6.8 0 1 0 0 13.6a6.8 6.8 0 0 0 0-13.6zM8 10.9h8v2.2h-8z',
}

/** Colours of the browser tab, readable on light and dark tabs alike. */
const tabColours: Readonly<Record<ReportStatus, string>> = {
  ok: '1a8a4f',
  warning: 'c77700',
  failed: 'd92d36',
  pending: '3b74d8',
}

const checkIcons = { pass: 'ok', warn: 'warning', fail: 'failed', skip: 'skip' } as const

/** The icon of a check's status. */
export function checkIcon(status: Check['status']): IconName {
  return checkIcons[status]
}

/** A decorative icon; the words beside it say the same. */
export function icon(name: IconName): Markup {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="${trusted(`#${name}`)}" /></svg>`
}

/** The outlines that every {@link icon} refers to; once per page. */
export function iconShapes(): Markup {
  const symbols = Object.entries(shapes).map(
    ([name, shape]) =>
      html`<symbol id="${name}" viewBox="0 0 24 24"><path fill-rule="evenodd" d="${shape}" /></symbol>`,
  )
  return html`<svg hidden aria-hidden="true">${symbols}</svg>`
}

/** The state as an icon of the browser tab. Inline, because the page makes no second request. */
export function tabIcon(status: ReportStatus): Markup {
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#${tabColours[status]}" fill-rule="evenodd" d="${shapes[status]}"/></svg>`
  return html`<link rel="icon" href="${trusted(`data:image/svg+xml,${encodeURIComponent(image)}`)}" />`
}
