import { describe, expect, test } from 'vitest'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import { occupyPort } from '../../support/free-port.ts'
import { useProcesses, type Ended } from '../../support/processes.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { inBuiltProject, startCommand } from '../../support/start-command.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const { run } = useProcesses()
const directory = useTemporaryDirectory()

/** Secrets that are set beside every mistake. */
const secrets = {
  PLATFORM_CLIENT_SECRET: 'hunter2-secret',
  PLATFORM_PASSWORD: 'hunter2-password',
  PLATFORM_CLIENT_CERTIFICATE_PASSWORD: 'hunter2-certificate',
  PLATFORM_HOST_KEY: 'hunter2-key',
}

/** Starts with a mistake. @returns What stands on stderr, when the start failed as it should. */
async function failedStart(env: NodeJS.ProcessEnv): Promise<string> {
  const { code, signal, stdout, stderr }: Ended = await run(startCommand, inBuiltProject({ ...secrets, ...env }))
  expect({ code, signal, stdout }).toEqual({ code: 2, signal: null, stdout: '' })
  expect(stderr).not.toMatch(/^\s+at |node:internal|\.ts:\d+|hunter2/m)
  expect(stderr.endsWith('\n')).toBe(true)
  return stderr.trimEnd()
}

describe('A start with a mistake ends at once with one readable message', () => {
  test('an unknown cloud is named with the five names', async () => {
    const message = await failedStart({ PLATFORM_CLOUD: 'platform-moon' })
    expect(message).toMatch(/^Unsupported PLATFORM_CLOUD "platform-moon"\. /)
    for (const name of builtInProfileNames) expect(message).toContain(name)
    expect(message).not.toContain('\n')
  })

  test('every wrong override variable is named, with its field and value', async () => {
    const message = await failedStart({
      PLATFORM_AUTHORITY_HOST: 'https://user:hunter2@login.example/',
      PLATFORM_SQL_DNS_SUFFIX: 'sql.example',
    })
    expect(message.split('\n')).toEqual([
      'Invalid cloud profile in built-in platform-us-government:',
      '  authorityHost: must not carry user information, but is "https://[redacted]@login.example/" (from PLATFORM_AUTHORITY_HOST)',
      '  serviceDnsSuffixes.sqlServer: must start with ".", but is "sql.example" (from PLATFORM_SQL_DNS_SUFFIX)',
    ])
  })

  test('every wrong field of a custom file is named, and nothing else of the file is shown', async () => {
    const path = directory.write('wrong.json', {
      ...profileDocument({ notes: 'hunter2', name: 'hunter2', tenantId: 'hunter2' }),
      displayName: '',
      environment: 'moon',
      authorityHost: 'http://login.example/',
      serviceAudiences: {},
    })
    expect((await failedStart({ CUSTOM_CLOUD_PROFILE_PATH: path })).split('\n')).toEqual([
      `Invalid cloud profile in file ${path}:`,
      '  displayName: must not be empty, but is ""',
      expect.stringMatching(/^ {2}environment: must be one of .*, but is "moon"$/),
      '  authorityHost: must start with https://, but is "http://login.example/"',
      '  serviceAudiences.arm: is missing',
      '  serviceAudiences.storage: is missing',
      '  serviceAudiences.keyVault: is missing',
    ])
  })

  test('every invalid setting is named, a line each', async () => {
    const message = await failedStart({
      AUTH_MODE: 'secret',
      HTTP_AUTH_LEVEL: 'none',
      PLATFORM_ALLOWED_TOKEN_HOSTS: 'https://x/',
      PLATFORM_DISCOVER_AUDIENCE: 'yes',
      PLATFORM_KEY_VAULT: 'a.b',
      PLATFORM_LOG_LEVEL: 'loud',
      PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'yes',
      PLATFORM_STORAGE_ACCOUNT: 'a.b',
      PLATFORM_TENANT_ID: 'a/b',
      PLATFORM_TOKEN_TIMEOUT_MS: '999',
      PORT: '65536',
      SMOKE_TEST_CHECK_TOKEN: 'yes',
      SMOKE_TEST_SCHEDULE: 'hourly',
    })
    const names = message.split('\n').map((line) => /^([A-Z_]+) must be /.exec(line)?.[1] ?? line)
    expect(names.sort()).toEqual([
      'AUTH_MODE',
      'HTTP_AUTH_LEVEL',
      'PLATFORM_ALLOWED_TOKEN_HOSTS',
      'PLATFORM_DISCOVER_AUDIENCE',
      'PLATFORM_KEY_VAULT',
      'PLATFORM_LOG_LEVEL',
      'PLATFORM_OVERRIDE_CUSTOM_PROFILE',
      'PLATFORM_STORAGE_ACCOUNT',
      'PLATFORM_TENANT_ID',
      'PLATFORM_TOKEN_TIMEOUT_MS',
      'PORT',
      'SMOKE_TEST_CHECK_TOKEN',
      'SMOKE_TEST_SCHEDULE',
    ])
  })

  test('a port in use is named', async () => {
    const other = await occupyPort()
    const message = await failedStart({ PORT: String(other.port) })
    other.close()
    expect(message).toMatch(new RegExp(`^Port ${other.port} of 127\\.0\\.0\\.1 is in use`))
  })
})
