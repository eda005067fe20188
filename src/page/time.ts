import { html, type Content } from './html.ts'
import { shownText } from './elements.ts'

/**
 * Milliseconds since the epoch for an ISO 8601 time, and `NaN` for any other text. `Date.parse` alone accepts nearly every text with a
 * number in it.
 */
export function timestampOf(iso: string): number {
  return /^(\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(iso)
    ? Date.parse(iso)
    : Number.NaN
}

/** `2026-11-21 02:10:00 UTC`; text that isn't a date is returned unchanged. */
export function utcText(iso: string): string {
  const date = new Date(timestampOf(iso))
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** A time as UTC for people, with its ISO 8601 form for machines. */
export function timeElement(iso: string): Content {
  const text = utcText(iso)
  return text === iso ? shownText(iso) : html`<time datetime="${iso}">${text}</time>`
}

/**
 * The distance of a time from `now`. The script of the page updates it.
 *
 * @param tense With `past`, the distance is never in the future, even if clocks differ. Default is `any`.
 */
export function tickingDistance(iso: string, now: Date, tense: 'past' | 'any' = 'any'): Content {
  const distance = secondsFrom(iso, now)
  const seconds = distance !== undefined && tense === 'past' ? Math.min(0, distance) : distance
  return seconds !== undefined && html`<time datetime="${iso}" data-in="${seconds}">${distanceText(seconds)}</time>`
}

/** A duration in milliseconds, such as `41 ms`, `1.2 s` or `2 min`. */
export function elapsedText(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return 'unknown'
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`
  return milliseconds < 99_950 ? `${(milliseconds / 1000).toFixed(1)} s` : distanceText(milliseconds / 1000, false)
}

/** Seconds from `now` to a time, negative if it has passed. `undefined` if the text isn't a time. */
export function secondsFrom(iso: string, now: Date): number | undefined {
  const milliseconds = timestampOf(iso) - now.getTime()
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}

/**
 * Seconds from now in words: `in 59 min`, `4 h ago`. The script of the page contains the source of this function, so it must not refer to
 * anything outside.
 *
 * @param isRelative Whether the text says past or future. Default is true.
 */
export function distanceText(seconds: number, isRelative = true): string {
  const length = Math.abs(seconds)
  const [size, unit] =
    length < 90
      ? ([1, 's'] as const)
      : length < 5400
        ? ([60, 'min'] as const)
        : length <= 172_800
          ? ([3600, 'h'] as const)
          : length < 86_356_800
            ? ([86_400, 'days'] as const)
            : ([31_557_600, 'years'] as const)
  const text = `${Math.round(length / size)} ${unit}`
  if (!isRelative) return text
  if (length < 1) return 'now'
  return seconds < 0 ? `${text} ago` : `in ${text}`
}
