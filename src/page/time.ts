import { html, type Content } from './html.ts'
import { shownText } from './shown-text.ts'

/**
 * Milliseconds since the epoch of a time as a report has it; `NaN` for anything else. The engine alone would find a date in nearly every
 * text with a number in it.
 */
export function timestampOf(iso: string): number {
  return /^(\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(iso)
    ? Date.parse(iso)
    : Number.NaN
}

/** `2026-11-21 02:10:00 UTC`; text that is no date comes back as it is. */
export function utcText(iso: string): string {
  const date = new Date(timestampOf(iso))
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** A point in time for people and machines. */
export function timeElement(iso: string): Content {
  const text = utcText(iso)
  return text === iso ? shownText(iso) : html`<time datetime="${iso}">${text}</time>`
}

/** How far a point in time lies from `now`; the script goes on counting in the same words. */
export function tickingDistance(iso: string, now: Date): Content {
  const seconds = secondsFrom(iso, now)
  return seconds !== undefined && html`<time datetime="${iso}" data-in="${seconds}">${distanceText(iso, now)}</time>`
}

/** A duration in milliseconds, such as `41 ms`, `1.2 s` or `2 min`. */
export function durationText(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return 'unknown'
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`
  return milliseconds < 99_950 ? `${(milliseconds / 1000).toFixed(1)} s` : lengthText(milliseconds / 1000)
}

/** Seconds from `now` to a point in time, never negative; 0 for text that is no date. */
export function secondsUntil(iso: string, now: Date): number {
  return Math.max(0, secondsFrom(iso, now) ?? 0)
}

/** How far a point in time lies from `now`: `in 59 min`, `4 h ago`; nothing for text that is no date. */
export function distanceText(iso: string, now: Date): string {
  const seconds = secondsFrom(iso, now)
  if (seconds === undefined) return ''
  if (Math.abs(seconds) < 1) return 'now'
  return seconds < 0 ? `${lengthText(-seconds)} ago` : `in ${lengthText(seconds)}`
}

/** Seconds in the largest unit that tells enough, up to 999 years. `page.js` has the same steps. */
export function lengthText(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  if (seconds <= 172_800) return `${Math.round(seconds / 3600)} h`
  const days = Math.round(seconds / 86_400)
  return days < 1000 ? `${days} days` : `${Math.round(days / 365.25)} years`
}

function secondsFrom(iso: string, now: Date): number | undefined {
  const milliseconds = timestampOf(iso) - now.getTime()
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}
