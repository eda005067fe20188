import { expect, test } from 'vitest'
import { authModes } from '../../../src/lib/settings/setting-table.ts'
import { settingRows } from '../../../src/lib/variables.ts'
import { createCredentialPlan } from '../../../src/lib/index.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { toolVariables } from '../../../src/lib/settings/credential-values.ts'

const directory = useTemporaryDirectory()
const names = settingRows.map(({ name }) => name).sort()

/** Variables of other programs that we read: what a host or a cluster sets by itself, and what is refused or warned of. */
const foreign =
  /^(?!PLATFORM_)((AZURE|DEFAULT_IDENTITY|IDENTITY|IMDS|MSI|MSAL|KUBERNETES|NODE|WEBSITE)_|((ALL|HTTPS?|NO)_PROXY$))/i

/** What every kind of credential is complete with. */
const parts = ['TENANT_ID', 'CLIENT_ID', 'CLIENT_SECRET', 'CLIENT_CERTIFICATE_PATH', 'CLIENT_CERTIFICATE_PASSWORD']
const credentials = Object.fromEntries(
  [...parts, 'FEDERATED_TOKEN_FILE', 'USERNAME', 'PASSWORD'].map((name) => [`PLATFORM_${name}`, 'value']),
)

/** An environment that notes what is asked of it. */
function recordingEnvironment(variables: Readonly<Record<string, string>>, asked: Set<string>) {
  const note = (name: string | symbol) => void (typeof name === 'string' && asked.add(name))
  return new Proxy(variables, {
    get: (target, name) => (note(name), Reflect.get(target, name) as unknown),
    getOwnPropertyDescriptor: (target, name) => (note(name), Reflect.getOwnPropertyDescriptor(target, name)),
  })
}

test('The table of settings lists exactly the variables that are read, besides those a host injects', () => {
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
  expect([...asked].filter((name) => /^[A-Z]/.test(name) && !foreign.test(name)).sort()).toEqual(names)
})

test('the command-line tool gets what it needs, and neither a secret nor what changes its code', () => {
  const given = ['Path', 'LC_ALL', 'AZURE_CORE_COLLECT_TELEMETRY', 'XDG_CONFIG_HOME', 'REQUESTS_CA_BUNDLE', 'no_proxy']
  const kept = ['PLATFORM_HOST_KEY', 'AZURE_CLIENT_SECRET', 'MSI_SECRET', 'NODE_OPTIONS', 'PYTHONPATH', 'LD_PRELOAD']
  const variables = Object.fromEntries([...given, ...kept].map((name) => [name, 'value']))
  expect(Object.keys(toolVariables(variables)).toSorted()).toEqual(given.toSorted())
})
