import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from './support/project-copy.ts'

/** Phrases of our old private vocabulary, each with the word of the field. They match whole words in any letter case. */
const phrases: readonly (readonly [phrase: RegExp, word: string])[] = [
  [/glimpse[sd]?/, 'cached report'],
  [/headlines?/, 'root cause'],
  [/embedded host/, 'server, or local emulator'],
  [/login documents?/, 'OpenID configuration'],
  [/mend(s|ed|ing)?/, 'fix'],
  [/of (its|their|his|her|my|your|our) own/, 'separate'],
  [/as (it|they) stands?/, 'unchanged'],
  [/told (as|apart)/, 'reported as, distinguished'],
  [/that which/, 'what'],
  [/(?<!there |default )(is|are|was|be) none/, 'is not one'],
  [/look(s|ed)? at/, 'checked, or cached report'],
  [/the gap/, 'air-gapped installation'],
  [/leaves the house/, 'release'],
  [/odd (answer|end|field|claim|status|number)s?/, 'invalid'],
  [/(wrong|odd) answers?/, 'invalid response'],
  [/let (the|its) (operator|owner|administrator)s?/, 'ask the operator of HOST to …'],
  [/find out why/, 'ask why'],
  [/it beat|beaten/, 'overridden'],
  [/works with warnings/, 'Warning'],
  [/(is|are) over/, 'has expired, has finished'],
  [/go(es)? astray/, 'reach the wrong host'],
  [/goodForMs|lookedAt|reasonToKeep/, 'ttlMs, probeMatrix, reasonToWithhold'],
  [/for ever|misspelt|spelt|learnt|whilst|amongst/, 'forever, misspelled, spelled, learned, while, among'],
  [/(cata|ana)logues?|judgements?|cancell(ed|ing)|licences?|grey|artefacts?/, 'American spelling'],
  [/(behavi|col|fav|flav|hon|neighb)ours?(ed|ing)?/, 'American spelling'],
  [/(author|initial|minim|normal|optim|organ|recogn|serial|summar)is(e[ds]?|ing|ations?)/, 'American spelling'],
]

/** Sentences of the same dialect, in comments only. A list can't find a missing subject or reason: read each comment aloud. */
const sentences: typeof phrases = [
  [/(that|those) of/, 'the noun again, or the genitive'],
  [/(?<!there |default )(is|are) no (?!longer|more)\w+/, "isn't a …, or another verb"],
  [/so many \w+/, 'at most 5 bytes'],
  [/beside/, 'next to, with, in addition to'],
  [/lack(s|ed|ing)?|cannot be had/, "doesn't have, isn't available"],
  [/holds?(?= (a|an|no|the|at most|only)\b)/, 'contains, has'],
  [/(undefined`?|absent|nothing) where/, 'undefined if'],
]
const beginnings: typeof phrases = [[/^\W*Of /, 'For …, or a subject']]

const folders = ['docs', 'deploy', 'cloud-profiles', 'src', 'packages', 'scripts', 'test', 'bench']
const places = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...folders, 'build.ts', 'vitest.config.ts']

/** Generated from remote data or from another tool, so its words are not ours. */
const foreign = new Set(['test/fixtures', 'test/words.test.ts'])

function filesBelow(path: string): string[] {
  if (foreign.has(path) || path.endsWith('/node_modules')) return []
  const full = join(repository, path)
  if (statSync(full).isDirectory()) return readdirSync(full).flatMap((name) => filesBelow(join(path, name)))
  return /\.(md|ts|js|css|json|ya?ml|sh|service|timer)$|Dockerfile$/.test(path) ? [path] : []
}

/** The entries of CHANGELOG.md after the last release, without the table of renamed names. */
function unreleased(): string {
  const [, section = ''] =
    /^## 2\.0\.0 \(.*?\)$(.*?)^## \d/ms.exec(readFileSync(join(repository, 'CHANGELOG.md'), 'utf8')) ?? []
  return section.replaceAll(/^\|.*\|$/gm, '')
}

const wholeWords = (list: typeof phrases) =>
  list.map(([phrase, word]) => ({ pattern: new RegExp(String.raw`\b(?:${phrase.source})\b`, 'i'), word }))
const everywhere = wholeWords(phrases)
const inComments = [...wholeWords(sentences), ...beginnings.map(([pattern, word]) => ({ pattern, word }))]

/** The text of each line's comment, or an empty one. */
const commentOf = (line: string): string => /^\s*(?:\/\*\*?|\*(?!\/)|\/\/)\s?(.*)$/.exec(line)?.[1] ?? ''

function hitsIn(text: string, lineOf = (line: string) => line, patterns = everywhere): string[] {
  return text.split('\n').flatMap((line, index) =>
    patterns.flatMap(({ pattern, word }) => {
      const found = pattern.exec(lineOf(line))
      return found === null ? [] : [`${index + 1}: "${found[0]}" (use: ${word})`]
    }),
  )
}

describe('The words of the field', () => {
  test.each(places)('are in every text of %s', (place) => {
    const hits = filesBelow(place).flatMap((file) => {
      const text = readFileSync(join(repository, file), 'utf8')
      const ofComments = /\.(ts|js|css)$/.test(file) ? hitsIn(text, commentOf, inComments) : []
      return [...hitsIn(text), ...ofComments].map((hit) => `${file}:${hit}`)
    })
    expect(hits).toEqual([])
  })

  test('are in the unreleased entries of CHANGELOG.md', () => {
    expect(hitsIn(unreleased())).toEqual([])
  })
})
