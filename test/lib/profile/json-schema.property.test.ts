import { readFileSync } from 'node:fs'
import { Ajv, type AnySchemaObject } from 'ajv'
import { expect, test } from 'vitest'
import { fields } from '../../../src/lib/profile/field-path.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { fc } from '../../support/properties.ts'

const schemaFile = new URL('../../../cloud-profiles/schema.json', import.meta.url)
const validate = new Ajv().compile(JSON.parse(readFileSync(schemaFile, 'utf8')) as AnySchemaObject)

/** What is wrong by our own parser, a line each; nothing for a profile. */
function problemsOf(document: unknown): string[] {
  try {
    parseCloudProfile(document)
    return []
  } catch (error) {
    return String(error).split('\n').slice(1)
  }
}

/** Only code can tell these: a wrong port or escape, letters no host may have, a number for a last label, an absent field with a value. */
const onlyOurs =
  /Remove the name or the value| must be an absolute URL(?! without)| must be a DNS suffix that makes a host name/

const edges = ['', ' ', '\n', '/', '//', '.', '..', ':', '@', '?', '#', '\\', '\u0000', '\u202E', '\uFEFF', 'ä', '-']
const seeds = [
  'https://host.example/',
  'http://host.example:8443/a/b/',
  'api://x/',
  'https://[::1]/',
  'https://user:pw@host.example/',
  'https://host.example/?a=b#c',
  '.blob.core.example',
  '.a-b.c',
  'adfs',
  'constructor',
  'custom',
  '11111111-2222-3333-4444-555555555555',
]

const piece = fc.oneof(fc.constantFrom(...edges, ...seeds), fc.string({ unit: 'grapheme', maxLength: 6 }))
const words = fc.oneof(
  fc.constantFrom(...edges, ...seeds),
  fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')),
  fc
    .tuple(piece, fc.constantFrom(255, 256, 257, 2040, 2048, 2049, 16_385))
    .map(([start, length]) => start.padEnd(length, 'x')),
)
const values = fc.oneof({ weight: 8, arbitrary: words }, fc.jsonValue({ maxDepth: 2 }))

/** A profile with some of its fields, groups and what no profile has replaced by anything, or missing. */
const documents = fc
  .dictionary(
    fc.constantFrom(...fields.map(({ path }) => path), 'unknown', 'toString', 'serviceAudiences.unknown'),
    fc.option(values, { nil: undefined, freq: 6 }),
    { minKeys: 1, maxKeys: 4 },
  )
  .map((replaced) => JSON.parse(JSON.stringify(profileDocument(replaced))) as unknown)

test('schema.json and the parser say the same of any document, but for what only a URL parser can tell', () => {
  const verdicts = { accepted: 0, refused: 0 }
  fc.assert(
    fc.property(fc.oneof({ weight: 20, arbitrary: documents }, fc.jsonValue()), (document) => {
      const problems = problemsOf(document)
      const bySchema = validate(document) === true
      verdicts[bySchema ? 'accepted' : 'refused'] += 1
      const unexplained = problems.filter((problem) => !onlyOurs.test(problem))
      // Accepted: nothing is wrong but what the schema cannot tell. Refused: something is wrong.
      expect(bySchema ? unexplained : problems.length > 0).toEqual(bySchema ? [] : true)
    }),
    // `node scripts/main.ts fuzz` says itself for how long.
    process.env['FUZZ_SECONDS'] === undefined ? { numRuns: 1000 } : {},
  )
  // Neither side says the same of everything.
  expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(50)
})
