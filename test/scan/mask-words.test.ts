import { expect, test } from 'vitest'
import { maskWords } from '../../src/scan/mask-words.ts'

test.each([
  ['const url = name + suffix', 'const url = …'],
  ['return fmt.Sprintf(f"x", other)', 'return fmt.Sprintf(f"x", …)'],
  ['if host.endswith(x) or container == y', 'if host.endswith(…) or container == …'],
  ['run --password-file a -p b', '… --password-file … -p …'],
  ['KEY=value; {name}.a <tag>. ${other}', 'KEY=…; {name}.… <tag>. ${other}'],
  ['Pwd={word}; <word>', 'Pwd={…}; <…>'],
  ['wordwordwordword://', '…://'],
  ['AccountKey=abc=xyz==', 'AccountKey=…=…=='],
  ['Password=a(b)c=d;', 'Password=…(…)…=…;'],
  ['https://user:word@', 'https://…:…'],
  ['key: value', 'key: …'],
  ['a:b:c', '…:…:…'],
])('of %s shows %s', (text, shown) => {
  expect(maskWords(text)).toBe(shown)
})
