import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { grammarParser } from '../../support/grammar-parser.ts'
import { repository } from '../../support/project-copy.ts'
import { writeReleaseFolder } from '../../support/release-folder.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const script = join(repository, 'scripts/release/files/verify.ps1')
const temp = useTemporaryDirectory()

test('verify.ps1 is PowerShell by its grammar, in ASCII, which PowerShell 5 reads without a byte order mark', async () => {
  const parser = await grammarParser('powershell')
  const text = readFileSync(script, 'utf8')
  const tree = parser.parse(text)
  expect(tree?.rootNode.hasError).toBe(false)
  expect(parser.parse(`${text}\nif ( {`)?.rootNode.hasError).toBe(true)
  expect(text).toMatch(/^[\x20-\x7e\n]+$/)
})

test('verify.ps1 and verify.sh have the same messages', () => {
  const messages = (name: string) =>
    new Set(
      readFileSync(join(dirname(script), name), 'utf8').match(
        /\b(?:CHANGED|LINK|MISSING|UNKNOWN|UNREADABLE)\b|(?<=')[A-Z][^'\n]*[.:](?=')/g,
      ),
    )
  const shared = [...messages('verify.sh')].filter(
    (message) => !/shasum|CERTIFICATE|SHA256SUMS\.p7s is not/.test(message),
  )
  expect(shared.length).toBeGreaterThan(7)
  expect([...messages('verify.ps1')]).toEqual(expect.arrayContaining(shared))
})

const powershell = ['pwsh', 'powershell'].find((name) => spawnSync(name, ['-Version']).status === 0)

test.skipIf(powershell === undefined)(
  `verify.ps1 accepts a release and refuses a changed one${powershell === undefined ? ' [skipped: PowerShell is not installed]' : ''}`,
  () => {
    const folder = join(temp.path, 'release')
    writeReleaseFolder(folder)
    const verify = () => spawnSync(powershell ?? '', ['-File', join(folder, 'verify.ps1')], { encoding: 'utf8' })
    expect(verify()).toMatchObject({ status: 0 })
    appendFileSync(join(folder, 'README.md'), 'x')
    mkdirSync(join(folder, 'package'))
    expect(verify()).toMatchObject({
      status: 1,
      stderr: /CHANGED {2}README\.md[^]*UNKNOWN {2}package\//,
    })
  },
)
