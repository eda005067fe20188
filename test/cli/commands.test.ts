import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import widthOf from 'fast-string-width'
import { describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/command-line.ts'
import { resolveCloudProfile } from '../../src/lib/cloud.ts'
import { useProcesses } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'
import { commandLine } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { profileDocument } from '../support/profile-document.ts'
import { runCommand, type InProcess } from './run-command.ts'

const temp = useTemporaryDirectory()
const { run } = useProcesses()
const names = Object.keys(commands)

/** The widest line, as a screen shows it. A progress line is written over itself. */
const widest = (text: string) =>
  Math.max(
    ...stripVTControlCharacters(text)
      .split(/\r|\n/)
      .map((line) => widthOf(line)),
  )

describe('The table of commands', () => {
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

  test.each(names)(
    '%s has --help and -h with examples, which run nothing, and refuses an unknown option',
    async (name) => {
      const long = await runCommand([name, '--help'])
      expect(long).toMatchObject({ code: 0, stderr: '', stdout: /^Usage: npm run / })
      expect(long.stdout).toMatch(/^Examples:\n {2}\S.*\n {2}\S.*\n/m)
      expect(long.stdout).toMatch(/--no-color/)
      for (const words of [
        [name, '-h'],
        ['help', name],
      ])
        expect(await runCommand(words)).toEqual(long)
      const stderr = /^Unknown option '--no-such-option'/
      expect(await runCommand([name, '--no-such-option'])).toMatchObject({ code: 2, stderr })
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
    ['settings', '--all'],
    ['check', long, temp.write('broken.json', profileDocument({ authorityHost: 'x'.repeat(200) }))],
    ['smoke-test', '--all'],
    ['smoke-test', '--all', '--verbose'],
  ]

  test.each([80, 40])('%i columns', async (columns) => {
    for (const args of lines) {
      const { stdout, stderr } = await runCommand(args, { columns })
      const printed = `${stdout}\n${stderr}`
      expect([args, widest(printed) > columns ? printed : '']).toEqual([args, ''])
    }
  })

  test('COLUMNS wins, and without a terminal nothing is broken or left out', async () => {
    const args = ['explain', '--profile', long, '--all']
    expect(widest((await runCommand(args, { columns: 200, env: { COLUMNS: '50' } })).stdout)).toBeLessThanOrEqual(50)
    const { stdout } = await runCommand(args)
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

  test('of fish knows the options of each command, and their values', async () => {
    const { stdout } = await runCommand(['completion', 'fish'])
    const options = `complete -c cloud-profile -n '__fish_seen_subcommand_from smoke-test' -l`
    for (const option of [`format -x -a 'text json junit' -d`, 'profile -r -d', 'strict -d'])
      expect(stdout).toContain(`${options} ${option}`)
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

describe('the command line', () => {
  test('version and --version print the version', async () => {
    const printed = await runCommand(['version'])
    expect(printed).toMatchObject({ code: 0, stdout: /^\d+\.\d+\.\d+\n$/ })
    expect(await runCommand(['--version'])).toEqual(printed)
  })

  test.each<[string, string[], RegExp]>([
    ['no command', [], /^Usage: npm run profile/],
    ['an unknown command', ['exprt'], /^Unknown command "exprt"\. Did you mean export\?/],
    ['a file that is missing', ['export', 'env', '--profile', '/missing.json'], /"\/missing\.json" does not exist/],
  ])('%s ends with one readable message and 2', async (_name, args, message) => {
    const ended = await run([commandLine, ...args])
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: message })
    expect(ended.stderr).not.toMatch(/^\s+at /m)
  })

  test.each<[string, string[], RegExp]>([
    ['an unknown export format', ['export', 'terrafrom'], /^Unknown format "terrafrom"\. Did you mean terraform\?/],
    ['a command of Object', ['constructor'], /^Unknown command "constructor"\./],
    ['no export format', ['export'], /^Name one format: env, az, az-json/],
    ['two export formats', ['export', 'az', 'env'], /^Name one format/],
    ['an unknown report format', ['check', '--format', 'yaml', 'x'], /^--format must be one of text, json, but/],
    ['nothing to check', ['check'], /Name at least one profile file/],
    ['an unknown cloud', ['explain', '--cloud', 'platform-comercial'], /Did you mean platform-commercial\?/],
    ['a cloud and a file', ['explain', '--cloud', 'platform-commercial', '--profile', 'x'], /not both/],
    ['an empty file name', ['explain', '--profile', ' '], /needs the path of a file/],
    ['two endpoints', ['discover', 'https://a.test', 'https://b.test'], /Give one resource manager endpoint/],
    ['an empty name', ['discover', 'https://a.test', '--name', ' '], /--name needs a name/],
    ['a misspelled option', ['drift', '--formt', 'json'], /^Unknown option '--formt'\. Did you mean '--format'\?/],
    ['an option without its value', ['drift', '--format'], /--format/],
    ['--json, as other tools say it', ['check', '--json', 'x'], /Did you mean '--format json'\?/],
    ['a word of other tools', ['list'], /Did you mean clouds\?/],
    ['a short format', ['export', 'tf'], /Did you mean terraform\?/],
    ['-o json', ['check', '-o', 'json'], /Did you mean '--format json'\?/],
    ['a version with an argument', ['version', '--json'], /takes no arguments/],
  ])('%s is a usage error', async (_name, args, message) => {
    expect(await runCommand(args)).toMatchObject({ code: 2, stderr: message })
  })
})
