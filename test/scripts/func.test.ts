import { chmodSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { useProcesses } from '../support/processes.ts'
import { inBuiltProject } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()

/** A stand-in for the Functions host that says how it was called. */
const tool = temp.write(
  'func',
  `#!${process.execPath}
const { FUNCTIONS_WORKER_RUNTIME: runtime, AzureWebJobsDisableHomepage: homepageIsOff, FUNC_ENDS_WITH } = process.env
process.stdout.write(JSON.stringify({ args: process.argv.slice(2), runtime, homepageIsOff }))
process.exitCode = Number(FUNC_ENDS_WITH)
`,
)
chmodSync(tool, 0o755)

const func = (args: readonly string[], more: object = {}) => {
  const env = { PATH: `${temp.path}:/usr/bin:/bin`, FUNC_ENDS_WITH: '0', ...more }
  return run(['scripts/main.ts', 'func', ...args], inBuiltProject(env))
}

describe.skipIf(process.platform === 'win32')('npm run func', () => {
  test.each([
    ['on PORT, after further arguments', ['--', '--verbose'], { PORT: '77' }, ['start', '--verbose', '--port', '77']],
    ['on the port of its arguments first', ['--', '-p', '77'], { PORT: '78' }, ['start', '-p', '77', '--port', '78']],
  ])('starts the real host %s, as an app in Node, and says where the page is', async (_name, args, env, expected) => {
    const { code, stdout, stderr } = await func(args, env)
    expect([code, stderr]).toEqual([0, expect.stringContaining('open it with one')])
    expect(JSON.parse(stdout)).toEqual({ args: expected, runtime: 'node', homepageIsOff: 'true' })
  })

  test('a host that fails is a failure, and one that is not installed is one message with the fix', async () => {
    expect((await func([], { FUNC_ENDS_WITH: '7' })).code).toBe(1)
    const stderr = /^Cannot start the Functions host \(ENOENT\)\. .*npm start.*\n$/
    expect(await func([], { PATH: '/nowhere' })).toMatchObject({ code: 2, stderr })
  })
})
