import { expect, test } from 'vitest'
import { bannerElement, bannerLevel } from '../../src/page/banner.ts'

test.each([
  ['UNCLASSIFIED', 'unclassified'],
  ['CUI//SP-PRVCY', 'cui'],
  ['Confidential', 'confidential'],
  ['SECRET//NOFORN', 'secret'],
  ['TOP SECRET', 'top-secret'],
  ['TS//NOFORN', 'top-secret'],
  ['TOP SECRET//SCI', 'sci'],
  ['COSMIC', 'other'],
  ['NOT SECRET', 'other'],
])('the marking %s has the color of %s', (text, level) => {
  expect(bannerLevel({ text })).toBe(level)
})

test('a level that is given wins over the text', () => {
  expect(bannerLevel({ text: 'EXERCISE EXERCISE', level: 'secret' })).toBe('secret')
})

test('a blank or missing text shows no banner', () => {
  expect(bannerElement({ text: '  ' }, 'top')).toBeUndefined()
  expect(bannerElement(undefined, 'bottom')).toBeUndefined()
})
