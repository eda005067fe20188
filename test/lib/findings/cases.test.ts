import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findings } from '../../../src/lib/findings/catalog.ts'
import { chooseCase, claimsOf } from '../../../src/lib/findings/choose-case.ts'
import {
  type ChangeableField,
  type Layer,
  layers,
  type RunFacts,
  type Target,
} from '../../../src/lib/findings/finding.ts'

// test/fixtures/cases.txt pins what each case, and each general fix, needs and changes: `CODE: NAME, …`. A name is written as in the text of the
// case; also `[NAME.value]` for a value in an optional part. Each case is chosen with its facts, and not without one of them or against a rule
// of fixes.

const other = 'https://other.test/'
const fieldOf = (target: Target): ChangeableField =>
  target === 'address' ? 'metadataEndpoint' : target === 'audience' ? 'serviceAudiences.keyVault' : target

interface Facts {
  readonly known: Readonly<Record<string, string | undefined>>
  readonly proven?: string | undefined
  readonly address?: string | undefined
}

const findingOf = (code: string) => findings[code as keyof typeof findings]

/** The text of the case that is chosen for facts. */
function chosen(code: string, { known, proven, address }: Facts): string | undefined {
  const run: RunFacts = {
    proven: proven === undefined ? {} : { [fieldOf(proven as Target)]: 'the proof' },
    endpoint: { address, field: 'metadataEndpoint', audienceField: 'serviceAudiences.keyVault' },
    nameOf: (field) => field,
    changeOf: (field, value) => ({ variable: field, ...(value === undefined ? {} : { value }) }),
    ownerOf: (value) => (value === other ? 'Other' : undefined),
  }
  const words = { name: 'the host', at: 'the host', application: 'of PLATFORM_CLIENT_ID' }
  return chooseCase(findingOf(code), { known: { ...words, ...known }, run, subject: { name: 'the host' } })
}

/** The row of a case. */
function rowOf(code: string, fix: string): string {
  const { conditions, changes, value } = claimsOf(fix)
  const all = [
    ...conditions.filter((name) => !['name', 'at', 'application'].includes(name)),
    ...(changes === undefined ? [] : [`${changes}.change`]),
    ...(value === undefined || conditions.includes(`${value}.value`) ? [] : [`[${value}.value]`]),
  ]
  return `${code}: ${[...new Set(all)].toSorted().join(', ')}`
}

const rows = readFileSync(new URL('../../fixtures/cases.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

/** The facts of a row, with the nth of several values, and each change of them that rules the case out. */
function factsOf(names: readonly string[], nth: number): { readonly facts: Facts; readonly almost: readonly Facts[] } {
  let facts: Facts = { known: {} }
  const without: ((given: Facts) => readonly Facts[])[] = []
  const know = (name: string, value: string, ...wrong: readonly (string | undefined)[]) => {
    facts = { ...facts, known: { ...facts.known, [name]: value } }
    without.push((given) => wrong.map((each) => ({ ...given, known: { ...given.known, [name]: each } })))
  }
  for (const name of names) {
    const [of = '', part = ''] = name.replaceAll(/[[\]]/g, '').split(/[.=]/)
    if (name.includes('=')) {
      const all = name.slice(of.length + 1).split('|')
      know(of, all[nth % all.length] ?? '', undefined, 'another')
    } else if (part === 'open') {
      const later = layers.slice(layers.indexOf(of as Layer))
      without.push((given) => later.map((passed) => ({ ...given, known: { ...given.known, passed } })))
    } else if (part === 'proof') {
      facts = { ...facts, proven: of }
      without.push((given) => [{ ...given, proven: undefined }])
    } else if (part === 'cloud') know(of, other, undefined, 'https://own.test/')
    else if (name.startsWith('[')) without.push((given) => [{ ...given, known: { ...given.known, [of]: other } }])
    else if (part === 'value') know(of, 'value', undefined, other)
    else if ((part !== 'setting' && part !== 'change') || of === 'variable' || of === 'noProxy') {
      know(of, facts.known[of] ?? 'value', undefined)
    } else {
      if (of === 'address') facts = { ...facts, address: 'the address' }
      without.push((given) => [
        { ...given, proven: of },
        ...(of === 'address' ? [{ ...given, address: undefined }] : []),
      ])
    }
  }
  return { facts, almost: without.flatMap((each) => each(facts)) }
}

const pinned = new Set<string>()

test.each(rows)('%s', (row) => {
  const [code = '', names = ''] = row.split(/: ?(.*)/)
  const found = (facts: Facts) => {
    const fix = chosen(code, facts)
    return fix && [rowOf(code, fix), fix]
  }
  const wanted = [row, expect.any(String)]
  for (let nth = 0; nth < 6; nth++) {
    const { facts, almost } = factsOf(names === '' ? [] : names.split(', '), nth)
    expect(found(facts)).toEqual(wanted)
    pinned.add(found(facts)?.[1] ?? '')
    for (const each of almost) expect(found(each)).not.toEqual(found(facts))
  }
})

test('the table has every case, and every general fix that changes or blames something', () => {
  const all = Object.entries(findings).flatMap(([code, { cases = [], fix }]) =>
    [...cases, fix].map((each) => [each, rowOf(code, each)] as const),
  )
  const missing = [...new Map(all.toReversed())].filter(([fix, row]) => !pinned.has(fix) && !row.endsWith(': '))
  expect(missing.map(([, row]) => row)).toEqual([])
})
