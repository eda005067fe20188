import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Env } from '../../../src/lib/base/env.ts'
import { findForeignVariables } from '../../../src/lib/settings/foreign-variables.ts'
import { readCredentialSettings, readSettings } from '../../../src/lib/settings/settings.ts'
import { errorOf } from '../../support/error-of.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()
const authorityHost = 'https://login.microsoftonline.us/'
const find = (env: Env, authMode?: string) => findForeignVariables(env, authMode, authorityHost)

describe('A variable of another tool', () => {
  test.each([
    ['AZURE_AUTHORITY_HOST', 'PLATFORM_AUTHORITY_HOST'],
    ['AZURE_TOKEN_CREDENTIALS', 'AUTH_MODE'],
    ['AZURE_KUBERNETES_TOKEN_PROXY', 'authorityHost'],
    ['AZURE_CLIENT_SECRET', 'PLATFORM_CLIENT_SECRET'],
    ['AZURE_CLIENT_CERTIFICATE_PATH', 'PLATFORM_CLIENT_CERTIFICATE_PATH'],
    ['AZURE_USERNAME', 'PLATFORM_USERNAME'],
    ['AZURE_PASSWORD', 'PLATFORM_PASSWORD'],
  ])('%s is ignored, and the warning names %s instead', (name, instead) => {
    const warnings = find({ [name]: 'hunter2' })
    expect(warnings).toEqual([
      { code: 'LIBRARY_VARIABLE_IGNORED', message: expect.stringContaining(`${name} is ignored`) as string },
    ])
    expect(warnings[0]?.message).toContain(instead)
    expect(JSON.stringify(warnings)).not.toContain('hunter2')
  })

  test.each([
    ['https://LOGIN.microsoftonline.us', 0],
    ['login.microsoftonline.us', 0],
    ['https://login.usgovcloudapi.net/', 0],
    ['https://login.microsoftonline.com/', 1],
    ['https://login.microsoftonline.us:8443/', 1],
    ['no url at all', 1],
  ])('AZURE_AUTHORITY_HOST=%s is compared with the host of the profile: %i warnings', (AZURE_AUTHORITY_HOST, count) => {
    expect(find({ AZURE_AUTHORITY_HOST })).toHaveLength(count)
  })

  test('no warning if our variable has the same value', () => {
    expect(find({ AZURE_CLIENT_SECRET: 'x', PLATFORM_CLIENT_SECRET: 'x' })).toEqual([])
    expect(find({ AZURE_CLIENT_SECRET: 'x', PLATFORM_CLIENT_SECRET: 'y' })).toHaveLength(1)
  })

  test.each([
    ['managedIdentity', ['LIBRARY_VARIABLE_IN_EFFECT']],
    ['default', ['LIBRARY_VARIABLE_IN_EFFECT']],
    ['clientSecret', []],
  ])('a pod identity host matters with %s: %j', (authMode, codes) => {
    const env = { AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://10.0.0.1' }
    expect(find(env, authMode).map(({ code }) => code)).toEqual(codes)
  })
})

describe('A variable that would undo what is promised', () => {
  test.each([
    ['NODE_TLS_REJECT_UNAUTHORIZED', '0', 'not be set'],
    ['AZURE_REGIONAL_AUTHORITY_NAME', 'westus', 'not be set'],
    ['MSAL_FORCE_REGION', 'westus', 'not be set'],
    ['NODE_DEBUG', 'net', 'not be set'],
    ['NODE_OPTIONS', '--tls-keylog=/tmp/keys', 'not contain --tls-keylog'],
    ['NODE_OPTIONS', '--max-old-space-size=100 --tls_keylog /tmp/keys', 'not contain --tls-keylog'],
  ])('%s=%s is refused by name, for the service and for a credential', (name, value, rule) => {
    const message = new RegExp(`^${name} must ${rule}: `)
    for (const read of [readSettings, readCredentialSettings])
      expect(errorOf(() => read({ [name]: value }))).toMatchObject({ code: 'SETTING_INVALID', message })
  })

  test('a pipe, a device, a folder or nothing at all as NODE_EXTRA_CA_CERTS is refused, for Node would wait for it', () => {
    const pipe = join(temp.path, 'pipe')
    execFileSync('mkfifo', [pipe])
    const paths = [pipe, temp.path, '/dev/zero', '/proc/self/pagemap', temp.write('empty.pem', '')]
    const message = /^NODE_EXTRA_CA_CERTS must name a PEM file of at most 16 MiB/
    for (const NODE_EXTRA_CA_CERTS of paths)
      expect(errorOf(() => readSettings({ NODE_EXTRA_CA_CERTS }))).toMatchObject({ code: 'SETTING_INVALID', message })
    for (const NODE_EXTRA_CA_CERTS of ['', join(temp.path, 'missing.pem'), temp.write('ca.pem', 'PEM')]) {
      expect(() => readSettings({ NODE_EXTRA_CA_CERTS })).not.toThrow()
    }
  })

  test.each([
    { NODE_TLS_REJECT_UNAUTHORIZED: '1' },
    { NODE_TLS_REJECT_UNAUTHORIZED: ' ' },
    { NODE_OPTIONS: '--tls-min-v1.2 --use-system-ca' },
  ])('%j is accepted', (env) => {
    expect(() => readSettings(env)).not.toThrow()
  })
})
