import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/command-line.ts'
import { resolveCloudProfile } from '../../src/lib/cloud.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { runCommand, type InProcess } from './run-in-process.ts'

const temp = useTemporaryDirectory()
const valid = resolveCloudProfile({ name: 'platform-us-government', env: {} })

test.each(Object.keys(commands))('the help of %s has two examples and --no-color', async (name) => {
  const { stdout } = await runCommand([name, '--help'])
  expect(stdout).toMatch(/^Examples:\n {2}\S.*\n {2}\S.*\n/m)
  expect(stdout).toMatch(/--no-color/)
})

test.each(['check', 'drift', 'smoke-test'])(
  '%s has colors on a terminal, and none with NO_COLOR, with --no-color or in a pipe',
  async (command) => {
    const file = temp.write('broken.json', { ...valid, authorityHost: 'x' })
    const args = [command, ...(command === 'check' ? [file] : ['--profile', file])]
    const isColored = async (more: readonly string[], options: InProcess) =>
      (await runCommand([...args, ...more], options)).stdout.includes('\u001b[3')
    expect(await isColored([], { columns: 100 })).toBe(command !== 'drift')
    expect(await isColored(['--no-color'], { columns: 100 })).toBe(false)
    expect(await isColored([], { columns: 100, env: { NO_COLOR: '1' } })).toBe(false)
    expect(await isColored([], { env: { FORCE_COLOR: '1' } })).toBe(false)
  },
)

describe('exit codes', () => {
  test.each([
    ['discover', (url: string) => ['discover', url]],
    ['drift', (url: string) => ['drift', '--profile', temp.write('live.json', { ...valid, metadataEndpoint: url })]],
  ])('a failed connection of %s is 1, and an address that is no URL 2', async (_, args) => {
    const failed = await runCommand(args(`http://127.0.0.1:9/`))
    expect(failed).toMatchObject({ code: 1, stderr: /METADATA_\w+: [^]*\nCause: [^]*\nFix: / })
    expect((await runCommand(args('no-url'))).code).toBe(2)
  })
})

describe('completion', () => {
  test('of bash knows commands, options and values', async () => {
    const { stdout } = await runCommand(['completion', 'bash'])
    const complete = (...words: readonly string[]) =>
      spawnSync(
        'bash',
        [
          '-c',
          `${stdout}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _cloud_profile; echo "\${COMPREPLY[@]}"`,
          '-',
          ...words,
        ],
        { encoding: 'utf8' },
      ).stdout.trim()
    expect(complete('cloud-profile', 'sm')).toBe('smoke-test')
    expect(complete('cloud-profile', 'smoke-test', '--format', '')).toBe('text json junit')
    expect(complete('cloud-profile', 'explain', '--no')).toBe('--no-color')
    expect(complete('cloud-profile', 'explain', '--cloud', 'platform-comm')).toBe('platform-commercial')
    expect(complete('cloud-profile', 'discover', '--output', '')).toBe('')
  })

  test.each(['zsh', 'fish'])('of %s names every command', async (shell) => {
    const { stdout } = await runCommand(['completion', shell])
    for (const name of Object.keys(commands)) expect(stdout).toContain(name)
  })
})

describe('under npm', () => {
  test('a relative path is read from where the person stands, and a missing file is shown with its absolute path', () => {
    mkdirSync(join(temp.path, 'here'))
    temp.write('here/mine.json', valid)
    const check = (file: string) =>
      spawnSync(process.execPath, ['src/cli/from-sources.js', 'check', file], {
        cwd: repository,
        encoding: 'utf8',
        env: { ...process.env, INIT_CWD: join(temp.path, 'here'), npm_lifecycle_event: 'profile' },
      })
    expect(check('mine.json')).toMatchObject({ status: 0 })
    expect(check('missing.json').stdout).toContain(join(temp.path, 'here', 'missing.json'))
  })
})
