import { describe, expect, test } from 'vitest'
import { runInProcess } from './run-in-process.ts'
import { useProfileCommand } from './run-profile.ts'

const runProfile = useProfileCommand()

describe('the command line', () => {
  test('the help goes to stdout', async () => {
    const stdout = /^Usage: npm run profile -- /
    expect(await runProfile(['--help'])).toMatchObject({ code: 0, stdout, stderr: '' })
  })

  test('version and --version print the version', async () => {
    const printed = await runInProcess(['version'])
    expect(printed).toMatchObject({ code: 0, stdout: /^\d+\.\d+\.\d+\n$/ })
    expect(await runInProcess(['--version'])).toEqual(printed)
  })

  test.each<[string, string[], RegExp]>([
    ['no command', [], /^Usage: npm run profile/],
    ['an unknown command', ['exprt'], /^Unknown command "exprt"\. Did you mean export\?/],
    ['a file that is missing', ['export', 'env', '--profile', '/missing.json'], /"\/missing\.json" does not exist/],
  ])('%s ends with one readable message and 2', async (_name, args, message) => {
    const ended = await runProfile(args)
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: message })
    expect(ended.stderr).not.toMatch(/^\s+at /m)
  })

  test.each<[string, string[], RegExp]>([
    ['an unknown export format', ['export', 'terrafrom'], /^Unknown format "terrafrom"\. Did you mean terraform\?/],
    ['a name of Object', ['export', 'constructor'], /^Unknown format "constructor"\./],
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
    ['an unknown option', ['drift', '--strict'], /^Unknown option '--strict'/],
    ['a misspelled option', ['drift', '--formt', 'json'], /^Unknown option '--formt'\. Did you mean '--format'\?/],
    ['an option without its value', ['drift', '--format'], /--format/],
    ['--json, as other tools say it', ['check', '--json', 'x'], /Did you mean '--format json'\?/],
    ['a word of other tools', ['list'], /Did you mean clouds\?/],
    ['a short format', ['export', 'tf'], /Did you mean terraform\?/],
    ['-o json', ['check', '-o', 'json'], /Did you mean '--format json'\?/],
    ['a version with an argument', ['version', '--json'], /takes no arguments/],
  ])('%s is a usage error', async (_name, args, message) => {
    await expect(runInProcess(args)).rejects.toMatchObject({ name: 'UsageError', message })
  })
})
