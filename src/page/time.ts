import { html, type Content } from './html.ts'
import { shownText } from './shown-text.ts'

/** `2026-11-21 02:10:00 UTC`; text that is no date comes back as it is. */
export function utcText(iso: string): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** A point in time for people and machines. */
export function timeElement(iso: string): Content {
  const text = utcText(iso)
  return text === iso ? shownText(iso) : html`<time datetime="${iso}">${text}</time>`
}

/** A duration in milliseconds, such as `41 ms` or `1.2 s`. */
export function durationText(milliseconds: number): string {
  return milliseconds < 999.5 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

/** Seconds from `now` to a point in time, never negative; 0 for text that is no date. */
export function secondsUntil(iso: string, now: Date): number {
  const milliseconds = new Date(iso).getTime() - now.getTime()
  return milliseconds > 0 ? Math.floor(milliseconds / 1000) : 0
}

/** How far a point in time lies from `now`: `in 59 min`, `4 h ago`. */
export function distanceText(iso: string, now: Date): string {
  const seconds = Math.round((new Date(iso).getTime() - now.getTime()) / 1000)
  if (Number.isNaN(seconds)) return ''
  const size = Math.abs(seconds)
  const [amount, unit] = size < 90 ? [size, 's'] : size < 5400 ? [size / 60, 'min'] : [size / 3600, 'h']
  return size > 172_800
    ? dayText(seconds)
    : seconds < 0
      ? `${Math.round(amount)} ${unit} ago`
      : `in ${Math.round(amount)} ${unit}`
}

function dayText(seconds: number): string {
  const days = Math.round(Math.abs(seconds) / 86_400)
  return seconds < 0 ? `${days} days ago` : `in ${days} days`
}
