import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { missing, skipped } from '../support/missing.ts'
import { useProcesses } from '../support/processes.ts'
import { repository } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { commandLine } from '../support/start-command.ts'

const { run } = useProcesses()
const full = '/dev/full'
const line = (args: string) => `"$NODE" ${commandLine} ${args}`

/** A line for a shell, as a person would type it. */
const inShell = (script: string) =>
  run(['-c', script], { command: 'bash', cwd: repository, env: { NODE: process.execPath } })

const withoutFull = skipped(!existsSync(full) && `there is no ${full}`)
const withoutPython = missing('python3', '--version')

describe.skipIf(withoutFull !== '')(`Readers that stop, and disks that are full${withoutFull}`, () => {
  test.each([
    ['explain | head -1', 0],
    ['smoke-test --all --strict | true', 1],
    ['--no-such-command 2>&1 | true', 2],
  ])('%s: no noise, and the exit code stays that of the command', async (args, expected) => {
    const { stdout, stderr } = await inShell(`${line(args)}; echo "exit \${PIPESTATUS[0]}"`)
    expect(stderr).toBe('')
    expect(stdout).toMatch(new RegExp(`exit ${expected}\\n$`))
  })

  test.each(['--help', 'export env'])('%s > /dev/full: one message and exit code 3', async (args) => {
    const { code, stderr } = await inShell(`${line(args)} > ${full}`)
    expect([code, stderr]).toEqual([3, /(^|\n)The results could not be written to stdout \(ENOSPC\)\n$/])
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('a full disk behind stderr: the exit code is that of the command', async () => {
    expect((await inShell(`${line('smoke-test --all --strict')} 2> ${full}`)).code).toBe(1)
  })
})

describe.skipIf(withoutPython !== '')(`A pipe that does not wait, with a reader that is slow${withoutPython}`, () => {
  const folder = useTemporaryDirectory()
  // More than fits into a pipe.
  const files = () => Array.from({ length: 300 }, (_, at) => `"${folder.write(`${at}.json`, '"x"')}"`).join(' ')
  const nonBlocking = `python3 -c 'import os; os.set_blocking(1, False)'`

  test('gets all of it or what it wants, and the exit code stays that of the command', async () => {
    const command = line(`check --format json ${files()}`)
    const whole = (await inShell(command)).stdout
    const slow = (reader: string) =>
      inShell(`{ ${nonBlocking}; ${command}; echo "exit $?" >&2; } | { sleep 0.5; ${reader}; }`)
    expect(await slow('cat')).toMatchObject({ stdout: whole, stderr: 'exit 1\n' })
    expect(await slow('head -c 70000')).toMatchObject({ stdout: whole.slice(0, 70_000), stderr: 'exit 1\n' })
  })
})
