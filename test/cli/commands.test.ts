import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import widthOf from 'fast-string-width'
import { describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/command-line.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { profileDocument } from '../support/profile-document.ts'
import { runInProcess } from './run-in-process.ts'

const temp = useTemporaryDirectory()
const names = Object.keys(commands)

/** The widest line, as a screen shows it. A progress line is written over itself. */
const widest = (text: string) =>
  Math.max(
    ...stripVTControlCharacters(text)
      .split(/\r|\n/)
      .map((line) => widthOf(line)),
  )

describe('The table of commands', () => {
  test('has a row for each file of src/cli/commands, and no other', () => {
    const files = readdirSync(join(repository, 'src/cli/commands')).map((name) => name.replace('.ts', ''))
    expect(names.toSorted()).toEqual(files.toSorted())
  })

  test('is what every npm script calls that is no tool of others', () => {
    const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const called = Object.entries(scripts).filter(([, script]) => script.startsWith('node src/cli/'))
    const rows = Object.entries(commands).filter(([, { script }]) => script === true)
    expect(Object.fromEntries(called)).toEqual({
      profile: 'node src/cli/from-sources.js',
      ...Object.fromEntries(rows.map(([name]) => [name, `node src/cli/from-sources.js ${name}`])),
    })
  })

  test('of the repository has a short help for each script', () => {
    const { stdout } = spawnSync(process.execPath, ['scripts/main.ts', 'help'], { cwd: repository, encoding: 'utf8' })
    for (const name of 'dev check build package release func generate soak screenshots'.split(' '))
      expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
  })

  test.each(names)('%s has --help and -h, which run nothing, and refuses an unknown option', async (name) => {
    const [long, short, word] = await Promise.all([
      runInProcess([name, '--help']),
      runInProcess([name, '-h']),
      runInProcess(['help', name]),
    ])
    expect(long).toMatchObject({ code: 0, stderr: '', stdout: /^Usage: npm run / })
    expect(widest(long.stdout)).toBeLessThanOrEqual(80)
    expect(short).toEqual(long)
    expect(word).toEqual(long)
    await expect(runInProcess([name, '--no-such-option'])).rejects.toMatchObject({
      name: 'UsageError',
      message: /^Unknown option '--no-such-option'/,
    })
  })
})

describe('The text fits the terminal', () => {
  const long = temp.write('long.json', profileDocument({ notes: 'word '.repeat(60) + 'x'.repeat(300) }))
  const lines: readonly (readonly string[])[] = [
    ['--help'],
    ...names.map((name) => [name, '--help']),
    ['explain', '--profile', long, '--all'],
    ['explain', '--cloud', 'platform-us-gov-secret'],
    ['check', long, temp.write('broken.json', profileDocument({ authorityHost: 'x'.repeat(200) }))],
    ['smoke-test', '--all'],
    ['smoke-test', '--all', '--verbose'],
  ]

  test.each([80, 40])('%i columns', async (columns) => {
    for (const args of lines) {
      const { stdout, stderr } = await runInProcess(args, { columns })
      const printed = `${stdout}\n${stderr}`
      expect([args, widest(printed) > columns ? printed : '']).toEqual([args, ''])
    }
  })

  test('COLUMNS wins, and without a terminal nothing is broken or left out', async () => {
    const args = ['explain', '--profile', long, '--all']
    expect(widest((await runInProcess(args, { columns: 200, env: { COLUMNS: '50' } })).stdout)).toBeLessThanOrEqual(50)
    const { stdout } = await runInProcess(args)
    expect(stdout).toMatch(/^notes +(word ){60}x{300}$/m)
  })
})
