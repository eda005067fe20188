import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findings } from '../../../src/lib/findings/catalog.ts'
import { chooseCase, claimsOf } from '../../../src/lib/findings/choose-case.ts'
import {
  type Case,
  type ChangeableField,
  type Layer,
  layers,
  type RunFacts,
  type Target,
} from '../../../src/lib/findings/finding.ts'

// test/fixtures/cases.txt pins what each case, and each general fix, needs and changes: `CODE: CONDITION, … -> CHANGE`. Each is chosen with its facts, and not without
// one of them or against a rule of fixes. A fact is `name` or `name=value|value`; the other conditions are `foreign`, `proven`, `sets` (a field
// that must not be proven), `value` (of this cloud) and `blames`.

const other = 'https://other.test/'
const fieldOf = (target: Target): ChangeableField =>
  target === 'address' ? 'metadataEndpoint' : target === 'audience' ? 'serviceAudiences.keyVault' : target

interface Facts {
  readonly known: Readonly<Record<string, string | undefined>>
  readonly proven?: string | undefined
  readonly passed?: Layer
  readonly address?: string | undefined
}

const findingOf = (code: string) => findings[code as keyof typeof findings]

/** The case that is chosen for facts. */
function chosen(code: string, { known, proven, passed, address }: Facts): Case | undefined {
  const run: RunFacts = {
    proven: proven === undefined ? {} : { [fieldOf(proven as Target)]: 'the proof' },
    endpoint: { address, field: 'metadataEndpoint', audienceField: 'serviceAudiences.keyVault', passed },
    nameOf: (field) => field,
    changeOf: (field, value) => ({ variable: field, ...(value === undefined ? {} : { value }) }),
    ownerOf: (value) => (value === other ? 'Other' : undefined),
  }
  const words = { name: 'the host', at: 'the host', application: 'of PLATFORM_CLIENT_ID' }
  return chooseCase(findingOf(code), { known: { ...words, ...known }, run, subject: { name: 'the host' } })
}

/** What a name in the text of a case requires. */
function conditionsIn(name: string): readonly string[] {
  const [of = '', part] = name.split('.')
  if (/^[A-Z]/.test(of) || ['name', 'at', 'application'].includes(of)) return []
  if (name.includes('=')) return [name]
  if (part === 'cloud') return [`foreign ${of}`]
  if (part === 'proof') return [`proven ${of}`]
  const isField = (part === 'setting' || part === 'change') && !['variable', 'noProxy'].includes(of)
  if (!isField) return [of]
  return [
    ...(of === 'address' ? ['address.setting'] : []),
    ...(of === 'address' && part === 'setting' ? [] : [`sets ${of}`]),
  ]
}

/** The conditions of a case, as the table writes them. */
function conditionsOf(each: Case): readonly string[] {
  const { conditions, value } = claimsOf(each)
  const all = [
    ...conditions.flatMap(conditionsIn).filter((name) => !conditions.some((other) => other.startsWith(`${name}=`))),
    ...(value === undefined ? [] : [`value ${value}`]),
    ...(each.blames === undefined ? [] : [`blames ${each.blames}`]),
  ]
  return [...new Set(all)]
}

function changeOf(each: Case): string {
  const { changes = '-' } = claimsOf(each)
  return ['variable', 'noProxy'].includes(changes) ? `in ${changes}` : changes
}

interface Row {
  readonly code: string
  readonly conditions: readonly string[]
  readonly change: string
}

const line = ({ code, conditions, change }: Row): string => `${code}: ${conditions.join(', ')} -> ${change}`
const rows = readFileSync(new URL('../../fixtures/cases.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((text): Row => {
    const [, code = '', conditions = '', change = ''] = /^(\w+): (.*) -> (.*)$/.exec(text) ?? []
    return { code, conditions: conditions === '' ? [] : conditions.split(', '), change }
  })

/** The facts of a row, with the nth of several values, and each change of them that rules the case out. */
function factsOf({ conditions }: Row, nth: number): { readonly facts: Facts; readonly almost: readonly Facts[] } {
  let facts: Facts = { known: {} }
  const without: ((given: Facts) => readonly Facts[])[] = []
  const know = (name: string, value: string, ...wrong: readonly (string | undefined)[]) => {
    facts = { ...facts, known: { ...facts.known, [name]: value } }
    without.push((given) => wrong.map((each) => ({ ...given, known: { ...given.known, [name]: each } })))
  }
  for (const condition of conditions) {
    const [kind = '', name = ''] = condition.split(' ')
    if (kind === 'address.setting') {
      facts = { ...facts, address: 'the address' }
      without.push((given) => [
        { ...given, address: undefined },
        { ...given, proven: 'address' },
      ])
    } else if (kind === 'foreign') know(name, other, undefined, 'https://own.test/')
    else if (kind === 'proven') {
      facts = { ...facts, proven: name }
      without.push((given) => [{ ...given, proven: undefined }])
    } else if (kind === 'sets') without.push((given) => [{ ...given, proven: name }])
    else if (kind === 'value') without.push((given) => [{ ...given, known: { ...given.known, [name]: other } }])
    else if (kind === 'blames')
      without.push((given) => layers.slice(layers.indexOf(name as Layer)).map((passed) => ({ ...given, passed })))
    else {
      const [fact = '', values] = condition.split('=')
      const all = values?.split('|') ?? ['value']
      know(fact, all[nth % all.length] ?? '', undefined, ...(values === undefined ? [] : ['another']))
    }
  }
  return { facts, almost: without.flatMap((each) => each(facts)) }
}

const pinned = new Set<string>()
/** A case as one line, because a plain text has no identity. */
const lineOf = (each: Case, code = ''): string => line({ code, conditions: conditionsOf(each), change: changeOf(each) })
const same = (each: Case | undefined): string => (each === undefined ? '' : each.fix + lineOf(each))

test.each(rows.map((row) => [line(row), row] as const))('%s', (_line, row) => {
  const found = chosen(row.code, factsOf(row, 0).facts)
  pinned.add(same(found))
  expect(found && changeOf(found)).toBe(row.change)
  expect(found && conditionsOf(found).toSorted()).toEqual([...row.conditions].toSorted())
  for (let nth = 0; nth < 6; nth++) {
    const { facts, almost } = factsOf(row, nth)
    expect(chosen(row.code, facts)).toEqual(found)
    expect(almost.map((each) => same(chosen(row.code, each)))).not.toContain(same(found))
  }
})

test('the table has every case, and every general fix that changes or blames something', () => {
  const all = Object.entries(findings).flatMap(([code, finding]) => {
    const general = conditionsOf(finding).length > 0 || changeOf(finding) !== '-'
    const cases = (finding.cases ?? []).map((each): Case => (typeof each === 'string' ? { fix: each } : each))
    return [...cases, ...(general ? [finding] : [])].map((each) => [same(each), lineOf(each, code)] as const)
  })
  const missing = [...new Map(all.toReversed())].filter(([each]) => !pinned.has(each))
  expect(missing.map(([, each]) => each)).toEqual([])
})
