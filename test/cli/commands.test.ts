import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import widthOf from 'fast-string-width'
import { describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/command-line.ts'
import { resolveCloudProfile } from '../../src/lib/cloud.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { profileDocument } from '../support/profile-document.ts'
import { runCommand, runInProcess, type InProcess } from './run-in-process.ts'

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

  test('has the npm scripts of package.json', () => {
    const text = readFileSync(join(repository, 'package.json'), 'utf8')
    const { scripts } = JSON.parse(text) as { scripts: Record<string, string> }
    const called = Object.entries(scripts).filter(([, script]) => script.startsWith('node src/cli/'))
    const rows = Object.entries(commands).filter(([, { script }]) => script === true)
    expect(Object.fromEntries(called)).toEqual({
      profile: 'node src/cli/from-sources.js',
      ...Object.fromEntries(rows.map(([name]) => [name, `node src/cli/from-sources.js ${name}`])),
    })
  })

  test('of the repository has a short help for each script', () => {
    const { stdout } = spawnSync(process.execPath, ['scripts/main.ts', 'help'], { cwd: repository, encoding: 'utf8' })
    for (const name of 'dev check build release func generate'.split(' '))
      expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
  })

  test.each(names)(
    '%s has --help and -h with examples, which run nothing, and refuses an unknown option',
    async (name) => {
      const long = await runInProcess([name, '--help'])
      expect(long).toMatchObject({ code: 0, stderr: '', stdout: /^Usage: npm run / })
      expect(long.stdout).toMatch(/^Examples:\n {2}\S.*\n {2}\S.*\n/m)
      expect(long.stdout).toMatch(/--no-color/)
      for (const words of [
        [name, '-h'],
        ['help', name],
      ])
        expect(await runInProcess(words)).toEqual(long)
      const message = /^Unknown option '--no-such-option'/
      await expect(runInProcess([name, '--no-such-option'])).rejects.toMatchObject({ name: 'UsageError', message })
    },
  )
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

test.each(['check', 'drift', 'smoke-test'])(
  '%s has colors on a terminal, and not with NO_COLOR, with --no-color or in a pipe',
  async (command) => {
    const file = temp.write('colorless.json', profileDocument({ authorityHost: 'x' }))
    const args = [command, ...(command === 'check' ? [file] : ['--profile', file])]
    const isColored = async (more: readonly string[], options: InProcess) =>
      (await runCommand([...args, ...more], options)).stdout.includes('\u001b[3')
    expect(await isColored([], { columns: 100 })).toBe(command !== 'drift')
    expect(await isColored(['--no-color'], { columns: 100 })).toBe(false)
    expect(await isColored([], { columns: 100, env: { NO_COLOR: '1' } })).toBe(false)
    expect(await isColored([], { env: { FORCE_COLOR: '1' } })).toBe(false)
  },
)

describe('completion', () => {
  test('of bash knows commands, options and values', async () => {
    const { stdout } = await runCommand(['completion', 'bash'])
    const script = `${stdout}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _cloud_profile; echo "\${COMPREPLY[@]}"`
    const complete = (...words: readonly string[]) =>
      spawnSync('bash', ['-c', script, '-', 'cloud-profile', ...words], { encoding: 'utf8' }).stdout.trim()
    expect(complete('sm')).toBe('smoke-test')
    expect(complete('smoke-test', '--format', '')).toBe('text json junit')
    expect(complete('explain', '--no')).toBe('--no-color')
    expect(complete('explain', '--cloud', 'platform-comm')).toBe('platform-commercial')
    expect(complete('discover', '--output', '')).toBe('')
  })

  test.each(['zsh', 'fish'])('of %s names every command', async (shell) => {
    const { stdout } = await runCommand(['completion', shell])
    for (const name of names) expect(stdout).toContain(name)
  })
})

test('under npm a relative path is read from the current folder, and a missing file shown with its absolute path', () => {
  temp.write('here/mine.json', resolveCloudProfile({ name: 'platform-us-government', env: {} }))
  const here = join(temp.path, 'here')
  const env = { ...process.env, INIT_CWD: here, npm_lifecycle_event: 'profile' }
  const check = (file: string) =>
    spawnSync(process.execPath, ['src/cli/from-sources.js', 'check', file], { cwd: repository, encoding: 'utf8', env })
  expect(check('mine.json')).toMatchObject({ status: 0 })
  expect(check('missing.json').stdout).toContain(join(here, 'missing.json'))
})
