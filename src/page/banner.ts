import { html, type Markup } from './html.ts'
import { shownText } from './elements.ts'

/** The classification marking above and below the page, if a setting names one. */
export interface ClassificationBanner {
  readonly text: string
  /** Decides the color. Default is the first word of the text. */
  readonly level?: string
}

/** Markings by their first words, most special first. The colors are in the style. */
const levels: readonly (readonly [RegExp, string])[] = [
  [/^TOP[ _-]?SECRET.*\bSCI\b/i, 'sci'],
  [/^TOP[ _-]?SECRET|^TS\b/i, 'top-secret'],
  [/^SECRET/i, 'secret'],
  [/^CONFIDENTIAL/i, 'confidential'],
  [/^CUI\b|^CONTROLLED/i, 'cui'],
  [/^UNCLASSIFIED/i, 'unclassified'],
]

/** The class of a banner; `other` for a marking this page does not know. */
export function bannerLevel({ text, level }: ClassificationBanner): string {
  const marking = (level ?? text).trim()
  return levels.find(([pattern]) => pattern.test(marking))?.[1] ?? 'other'
}

/** The banner for one end of the page; nothing when its text is blank. */
export function bannerElement(banner: ClassificationBanner | undefined, end: 'top' | 'bottom'): Markup | undefined {
  if (banner === undefined || banner.text.trim() === '') return undefined
  const label = end === 'top' ? 'Classification' : 'Classification, end of page'
  return html`<aside class="banner ${end} ${bannerLevel(banner)}" aria-label="${label}">
    ${shownText(banner.text, 200)}
  </aside> `
}
