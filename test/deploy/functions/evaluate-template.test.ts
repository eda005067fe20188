import { describe, expect, test } from 'vitest'
import { evaluateTemplate, type Json, type Resource, type Template } from './evaluate-template.ts'

const base: Template = {
  parameters: {
    name: { type: 'string', defaultValue: 'app' },
    color: { type: 'string', defaultValue: 'red', allowedValues: ['red', 'blue'] },
    required: { type: 'string' },
  },
  variables: { greeting: "[concat('Hello ', parameters('name'))]", plain: { deep: ['first', 'second'] } },
  resources: [],
  outputs: {},
}
const resource = (fields: Readonly<Record<string, Json>>): Resource => ({
  type: 'Things/thing',
  apiVersion: '2024-01-01',
  name: 'one',
  ...fields,
})
const deploy = (resources: readonly Resource[], parameters: Readonly<Record<string, Json>> = {}) =>
  evaluateTemplate({ ...base, resources }, parameters).resources
const valueOf = (expression: string, parameters: Readonly<Record<string, Json>> = {}) =>
  deploy([resource({ value: expression })], parameters)[0]?.['value']

describe('An expression', () => {
  test.each<[string, Json]>([
    ['no expression', 'no expression'],
    ["[[concat('a')]", "[concat('a')]"],
    ['[1, 2', '[1, 2'],
    ["['it''s']", "it's"],
    ['[-3]', -3],
    ["[concat('a', 1, 'b')]", 'a1b'],
    ["[ concat( 'a' , concat('b','c') ) ]", 'abc'],
    ["[variables('greeting')]", 'Hello app'],
    ["[variables('plain').deep[1]]", 'second'],
    ["[variables('plain')['deep'][0]]", 'first'],
    ["[empty('')]", true],
    ['[empty(createObject())]', true],
    ["[empty('x')]", false],
    ["[equals('a', 'a')]", true],
    ["[equals('a', 'A')]", false],
    ["[equals(createObject('a', 1), createObject('a', 1))]", true],
    ["[if(not(equals(1, 2)), 'yes', 'no')]", 'yes'],
    ["[if(empty('x'), 'yes', 'no')]", 'no'],
    ["[length(variables('plain').deep)]", 2],
    ["[union(createObject('a', 1, 'b', 2), createObject('b', 3))]", { a: 1, b: 3 }],
    ['[null()]', null],
    [
      "[resourceId('Provider/sites/slots', 'site', 'slot')]",
      '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/group/providers/Provider/sites/site/slots/slot',
    ],
  ])('%s is %j', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected)
  })

  test.each([
    ["[unheardOf('x')]", 'Unknown function unheardOf'],
    ["[concat('a') 'b']", 'Unexpected'],
    ['[concat]', 'No expression'],
    ["[variables('missing')]", 'There is no variable missing'],
    ["[parameters('required')]", 'Parameter required is missing'],
    ["[parameters('undeclared')]", 'Parameter undeclared is missing'],
    ["[variables('plain').shallow]", 'has no shallow'],
    ["[resourceId('Provider/sites/slots', 'site')]", 'needs 2 names'],
    ["[if('true', 1, 2)]", 'is no boolean'],
    ["[not('x')]", 'is no boolean'],
    ["[concat(createObject('a', 1))]", 'is no text'],
  ])('%s is refused: %s', (expression, reason) => {
    expect(() => valueOf(expression)).toThrow(reason)
  })

  test('of a unique name is the same for the same parts only', () => {
    const [one, again, other] = ["'a'", "'a'", "'b'"].map((part) => valueOf(`[uniqueString(${part})]`))
    expect(one).toMatch(/^[\da-f]{13}$/)
    expect(again).toBe(one)
    expect(other).not.toBe(one)
  })
})

describe('A parameter', () => {
  test('has its default until it is given', () => {
    expect([valueOf("[parameters('name')]"), valueOf("[parameters('name')]", { name: 'mine' })]).toEqual([
      'app',
      'mine',
    ])
  })

  test('takes allowed values alone', () => {
    expect(valueOf("[parameters('color')]", { color: 'blue' })).toBe('blue')
    expect(() => valueOf("[parameters('color')]", { color: 'green' })).toThrow('color must not be "green"')
  })

  test('that is not declared is refused', () => {
    expect(() => deploy([], { naem: 'x' })).toThrow('There is no parameter naem')
  })
})

describe('A resource', () => {
  test('whose condition is false is not created', () => {
    const rows = [
      resource({ name: 'kept' }),
      resource({ name: 'left', condition: "[equals(parameters('name'), 'x')]" }),
    ]
    expect(deploy(rows).map(({ name }) => name)).toEqual(['kept'])
    expect(deploy(rows, { name: 'x' }).map(({ name }) => name)).toEqual(['kept', 'left'])
  })

  test('whose condition is no boolean is refused', () => {
    expect(() => deploy([resource({ condition: 'true' })])).toThrow('is no boolean')
  })

  test('with copies is created once for each, each with its index', () => {
    const rows = [resource({ name: "[concat('r', copyIndex())]", copy: { name: 'all', count: 3 } })]
    expect(deploy(rows).map(({ name }) => name)).toEqual(['r0', 'r1', 'r2'])
    expect(JSON.stringify(deploy(rows))).not.toContain('copy')
  })

  test('is evaluated in every field, however deep', () => {
    const rows = [resource({ properties: { list: [{ value: "[parameters('name')]" }] } })]
    expect(deploy(rows)[0]?.['properties']).toEqual({ list: [{ value: 'app' }] })
  })
})

test('Outputs are evaluated too', () => {
  const { outputs } = evaluateTemplate({ ...base, outputs: { name: { value: "[variables('greeting')]" } } }, {})
  expect(outputs).toEqual({ name: { value: 'Hello app' } })
})
