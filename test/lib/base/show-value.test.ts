import { expect, test } from 'vitest'
import { quote } from '../../../src/lib/base/printable.ts'
import { showValue } from '../../../src/lib/base/show-value.ts'
import { startCpuTime } from '../../support/cpu-time.ts'

test.each([
  'https://user:hunter2@host/',
  'https://hunter2@host/',
  'https://user:hunter2/with/slashes@host/',
  'https://user:hunter2@more@host/',
  'https:user:hunter2@host/',
  'https:\\\\user:hunter2@host/',
  'user:hunter2@host/',
  '//user:hunter2@host/',
])('user information is not shown, however the URL is written: %s', (value) => {
  expect(showValue(value)).toMatch(/\[redacted\]@host\/"$/)
  expect(showValue(value)).not.toMatch(/hunter2/)
})

test.each(['https://host/?sig=hunter2', 'https://host/#access_token=hunter2', '?sig=hunter2', 'https://host?hunter2'])(
  'a query or fragment is not shown: %s',
  (value) => {
    expect(showValue(value)).toMatch(/[?#]\[redacted\]"$/)
    expect(showValue(value)).not.toContain('hunter2')
  },
)

test.each(['0 0 12 ? * 1', 'a@b', 'https://host/', 'https://host/?', ''])('%j is shown as it is', (value) => {
  expect(showValue(value)).toBe(JSON.stringify(value))
})

test('a long value is shortened, and its user information is not shown either', () => {
  expect(showValue(`https://${'x'.repeat(5000)}@host/`)).toBe('"https://[redacted]@host/"')
  expect(showValue('x'.repeat(120))).toBe(`"${'x'.repeat(120)}"`)
  expect(showValue('x'.repeat(121))).toBe(`"${'x'.repeat(120)}…"`)
})

test('a megabyte of any one character is shown at once', () => {
  const cpuTime = startCpuTime()
  for (const character of [':', '/', '@', '?', '\\', 'x', '.', '\u0000']) showValue(`a:${character.repeat(1_000_000)}`)
  expect(cpuTime()).toBeLessThan(1000)
})

test('what a terminal would obey or not show is escaped', () => {
  expect(showValue('a\n\r\t\u001B[31m\u007F\u009B\u200B\u202E\u2028\uFEFFb')).toBe(
    String.raw`"a\n\r\t\u001b[31m\u007f\u009b\u200b\u202e\u2028\ufeffb"`,
  )
  expect(quote('ä漢😀')).toBe('"ä漢😀"')
})

test.each([
  [null, 'null'],
  [[1], 'an array'],
  [{}, 'an object'],
  [1, 'a number'],
  [false, 'a boolean'],
])('of %j only the kind is shown', (value, shown) => {
  expect(showValue(value)).toBe(shown)
})
