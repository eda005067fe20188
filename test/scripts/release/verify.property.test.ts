import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fc, few } from '../../support/properties.ts'
import { releaseFiles, sumLine, writeReleaseFolder } from '../../support/release-folder.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()
const folder = join(temp.path, 'release')
const kept = [...Object.keys(releaseFiles), 'SHA256SUMS']

/** One thing that an attacker, or a careless copy, does to a folder. */
type Change = readonly [kind: 'file' | 'folder' | 'link' | 'append' | 'remove' | 'sums', name: string, text: string]

// The characters that shells, terminals and lists of names treat specially.
const name = fc
  .string({
    unit: fc.constantFrom(...Array.from('ab.-*?[]!\\ \'"$`~&;|<>(){}#=%\n\r\t\u001b\u007fé')),
    minLength: 1,
    maxLength: 6,
  })
  .filter((text) => text !== '.' && text !== '..')
const anyName = fc.oneof(
  name,
  fc.constantFrom(...kept, 'SHA256SUMS.p7s', 'sha256sums', 'readme.md', '..x', '-', '--help'),
)
const line = fc
  .tuple(
    anyName,
    fc.constantFrom('', 'x'),
    fc.constantFrom('  ', ' ', ' *', '\t'),
    fc.constantFrom('\n', '', '\r\n', '\n\n'),
  )
  .map(([path, content, gap, end]) => `${sumLine('', content).slice(0, 64)}${gap}${path}${end}`)
const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('file', 'folder', 'link', 'append', 'remove', 'sums'),
  anyName,
  fc.oneof(line, fc.constantFrom('', 'x', '\n', '\0', ' ')),
)

function apply([kind, target, text]: Change): void {
  const path = join(folder, target)
  const isFree = lstatSync(path, { throwIfNoEntry: false }) === undefined
  if (kind === 'file' && isFree) writeFileSync(path, text)
  if (kind === 'folder' && isFree) mkdirSync(path)
  if (kind === 'link' && isFree) symlinkSync(join(folder, 'README.md'), path)
  if (kind === 'append' && kept.includes(target) && !isFree) appendFileSync(path, text)
  // Without the script there is nothing to run.
  if (kind === 'remove' && target !== 'verify.sh') rmSync(path, { recursive: true, force: true })
  if (kind === 'sums') appendFileSync(join(folder, 'SHA256SUMS'), text)
}

/** The rule that verify.sh enforces, written a second time. */
function isRelease(): boolean {
  const entries = readdirSync(folder, { withFileTypes: true })
  if (!entries.every((entry) => entry.isFile()) || !entries.some((entry) => entry.name === 'SHA256SUMS')) return false
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'latin1')
  if (!/^(?:[0-9a-f]{64} {2}[0-9A-Za-z][0-9A-Za-z._-]*\n)+$/.test(sums)) return false
  const listed = sums
    .trimEnd()
    .split('\n')
    .map((each) => [each.slice(66), each.slice(0, 64)] as const)
  const names = listed.map(([path]) => path)
  const folded = names.map((each) => each.toLowerCase())
  const actual = entries.map((entry) => entry.name).filter((each) => each !== 'SHA256SUMS' && each !== 'SHA256SUMS.p7s')
  return (
    new Set(folded).size === folded.length &&
    !folded.some((each) => /^sha256sums(\.p7s)?$/.test(each)) &&
    JSON.stringify(names.toSorted()) === JSON.stringify(actual.toSorted()) &&
    listed.every(
      ([path, sum]) =>
        createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex') === sum,
    )
  )
}

describe.skipIf(process.platform === 'win32')('verify.sh', () => {
  test('accepts a folder exactly if its files are those of SHA256SUMS', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 3 }), (changes) => {
        writeReleaseFolder(folder)
        for (const each of changes) apply(each)
        // An invalid signature is refused, but not because of the files.
        rmSync(join(folder, 'SHA256SUMS.p7s'), { recursive: true, force: true })
        const { status, stderr } = spawnSync('sh', ['verify.sh'], { cwd: folder, encoding: 'utf8' })
        expect(status).toBe(isRelease() ? 0 : 1)
        expect(stderr === '').toBe(status === 0)
        expect(stderr).toMatch(/^[\x20-\x7e\n]*$/)
      }),
      few(60),
    )
  })
})
