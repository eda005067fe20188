import { chmodSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findFunc } from '../../scripts/func.ts'
import { useProcesses } from '../support/processes.ts'
import { commandLine, inBuiltProject } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()

/** A stand-in for the Functions host that says how it was called. */
const tool = temp.write(
  'func',
  `#!${process.execPath}
process.stdout.write(JSON.stringify({ args: process.argv.slice(2), runtime: process.env.FUNCTIONS_WORKER_RUNTIME }))
process.exitCode = Number(process.env.FUNC_ENDS_WITH)
`,
)
chmodSync(tool, 0o755)

const func = (args: readonly string[], env: object = {}) =>
  run(
    [commandLine, 'func', ...args],
    inBuiltProject({ PATH: `${temp.path}:/usr/bin:/bin`, FUNC_ENDS_WITH: '0', ...env }),
  )

describe.skipIf(process.platform === 'win32')('npm run func', () => {
  test.each([
    ['on port 3000', [], { PORT: '' }, ['start', '--port', '3000']],
    ['on PORT', [], { PORT: '4567' }, ['start', '--port', '4567']],
    ['with what it is told besides', ['--', '--verbose'], { PORT: '1' }, ['start', '--port', '1', '--verbose']],
  ])('starts the real host %s, as an app in Node', async (_name, args, env, expected) => {
    const { code, stdout, stderr } = await func(args, env)
    expect(code).toBe(0)
    expect(stderr).toMatch(new RegExp(`^The page: http://localhost:${expected[2]}/ `))
    expect(JSON.parse(stdout)).toEqual({ args: expected, runtime: 'node' })
  })

  test('a host that fails is a failure', async () => {
    expect((await func([], { FUNC_ENDS_WITH: '7' })).code).toBe(1)
  })

  test('a host that is not installed is one message with the fix', async () => {
    const { code, stderr } = await func([], { PATH: '/nowhere' })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Cannot start the Functions host \(ENOENT\)\. .*npm start.*\n$/)
  })
})

describe('On Windows func is', () => {
  const find = (present: readonly string[]) =>
    findFunc(
      { Path: String.raw`.;C:\npm;C:\app\node_modules\.bin` },
      { platform: 'win32', isProgram: (path) => present.includes(path) },
    )

  test('the program of its installer', () => {
    expect(find([String.raw`C:\npm\func.exe`])).toEqual({ file: String.raw`C:\npm\func.exe`, first: [] })
  })

  test.each([
    String.raw`C:\npm\node_modules\azure-functions-core-tools\lib\main.js`,
    String.raw`C:\app\node_modules\azure-functions-core-tools\lib\main.js`,
  ])('%s of npm, which no shell starts', (script) => {
    expect(find([script])).toEqual({ file: process.execPath, first: [script] })
  })

  test('no program of the current folder', () => {
    expect(find(['func.exe', String.raw`.\func.exe`])).toBeUndefined()
  })
})
