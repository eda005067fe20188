import { chmodSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findFunc } from '../../scripts/func.ts'
import { occupyPort } from '../support/free-port.ts'
import { useProcesses } from '../support/processes.ts'
import { inBuiltProject } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()

/** A stand-in for the Functions host that says how it was called. */
const tool = temp.write(
  'func',
  `#!${process.execPath}
const { FUNCTIONS_WORKER_RUNTIME: runtime, AzureWebJobsDisableHomepage: homepageIsOff, FUNC_ENDS_WITH, FUNC_SERVES } = process.env
process.stdout.write(JSON.stringify({ args: process.argv.slice(2), runtime, homepageIsOff }))
process.exitCode = Number(FUNC_ENDS_WITH)
if (FUNC_SERVES !== undefined) {
  const headers = FUNC_SERVES === 'health' ? { 'content-type': 'application/health+json' } : {}
  const server = require('node:http').createServer((request, response) => response.writeHead(200, headers).end('{}'))
  server.listen(Number(process.argv[4]), '127.0.0.1')
  setTimeout(() => process.exit(), 2500)
}
`,
)
chmodSync(tool, 0o755)

const func = (args: readonly string[], more: object = {}) => {
  const env = { PATH: `${temp.path}:/usr/bin:/bin`, FUNC_ENDS_WITH: '0', ...more }
  return run(['scripts/main.ts', 'func', ...args], inBuiltProject(env))
}

describe.skipIf(process.platform === 'win32')('npm run func', () => {
  test.each([
    ['on PORT, with further arguments', ['--', '--verbose'], { PORT: '1' }, ['start', '--port', '1', '--verbose']],
    ['on the short port of its arguments', ['--', '-p', '77'], { PORT: 'x' }, ['start', '-p', '77']],
  ])('starts the real host %s, as an app in Node', async (_name, args, env, expected) => {
    const { code, stdout, stderr } = await func(args, env)
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({ args: expected, runtime: 'node', homepageIsOff: 'true' })
  })

  test('says where the page is once the app has loaded, not when only the host responds', async () => {
    const free = await occupyPort()
    const port = String(free.port)
    free.close()
    const served = (kind: string) => func([], { PORT: port, FUNC_SERVES: kind })
    expect((await served('health')).stderr).toMatch(new RegExp(`^The page: http://localhost:${port}/ `))
    expect((await served('homepage')).stderr).toBe('')
  })

  test('a host that fails is a failure, and one that is not installed is one message with the fix', async () => {
    expect((await func([], { FUNC_ENDS_WITH: '7' })).code).toBe(1)
    const stderr = /^Cannot start the Functions host \(ENOENT\)\. .*npm start.*\n$/
    expect(await func([], { PATH: '/nowhere' })).toMatchObject({ code: 2, stderr })
  })
})

const installer = String.raw`C:\npm\func.exe`
const scriptOf = (folder: string) => String.raw`${folder}\azure-functions-core-tools\lib\main.js`
const ofNpm = [scriptOf(String.raw`C:\npm\node_modules`), scriptOf(String.raw`C:\app\node_modules`)] as const

test.each([
  ['the program of its installer', [installer], { file: installer, first: [] }],
  ['the script of npm, whose batch file no process starts', [ofNpm[0]], { file: process.execPath, first: [ofNpm[0]] }],
  ['the script of a package', [ofNpm[1]], { file: process.execPath, first: [ofNpm[1]] }],
  ['no program of the current folder', ['func.exe', String.raw`.\func.exe`], undefined],
])('on Windows func is %s', (_what, present, found) => {
  const env = { Path: String.raw`.;C:\npm;C:\app\node_modules\.bin` }
  const isProgram = (path: string) => present.includes(path)
  expect(findFunc(env, { platform: 'win32', isProgram })).toEqual(found)
})
