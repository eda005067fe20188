import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { html } from '../../src/page/html.ts'
import { distanceText, elapsedText, secondsFrom, timeElement, utcText } from '../../src/page/time.ts'

const now = new Date('2026-11-21T02:10:00.000Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()

test('a point in time with any offset is shown in UTC', () => {
  expect(utcText('2026-11-21T03:10:00+01:00')).toBe('2026-11-21 02:10:00 UTC')
  expect(html`${timeElement('2026-11-21T02:10:00Z')}`.toString()).toBe(
    '<time datetime="2026-11-21T02:10:00Z">2026-11-21 02:10:00 UTC</time>',
  )
})

test.each([
  ['<soon>', '&lt;soon&gt;'],
  ['2026-13-45T99:99:99Z', '2026-13-45T99:99:99Z'],
])('%s is no date, and is shown as it is', (text, shown) => {
  expect(html`${timeElement(text)}`.toString()).toBe(shown)
  expect(secondsFrom(text, now)).toBeUndefined()
})

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [999.7, '1.0 s'],
  [1240, '1.2 s'],
])('%d milliseconds read %s', (milliseconds, text) => {
  expect(elapsedText(milliseconds)).toBe(text)
})

describe('distanceText', () => {
  test.each([
    [59, 'in 59 s'],
    [90, 'in 2 min'],
    [5400, 'in 2 h'],
    [259_200, 'in 3 days'],
    [-600, '10 min ago'],
    [-259_200, '3 days ago'],
  ])('%d seconds read %s', (seconds, text) => {
    expect(distanceText(secondsFrom(after(seconds), now) ?? Number.NaN)).toBe(text)
  })

  test('without a side it is a length', () => {
    expect(distanceText(-90, false)).toBe('2 min')
  })

  test('needs nothing of its module: the page inlines its source', () => {
    const alone: unknown = runInNewContext(`(${String(distanceText)})(-259200)`)
    expect(alone).toBe('3 days ago')
  })
})
