import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { referenceKindOf } from '../../../src/lib/base/references.ts'
import { createCredentialPlan, parseCloudProfile } from '../../../src/lib/index.ts'
import { settingRows } from '../../../src/lib/variables.ts'
import { createService } from '../../../src/lib/service/service.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'
import { fieldPaths, withValueAt } from '../../../src/lib/profile/field-path.ts'
import { errorOf } from '../../support/error-of.ts'
import { repository } from '../../support/project-copy.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()

const ofAzure = 'a reference of Azure Key Vault or App Configuration'
const references: readonly (readonly [value: string, name: string])[] = [
  ['@Microsoft.KeyVault(SecretUri=https://v.vault.azure.us/secrets/s)', ofAzure],
  ['@Microsoft.AppConfiguration(Endpoint=https://c.azconfig.azure.us; Key=k)', ofAzure],
  ['$(CLIENT_SECRET)', 'a reference of Kubernetes or Azure Pipelines'],
  ['${CLIENT_SECRET}', 'a reference of a shell, Compose or envsubst'],
  ['${{ secrets.CLIENT_SECRET }}', 'a reference of GitHub Actions or Azure Pipelines'],
  ['{{ .Values.secret | quote }}', 'a reference of a template (Helm, Jinja or Mustache)'],
  ['replace-with-your-application-id', 'a placeholder of a guide'],
  ['https://armmanagement.FQDN/', 'a placeholder of a guide'],
]
const values = references.map(([value]) => value)
/** The forms that no secret has. */
const neverSecret = /^@Microsoft|^\$\(CLIENT_SECRET\)$/i
/** As a start of the service reads its variables. */
const problemOf = (env: Record<string, string>) => errorOf(() => createService(env))

describe('A reference that no tool replaced', () => {
  test.each(references)('%s is %s, also with spaces around it', (value, name) => {
    expect(referenceKindOf(value)?.name).toBe(name)
    expect(referenceKindOf(`\n ${value}\t`)?.name).toBe(name)
  })

  test.each(settingRows)('is refused as $name, by name, and its value is not shown', ({ name, secret }) => {
    for (const value of values.filter((each) => !secret || neverSecret.test(each))) {
      const { code, message } = problemOf({ [name]: value })
      expect(code).toBe('REFERENCE_UNRESOLVED')
      expect(message).toContain(`${name} is ${referenceKindOf(value)?.name} that was not replaced. `)
      expect(message.split('\n')).toHaveLength(1)
      expect(message).not.toContain(value)
    }
  })

  test.each(['AZURE_FEDERATED_TOKEN_FILE', 'no_proxy', 'NODE_EXTRA_CA_CERTS'])('is refused as %s', (name) => {
    expect(problemOf({ [name]: '$(NAME)' })).toMatchObject({ code: 'REFERENCE_UNRESOLVED' })
  })

  test('is every word in capitals that a guide or a file of deploy/ gives to one of our variables, our command or a parameter', () => {
    const files = globSync(['README.md', 'docs/*.md', 'deploy/**/*.{md,json,yaml,yml,service}'], { cwd: repository })
    const text = files.map((file) => readFileSync(join(repository, file), 'utf8')).join('\n')
    const given =
      /(?:\b(?:PLATFORM|AZURE)_[A-Z_]+=|-id: |"value": "|discover )((?:https:\/\/\S*)?\b[A-Z]{3,}[\w./]*|replace-with[a-z-]*)/g
    const placeholders = [...text.matchAll(given)].map(([, value = '']) => value)
    expect(new Set(placeholders).size).toBeGreaterThan(5)
    expect(placeholders.filter((value) => referenceKindOf(value)?.name !== 'a placeholder of a guide')).toEqual([])
  })

  test('does not matter in a variable of the cluster that the mode does not read', () => {
    expect(() => readSettings({ AZURE_CLIENT_ID: '$(ID)', AUTH_MODE: 'managedIdentity' })).not.toThrow()
    expect(() => readSettings({ AZURE_CLIENT_ID: '$(ID)', PLATFORM_CLIENT_ID: 'id' })).not.toThrow()
  })

  test.each(['PLATFORM_CLIENT_SECRET_PATH', 'PLATFORM_HOST_KEY_PATH'])('is refused in the file of %s', (name) => {
    const message = expect.stringContaining(`The value in the file of ${name} is a reference of Kubernetes`) as string
    const error = problemOf({ [name]: temp.write('secret', '$(SECRET)\n') })
    expect(error).toMatchObject({ code: 'REFERENCE_UNRESOLVED', message })
    expect(() => readSettings({ [name]: join(temp.path, 'missing') })).not.toThrow()
  })

  test.each(fieldPaths)('is refused in the field %s of a profile, by name', (path) => {
    for (const value of values) {
      const document = withValueAt(profileDocument(), path, value)
      const { code, message } = errorOf(() => parseCloudProfile(document, 'enclave.json'))
      expect(code).toBe('REFERENCE_UNRESOLVED')
      expect(message).toContain(`  ${path}: is ${referenceKindOf(value)?.name} `)
      expect(message.split('\n')).toHaveLength(2)
    }
  })

  test('is refused when an application plans a credential, from variables and from typed settings', () => {
    const profile = parseCloudProfile(profileDocument())
    const secret = '@Microsoft.KeyVault(SecretUri=https://v/s)'
    const variables = { AUTH_MODE: 'clientSecret', PLATFORM_CLIENT_ID: 'id', PLATFORM_CLIENT_SECRET: secret }
    expect(errorOf(() => createCredentialPlan(profile, variables)).message).toMatch(/^PLATFORM_CLIENT_SECRET is a ref/)
    const typed = { mode: 'clientSecret', clientId: 'id', clientSecret: secret } as const
    const message = /^clientSecret is a reference/
    expect(errorOf(() => createCredentialPlan(profile, typed))).toMatchObject({ code: 'REFERENCE_UNRESOLVED', message })
  })
})

describe('A genuine secret', () => {
  test.each(values.flatMap((value) => [`x${value}`, `${value}x`]))('may contain a reference: %s', (value) => {
    expect(readSettings({ PLATFORM_CLIENT_SECRET: value }).clientSecret?.reveal()).toBe(value)
  })

  test('may have the form of a reference that is also a possible secret, in a variable and in a file', () => {
    for (const value of values.filter((each) => !neverSecret.test(each))) {
      expect(readSettings({ PLATFORM_CLIENT_SECRET: value }).clientSecret?.reveal()).toBe(value)
      expect(() => readSettings({ PLATFORM_HOST_KEY_PATH: temp.write('literal', value) })).not.toThrow()
    }
  })
})
