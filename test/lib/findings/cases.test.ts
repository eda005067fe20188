import { describe, expect, test } from 'vitest'
import { findings } from '../../../src/lib/findings/catalog.ts'
import { chooseCase } from '../../../src/lib/findings/choose-case.ts'
import {
  type Case,
  type ChangeableField,
  type Layer,
  layers,
  type RunFacts,
  type Target,
} from '../../../src/lib/findings/finding.ts'

// Each case is chosen with the facts that it needs, and not without any one of them, whatever the code.

const other = 'https://other.test/'
const fieldOf = (target: Target): ChangeableField =>
  target === 'address' ? 'metadataEndpoint' : target === 'audience' ? 'serviceAudiences.keyVault' : target

interface Draft {
  readonly known: Readonly<Record<string, string | undefined>>
  readonly proven?: Target | undefined
  readonly passed?: Layer
}

/** The case that is chosen for facts, and the run that they come from. */
const chosen = (code: string, { known, proven, passed }: Draft): Case | undefined => {
  const finding = findings[code as keyof typeof findings]
  const run: RunFacts = {
    proven: proven === undefined ? {} : { [fieldOf(proven)]: 'the proof' },
    endpoint: { field: 'metadataEndpoint', audienceField: 'serviceAudiences.keyVault', passed },
    nameOf: (field) => field,
    changeOf: (field, value) => ({ variable: field, ...(value === undefined ? {} : { value }) }),
    ownerOf: (value) => (value === other ? 'Other' : undefined),
  }
  return chooseCase(finding, { known, run, subject: undefined })
}

/** The facts with which a case applies. Of several values of one fact, the first. */
function factsOf({ needs = [], is = {}, foreign, ifProven }: Case): Draft {
  const fixed = Object.entries(is).map(([name, values]) => [name, [values].flat()[0]])
  const needed = needs.map((name) => [name, 'value'])
  const known = Object.fromEntries([...needed, ...fixed, ...(foreign === undefined ? [] : [[foreign, other]])])
  return { known, proven: ifProven }
}

/** The facts of a case, each time with one change that rules it out. */
function almost(each: Case): readonly (readonly [what: string, draft: Draft])[] {
  const draft = factsOf(each)
  const { needs = [], is = {}, foreign, ifProven, sets, corrects = [], value, blames } = each
  const changed = typeof sets === 'object' && 'field' in sets ? [...corrects, sets.field] : corrects
  const without = (name: string, more?: string) => ({ ...draft, known: { ...draft.known, [name]: more } })
  return [
    ...[...needs, ...Object.keys(is)].map((name) => [`without ${name}`, without(name)] as const),
    ...Object.keys(is).map((name) => [`with another ${name}`, without(name, 'another')] as const),
    ...(foreign === undefined ? [] : [[`with an own ${foreign}`, without(foreign, 'https://own.test/')] as const]),
    ...(ifProven === undefined ? [] : [[`without a proof of ${ifProven}`, { ...draft, proven: undefined }] as const]),
    ...changed.map((field) => [`with a proven ${field}`, { ...draft, proven: field }] as const),
    ...(value === undefined ? [] : [[`with ${value} of another cloud`, without(value, other)] as const]),
    ...(blames === undefined
      ? []
      : layers
          .slice(layers.indexOf(blames))
          .map((passed) => [`after ${passed} passed`, { ...draft, passed }] as const)),
  ]
}

const cases = Object.entries(findings).flatMap(([code, { cases: own = [] }]) =>
  own.map((each, index) => [`${code} ${index}`, code, each] as const),
)

test('there are cases', () => expect(cases.length).toBeGreaterThan(150))

describe.each(cases)('case %s', (_name, code, each) => {
  test('is chosen with its facts, and with each of several values', () => {
    const draft = factsOf(each)
    expect(chosen(code, draft)).toBe(each)
    for (const [name, values] of Object.entries(each.is ?? {}))
      for (const value of [values].flat())
        expect(chosen(code, { ...draft, known: { ...draft.known, [name]: value } })).toBe(each)
  })

  test('is not chosen without one of them, nor against a rule of fixes', () => {
    expect(
      almost(each)
        .filter(([, draft]) => chosen(code, draft) === each)
        .map(([what]) => what),
    ).toEqual([])
  })
})
