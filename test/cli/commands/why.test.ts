import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useProcesses } from '../../support/processes.ts'
import { repository } from '../../support/project-copy.ts'
import { commandLine } from '../../support/start-command.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { runCommand } from '../run-command.ts'

const { run } = useProcesses()
const temp = useTemporaryDirectory()
const secret = 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA'

test.each([
  ['a code', ['why', 'AADSTS50049'], 0],
  ['a text of arguments', ['why', 'x509:', 'certificate', 'signed by unknown authority'], 0],
  ['a file', ['why', temp.write('log.txt', 'ENOTFOUND')], 0],
  ['an unknown text', ['why', 'hello', 'world'], 1],
])('exits by whether it knows the cause of %s', async (_, args, code) => {
  expect(await runCommand(args)).toMatchObject({ code, stderr: '' })
})

test('offers the nearest code for a mistyped one', async () => {
  const stdout = /^No known error\. Did you mean AUTHORITY_UNTRUSTED\?\n.*--cloud NAME/s
  expect(await runCommand(['why', 'AUTHORTY_UNTRUSTED'])).toMatchObject({ code: 1, stdout })
})

const link = join(temp.path, 'link')
symlinkSync('/dev/zero', link)
const large = temp.write('large', 'x'.repeat(1_000_001))

test.each(['/nonexistent/terraform.log', './no.log', repository, '/dev/zero', link, large])(
  'names the file %s, which it cannot read',
  async (path) => {
    const { code, stderr } = await runCommand(['why', path])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${path} cannot be read (`)])
  },
)

describe('From stdin', () => {
  const shell = (line: string) => run(['-c', line], { cwd: repository, command: '/bin/sh' })
  const why = `"${process.execPath}" ${commandLine} why`

  test('prints no part of the text but signs and hosts', async () => {
    const text = `AADSTS7000215 client_secret=${secret} https://u:${secret}@kv.vault.azure.net/?sig=${secret} FooBarUnknown`
    const file = temp.write('input', text)
    const { code, stdout, stderr } = await shell(`${why} --format json --cloud platform-us-government < "${file}"`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const values = [{ value: 'kv.vault.azure.net' }]
    expect(JSON.parse(stdout)).toMatchObject({ code: 'CLIENT_SECRET_INVALID', sign: 'AADSTS7000215', values })
    expect(stdout).not.toMatch(new RegExp(`${secret}|FooBarUnknown`))
  })

  test('an endless stream ends', async () => {
    const { code, stdout } = await shell(`yes | ${why}`)
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^No known error\.\n/)])
  })
})

test('claims of a token can order neither a terminal nor a pipeline anything', async () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iss = `https://login.example/\u009b31m\u202e##vso[task.setvariable]${'x'.repeat(5000)}`
  const file = temp.write('token', `${encode({})}.${encode({ aud: 'https://a.example/', iss })}.${secret}`)
  for (const format of ['json', 'text']) {
    const { code, stdout } = await runCommand(['why', '--token', file, '--format', format])
    expect(code).toBe(0)
    expect(stdout).not.toMatch(/\u009b|\u202e|##vso\[|x{3000}/)
    expect(stdout).not.toContain(secret)
  }
})
