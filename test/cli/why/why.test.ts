import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { errorTexts } from '../../../src/cli/why/error-texts.ts'
import { codesOf, explainCode, explainText } from '../../../src/cli/why/explain-text.ts'
import { explainToken } from '../../../src/cli/commands/why.ts'
import { tools } from '../../../src/cli/why/tool-fixes.ts'
import { resolveCloudProfile } from '../../../src/lib/index.ts'
import { useProcesses } from '../../support/processes.ts'
import { repository } from '../../support/project-copy.ts'
import { commandLine } from '../../support/start-command.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { runCommand, runInProcess } from '../run-in-process.ts'

const government = resolveCloudProfile({ name: 'platform-us-government', env: {} })
const { run } = useProcesses()
const temp = useTemporaryDirectory()
const secret = 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA'

/** Thread, a word of the cause that it found (`^-$` if the text does not show it), and text. */
const threads = readFileSync(new URL('thread-texts.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'))

describe('The error texts', () => {
  test.each(threads)('of %s have the cause that the thread found', (_thread, cause = '', text = '') => {
    expect(explainText(text, undefined).cause ?? '-').toMatch(new RegExp(cause))
  })

  test('name each code once, with a cause and a fix', () => {
    const codes = errorTexts.flatMap(codesOf)
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
    for (const code of codes) expect(explainCode(code)).toMatchObject({ cause: /./, fix: /^[A-Z]/ })
  })

  test.each([
    'Everything is fine',
    'AADSTS99999999: an unknown number. invalid_client',
    'Error: something else went wrong at line 3',
    'GET https://login.microsoftonline.com/ 200 OK',
    '{"error":"teapot"}',
  ])('do not explain: %s', (text) => {
    expect(explainText(text, undefined).cause).toBeUndefined()
  })

  test.each([
    ['50049', /instance discovery/],
    ['AADSTS900382', /another cloud/],
    ['ECONNREFUSED', /listens/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /trust/],
    ['NoRegisteredProviderFound', /version/],
    ['AUTHORITY_UNTRUSTED', /certificate authority/],
    ['PLACEHOLDER_PROFILE', /placeholder/],
    ['BCP192', /BICEP_TRUSTED_CLOUDS/],
  ])('explain the code %s', (code, cause) => {
    expect(explainCode(code)?.cause).toMatch(cause)
  })
})

describe('With a profile', () => {
  const text = `Traceback (most recent call last): azure.identity ERROR AADSTS90002: Tenant 'x' not found. https://user:${secret}@login.microsoftonline.com/x`

  test('each host has its cloud, and the value of the profile beside it', () => {
    const { values, cause } = explainText(text, government)
    expect(values).toEqual([
      {
        host: 'login.microsoftonline.com',
        cloud: 'platform-commercial',
        service: /login|authority/,
        profileValue: 'https://login.microsoftonline.us/',
      },
    ])
    expect(cause).toContain('the profile is platform-us-government')
  })

  test.each(tools.map(({ name }) => name))('the fix in the words of %s has values of the profile only', (name) => {
    const tool = tools.find((each) => each.name === name)
    for (const words of Object.values(tool?.fixes ?? {})) {
      for (const [, hole] of words.matchAll(/\{(\w+)\}/g)) {
        expect(['authority', 'resourceManager', 'audience', 'metadataHost', 'az', 'terraform', 'goAutorest']).toContain(
          hole,
        )
      }
    }
  })

  test('hosts of another cloud in a failure are a cause', () => {
    expect(explainText('request to https://management.azure.com/ failed', government).cause).toMatch(
      /platform-commercial/,
    )
    expect(explainText('request to https://management.usgovcloudapi.net/ failed', government).cause).toBeUndefined()
  })
})

describe('A token', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = (claims: unknown) => `${encode({ alg: 'none' })}.${encode(claims)}.${secret}`
  const now = new Date('2026-11-01T00:00:00Z')
  const seconds = now.getTime() / 1000

  test('is compared with the profile by its claims', () => {
    const claims = {
      aud: 'https://management.azure.com',
      iss: 'https://login.microsoftonline.us/x/',
      nbf: seconds,
      exp: seconds - 1,
    }
    expect(explainToken(token(claims), government, now)).toMatchObject([
      { claim: 'aud', isEqual: false },
      { claim: 'iss', isEqual: true },
      { claim: 'nbf', isEqual: true },
      { claim: 'exp', isEqual: false },
    ])
    expect(explainToken('opaque', government, now)).toBeUndefined()
  })
})

describe('cloud-profile why', () => {
  test.each([
    ['a code', ['why', 'AADSTS50049'], 0],
    ['a text of arguments', ['why', 'x509:', 'certificate', 'signed by unknown authority'], 0],
    ['a file', ['why', temp.write('log.txt', 'ENOTFOUND')], 0],
    ['an unknown text', ['why', 'hello', 'world'], 1],
  ])('exits by whether it knows the cause of %s', async (_, args, code) => {
    expect(await runInProcess(args)).toMatchObject({ code, stderr: '' })
  })

  test.each(['/nonexistent/terraform.log', './no.log', repository])(
    'names the file %s, which it cannot read',
    async (path) => {
      const { code, stderr } = await runCommand(['why', path])
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${path} cannot be read (E`)])
    },
  )

  test('reads stdin and prints no part of the text but hosts', async () => {
    const file = temp.write(
      'input',
      `AADSTS7000215 client_secret=${secret} https://u:${secret}@kv.vault.azure.net/?sig=${secret} FooBarUnknown`,
    )
    const words = [commandLine, 'why', '--format', 'json', '--cloud', 'platform-us-government']
    const { code, stdout, stderr } = await run(['-c', `"${process.execPath}" ${words.join(' ')} < "${file}"`], {
      cwd: repository,
      command: '/bin/sh',
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ code: 'AADSTS7000215', values: [{ host: 'kv.vault.azure.net' }] })
    expect(stdout).not.toMatch(new RegExp(`${secret}|FooBarUnknown`))
  })
})
