import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { applyLocalSettings } from '../../../src/emulator/app-files.ts'
import { authModes } from '../../../src/lib/settings/setting-table.ts'
import { settingRows } from '../../../src/lib/variables.ts'
import { createCredentialPlan } from '../../../src/lib/index.ts'
import { overrideVariables } from '../../../src/lib/profile/field-path.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'
import { errorOf } from '../../support/error-of.ts'
import { tableRows } from '../../support/markdown-table.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { repository } from '../../support/project-copy.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const names = settingRows.map(({ name }) => name).sort()

/** Variables of other programs that we read: what a host or a cluster sets by itself, and what is refused or warned of. */
const foreign =
  /^(?!PLATFORM_)((AZURE|DEFAULT_IDENTITY|IDENTITY|IMDS|MSI|MSAL|KUBERNETES|NODE|WEBSITE)_|((ALL|HTTPS?|NO)_PROXY$))/i

/** What every kind of credential is complete with. */
const credentials = {
  PLATFORM_TENANT_ID: 'tenant',
  PLATFORM_CLIENT_ID: 'client',
  PLATFORM_CLIENT_SECRET: 'hunter2',
  PLATFORM_CLIENT_CERTIFICATE_PATH: '/certificate.pem',
  PLATFORM_CLIENT_CERTIFICATE_PASSWORD: 'hunter2',
  PLATFORM_FEDERATED_TOKEN_FILE: '/token',
  PLATFORM_USERNAME: 'user',
  PLATFORM_PASSWORD: 'hunter2',
}

/** An environment that notes what is asked of it. */
function recordingEnvironment(variables: Readonly<Record<string, string>>, asked: Set<string>) {
  return new Proxy(variables, {
    get(target, name) {
      if (typeof name === 'string') asked.add(name)
      return Reflect.get(target, name) as unknown
    },
  })
}

describe('The table of settings', () => {
  test('it lists exactly the variables that are read, besides those a host injects', () => {
    const asked = new Set<string>()
    const path = directory.write('profile.json', profileDocument())
    for (const AUTH_MODE of [...authModes, '']) {
      for (const CUSTOM_CLOUD_PROFILE_PATH of [path, '']) {
        const env = recordingEnvironment({ ...credentials, AUTH_MODE, CUSTOM_CLOUD_PROFILE_PATH }, asked)
        readSettings(env)
        createCredentialPlan(explainProfile({ env }).profile, env)
      }
    }
    // The exported script for az reads this one.
    asked.add('PLATFORM_DIRECTORY_ID')
    expect([...asked].filter((name) => !foreign.test(name)).sort()).toEqual(names)
  })

  test('no variable stands there twice, and each has a meaning', () => {
    expect(new Set(names).size).toBe(names.length)
    expect(settingRows.filter(({ meaning }) => meaning.trim() === '')).toEqual([])
  })

  test.each([
    ['PLATFORM_TOKEN_TIMEOUT_MS', 'integer'],
    ['PORT', 'integer'],
    ['PLATFORM_SERVE_METADATA', 'boolean'],
    ['AUTH_MODE', 'choice'],
    ['PLATFORM_ALLOWED_TOKEN_HOSTS', 'list'],
    ['PLATFORM_TENANT_ID', 'text'],
  ])('the type of %s for other tools is %s', (variable, type) => {
    expect(settingRows.find(({ name }) => name === variable)).toMatchObject({ type })
  })

  test('every override variable is in it, with its field', () => {
    const others = Object.entries(overrideVariables).filter(([name]) => name !== 'PLATFORM_TENANT_ID')
    expect(settingRows).toEqual(
      expect.arrayContaining(
        others.map(([name, path]) => expect.objectContaining({ name, meaning: `Overrides \`${path}\`` }) as unknown),
      ),
    )
  })

  test.each(authModes)('no plan or message of %s shows a secret', (AUTH_MODE) => {
    const env = { ...credentials, AUTH_MODE }
    const plan = createCredentialPlan(explainProfile({ env: {} }).profile, env)
    expect(JSON.stringify(plan) + inspect(plan, { depth: 10, showHidden: true })).not.toContain('hunter2')
    expect(errorOf(() => readSettings({ ...env, PORT: 'x' })).message).not.toContain('hunter2')
  })
})

describe('docs/reference/settings.md', () => {
  const rows = () => tableRows('docs/reference/settings.md', 'Variable')

  test('its table of variables lists each of them, and no other', () => {
    expect(
      rows()
        .map(([name = '']) => name)
        .sort(),
    ).toEqual(names)
  })

  test('its table gives the default of each that has one', () => {
    const withDefault = settingRows.filter((row) => row.default !== undefined)
    const lacking = withDefault.filter(
      ({ name, default: value = '' }) =>
        !rows().some((cells) => cells[0] === name && cells.slice(1).join(' ').includes(value)),
    )
    expect(lacking).toEqual([])
  })
})

describe('local.settings.sample.json', () => {
  const text = readFileSync(join(repository, 'local.settings.sample.json'), 'utf8')
  const { IsEncrypted, Values, Host } = JSON.parse(text) as {
    readonly IsEncrypted: unknown
    readonly Values: Readonly<Record<string, string>>
    readonly Host: unknown
  }

  test('it is not encrypted and asks for port 3000, and the worker is Node', () => {
    expect(IsEncrypted).toBe(false)
    expect(Host).toEqual({ LocalHttpPort: 3000 })
    expect(Values['FUNCTIONS_WORKER_RUNTIME']).toBe('node')
  })

  test('every other name in it is a known setting', () => {
    const ofTheHost = new Set(['FUNCTIONS_WORKER_RUNTIME', 'AzureWebJobsDisableHomepage'])
    const unknown = Object.keys(Values).filter((name) => !names.includes(name) && !ofTheHost.has(name))
    expect(unknown).toEqual([])
  })

  test('the Functions host accepts it unchanged, and it changes no default', () => {
    copyFileSync(join(repository, 'local.settings.sample.json'), join(directory.path, 'local.settings.json'))
    const env: NodeJS.ProcessEnv = {}
    expect(applyLocalSettings(directory.path, env).httpPort).toBe(3000)
    expect(readSettings(env)).toEqual(readSettings({}))
    expect(explainProfile({ env })).toEqual({ ...explainProfile({ env: {} }), selectedBy: 'PLATFORM_CLOUD' })
  })
})
