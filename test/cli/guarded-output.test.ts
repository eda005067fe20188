import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { offline } from '../support/environment.ts'
import { missing } from '../lib/export/missing.ts'
import { useProcesses } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { commandLine, inBuiltProject, startCommand } from '../support/start-command.ts'

const { run, start } = useProcesses()
const full = '/dev/full'
const line = (args: string) => `"$NODE" ${commandLine} ${args}`

/** A line for a shell, as a person would type it. */
const inShell = (script: string) =>
  run(['-c', script], { command: 'bash', cwd: repository, env: { NODE: process.execPath } })

describe.skipIf(!existsSync(full))('Readers that stop, and disks that are full', () => {
  test.each([
    ['--help | true', 0],
    ['explain | head -1', 0],
    ['smoke-test --all | true', 0],
    ['smoke-test --all --strict | true', 1],
    ['check /missing.json | true', 1],
    ['--no-such-command 2>&1 | true', 2],
  ])('%s: no noise, and the exit code stays that of the command', async (args, expected) => {
    const { stdout, stderr } = await inShell(`${line(args)}; echo "exit \${PIPESTATUS[0]}"`)
    expect(stderr).toBe('')
    expect(stdout).toMatch(new RegExp(`exit ${expected}\\n$`))
  })

  test.each(['--help', 'smoke-test --all', 'export env', 'explain --format json', 'check package.json'])(
    '%s > /dev/full: one message and exit code 3, for nobody got the results',
    async (args) => {
      const { code, stderr } = await inShell(`${line(args)} > ${full}`)
      expect(code).toBe(3)
      expect(stderr).toMatch(/(^|\n)The results could not be written to stdout \(ENOSPC\)\n$/)
      expect(stderr).not.toMatch(/^\s+at /m)
    },
  )

  test.each([
    ['smoke-test --all --no-such-option', 2],
    ['explain', 0],
    ['smoke-test --all --strict', 1],
  ])('%s 2> /dev/full: the exit code is that of the command', async (args, expected) => {
    expect((await inShell(`${line(args)} 2> ${full}`)).code).toBe(expected)
  })
})

describe.skipIf(missing('python3', '--version') !== '')('A pipe that does not wait, with a reader that is slow', () => {
  const folder = useTemporaryDirectory()
  // More than a pipe holds.
  const files = () => Array.from({ length: 300 }, (_, at) => `"${folder.write(`${at}.json`, '"x"')}"`).join(' ')
  const nonBlocking = `python3 -c 'import os; os.set_blocking(1, False)'`

  test.each([
    ['gets all of it', 'cat', 1],
    ['may have seen enough', 'head -c 70000', 1],
  ])('%s, and the exit code stays that of the command', async (_what, reader, expected) => {
    const command = line(`check --format sarif ${files()}`)
    const whole = (await inShell(command)).stdout
    const { stdout, stderr } = await inShell(
      `{ ${nonBlocking}; ${command}; echo "exit $?" >&2; } | { sleep 0.5; ${reader}; }`,
    )
    expect(stderr).toBe(`exit ${expected}\n`)
    expect(stdout).toBe(reader === 'cat' ? whole : whole.slice(0, 70_000))
  })
})

describe.skipIf(!existsSync(full))('A service whose log can be written nowhere', () => {
  test.each([
    ['a full disk', `2> ${full}`],
    ['a reader of both streams that is gone', '2>&1 | head -1'],
    ['a full disk on both streams', `> ${full} 2>&1`],
  ])('with %s, it goes on serving', async (_name, redirect) => {
    const probe = start([
      '-e',
      'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })',
    ])
    const port = Number((await probe.ended).stdout)
    const { cwd, env } = inBuiltProject({ ...offline, PORT: String(port), PLATFORM_LOG_LEVEL: 'verbose' })
    const command = [`"$NODE"`, ...startCommand].join(' ')
    const service = start(['-c', `${command} ${redirect}`], {
      command: 'bash',
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...env, NODE: process.execPath },
      group: true,
    })
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    await expect.poll(() => ask('/api/health').catch(() => 0)).toBe(200)
    for (let round = 0; round < 3; round += 1) expect(await ask('/api/diagnostics')).toBe(200)
    expect(await ask('/api/health')).toBe(200)
    service.signal('SIGTERM')
    await service.ended
  })
})
