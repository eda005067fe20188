import { expect, test } from 'vitest'
import { foldCase, repeatedNames } from '../../../src/lib/base/json.ts'
import { fc, few } from '../../support/properties.ts'

/** A JSON value as a tree that can hold a name twice. */
type Tree = string | readonly Tree[] | { readonly members: readonly (readonly [name: string, value: Tree])[] }

const name = fc.oneof(
  fc.constantFrom('aud', 'AUD', 'a\u0075d', 'iss', 'i\u017fs', '__proto__', '', '"', '\\', ':', '{', '}', '":'),
  fc.string({ maxLength: 3 }),
)
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    name,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.record({ members: fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }) }),
  ),
}))

/** A name or text as JSON, in full or in part as escapes, and with spaces around it. */
const escapes = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 })
function textOf(value: string, escaped: readonly boolean[]): string {
  const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at))
  const unit = (code: number, at: number) =>
    escaped[at % escaped.length] === true
      ? `\\u${code.toString(16).padStart(4, '0')}`
      : JSON.stringify(String.fromCharCode(code)).slice(1, -1)
  return `"${units.map(unit).join('')}"`
}

function jsonOf(value: Tree, escaped: readonly boolean[]): string {
  if (typeof value === 'string') return textOf(value, escaped)
  if (!('members' in value)) return `[${value.map((each) => jsonOf(each, escaped)).join(' ,')}]`
  return `{ ${value.members.map(([key, each]) => `${textOf(key, escaped)}\n : ${jsonOf(each, escaped)}`).join(',')}}`
}

/** The rule, written a second time: names of one object that are equal, with the least depth. */
function expected(value: Tree, fold: (text: string) => string, depth = 1, found = new Map<string, number>()) {
  if (typeof value === 'string') return found
  const members = 'members' in value ? value.members : value.map((each) => [undefined, each] as const)
  const names = members.flatMap(([key]) => (key === undefined ? [] : [fold(key)]))
  for (const each of names) {
    if (names.filter((other) => other === each).length > 1) found.set(each, Math.min(depth, found.get(each) ?? depth))
  }
  for (const [, each] of members) expected(each, fold, depth + 1, found)
  return found
}

test('a name that stands twice in an object is found, however it is escaped and whatever stands around it', () => {
  fc.assert(
    fc.property(tree, escapes, (value, escaped) => {
      const text = jsonOf(value, escaped)
      JSON.parse(text)
      for (const fold of [(each: string) => each, foldCase]) {
        expect(Object.fromEntries(repeatedNames(text, fold))).toEqual(Object.fromEntries(expected(value, fold)))
      }
    }),
    few(300),
  )
})
