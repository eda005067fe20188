import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtInProfileNames } from '../../src/lib/index.ts'
import { settingRows } from '../../src/lib/variables.ts'
import { modes } from '../../src/lib/auth/credential-plan.ts'
import { credentialTable, secretVariables, settingTable } from '../../src/lib/settings/setting-table.ts'
import { repository } from '../support/project-copy.ts'
import { findTool, runTool } from './tools.ts'

interface Resource {
  readonly type: string
  readonly apiVersion: string
  readonly name: string
  readonly condition?: string
  readonly properties: unknown
  readonly [field: string]: unknown
}

interface Template {
  readonly parameters: Readonly<Record<string, { type: string; allowedValues?: string[] }>>
  readonly variables: Readonly<Record<string, unknown>>
  readonly resources: readonly Resource[]
}

const readText = (path: string) => readFileSync(join(repository, path), 'utf8')
const readJson = (path: string) => JSON.parse(readText(path)) as unknown
const readTemplate = (folder: string) => readJson(`deploy/${folder}/template.json`) as Template
const [functions, stack] = [readTemplate('functions'), readTemplate('stack')]
const knownSettings = new Set(settingRows.map(({ name }) => name))
const ofType = ({ resources }: Template, type: string) => resources.filter((resource) => resource.type === type)
const settingsOf = (template: Template) => String(ofType(template, 'Microsoft.Web/sites/config')[0]?.properties)

/** Every function of the resource manager that the templates call. */
const calls =
  /^(?:and|concat|contains|copyIndex|createObject|empty|equals|guid|if|length|not|null|or|parameters|reference|resourceGroup|resourceId|subscriptionResourceId|true|union|uniqueString|variables)$/

describe.each(Object.entries({ functions, stack }))('The template of deploy/%s', (folder, template) => {
  const text = readText(`deploy/${folder}/template.json`)
  const expressions = [...text.matchAll(/"\[([^"]+)\]"/g)].map(([, expression = '']) => expression)

  test('uses parameters, variables and functions that exist, in expressions with matching brackets', () => {
    expect(expressions.length).toBeGreaterThan(10)
    for (const expression of expressions) {
      for (const [, kind, name = ''] of expression.matchAll(/\b(parameters|variables)\('(\w+)'\)/g))
        expect([expression, name in template[kind as 'parameters' | 'variables']]).toEqual([expression, true])
      const bare = expression.replaceAll(/'(?:[^']|'')*'/g, '')
      expect([...bare.matchAll(/(\w+)\(/g)].flatMap(([, name = '']) => (calls.test(name) ? [] : [name]))).toEqual([])
      let rest = bare.replaceAll(/[^()[\]]/g, '')
      for (let before = ''; before !== rest;) [before, rest] = [rest, rest.replaceAll(/\(\)|\[\]/g, '')]
      expect([expression, rest]).toEqual([expression, ''])
    }
  })

  test('sets only what the service or its host knows', () => {
    const hosts =
      /^(?:FUNCTIONS_(?:EXTENSION_VERSION|WORKER_RUNTIME)|AzureWebJobs(?:DisableHomepage|Storage__\w+)|APPLICATIONINSIGHTS_\w+|NODE_EXTRA_CA_CERTS|WEBSITE_(?:RUN_FROM_PACKAGE|NODE_DEFAULT_VERSION)|SCM_DO_BUILD_DURING_DEPLOYMENT|NODE_ENV)$/
    const source = JSON.stringify(template.variables) + settingsOf(template)
    const names = new Set(source.match(/(?<=["'])[A-Z][A-Za-z]*_\w+(?=":|')/g))
    expect(names.size).toBeGreaterThan(8)
    expect([...names].filter((name) => !knownSettings.has(name) && !hosts.test(name))).toEqual([])
    expect(settingsOf(template)).toMatch(/, parameters\('settings'\)\)\]$/)
  })
})

const python = findTool('python', 'Run .ci/deploy-tools, which makes a Python with the management libraries.')
const hasModels = python !== undefined && runTool(python, ['-c', 'import azure.mgmt.web.v2024_04_01']).code === 0
if (!hasModels) process.stderr.write('SKIPPED: no management libraries for Python here. Run .ci/deploy-tools.\n')

test.skipIf(!hasModels)('every resource is valid by the published schemas, which have no field of a later one', () => {
  const { siteProperties, siteConfig } = functions.variables as Record<string, object>
  const properties = { ...siteProperties, siteConfig }
  const sites = functions.resources.map((each) =>
    /\/(?:sites|slots)$/.test(each.type) ? { ...each, properties } : each,
  )
  const [site] = ofType(stack, 'Microsoft.Web/sites')
  const later = { ...site, properties: { ...(site?.properties as object), vnetRouteAllEnabled: true } }
  const input = JSON.stringify([...sites, ...stack.resources, later])
  const { stdout } = runTool(python ?? '', [join(repository, 'test/deploy/validate_resources.py')], { input })
  expect(stdout).toBe('Microsoft.Web/sites.properties.vnetRouteAllEnabled: no such field')
})

test.each(['functions/parameters.commercial', 'functions/parameters.government', 'stack/parameters'])(
  '%s.json has parameters of its template, and a built-in profile',
  (path) => {
    const { parameters } = readJson(`deploy/${path}.json`) as { parameters: Record<string, { value: string }> }
    const template = path.startsWith('stack') ? stack : functions
    expect(Object.keys(parameters).filter((name) => !(name in template.parameters))).toEqual([])
    expect([...builtInProfileNames, undefined]).toContain(parameters['cloud']?.value)
  },
)

/** The settings with a secret that a template can select: of the server, and of the credential of a mode. */
function secretsOf(authModes: readonly string[]): readonly string[] {
  const ofModes = Object.entries(modes).flatMap(([mode, { keys }]) =>
    authModes.includes(mode) ? Object.keys(keys) : [],
  )
  const others = Object.keys(settingTable).filter((key) => !(key in credentialTable))
  const keys = [...ofModes, ...others] as readonly (keyof typeof settingTable)[]
  return keys.flatMap((key) => (settingTable[key]?.secret ? settingTable[key].name : []))
}

test('every secret that a mode of the stack template reads is a secure parameter, and so is the object of further settings', () => {
  const allowed = stack.parameters['authMode']?.allowedValues ?? []
  const secrets = secretsOf(allowed)
  expect(secrets).toEqual(expect.arrayContaining(['PLATFORM_CLIENT_SECRET', 'PLATFORM_PASSWORD', 'PLATFORM_HOST_KEY']))
  const fixed = stack.variables['fixed'] as Readonly<Record<string, string>>
  for (const name of secrets) {
    const [, parameter = ''] = /^\[parameters\('(\w+)'\)\]$/.exec(fixed[name] ?? '') ?? []
    expect([name, stack.parameters[parameter]?.type]).toEqual([name, 'securestring'])
  }
})

test('no template has a secret but as a secure parameter or a reference to a vault', () => {
  for (const { parameters, variables } of [functions, stack]) {
    expect(parameters['settings']?.type).toBe('secureObject')
    const text = JSON.stringify(variables)
    const safe = String.raw`(?:":"\[parameters\('\w+'\)\]|', concat\('@Microsoft\.KeyVault\()`
    for (const name of secretVariables.filter((each) => text.includes(each)))
      expect(text).toMatch(new RegExp(name + safe))
  }
})

describe('On Azure Functions', () => {
  test('no shared key, no account name and no suffix of a cloud is used', () => {
    expect(ofType(functions, 'Microsoft.Storage/storageAccounts')[0]?.properties).toMatchObject({
      allowSharedKeyAccess: false,
      allowBlobPublicAccess: false,
      supportsHttpsTrafficOnly: true,
      minimumTlsVersion: 'TLS1_2',
    })
    expect(ofType(functions, 'Microsoft.Insights/components')[0]?.properties).toMatchObject({ DisableLocalAuth: true })
    expect(functions.variables['fixedSettings']).toMatchObject({
      AzureWebJobsStorage__credential: 'managedidentity',
      AUTH_MODE: 'managedIdentity',
    })
    expect(settingsOf(functions)).toContain('Authorization=AAD')
    const addressOf = (service: string) => `__${service}ServiceUri', reference\\(.*?primaryEndpoints\\.${service},`
    for (const service of ['blob', 'queue', 'table'])
      expect(settingsOf(functions)).toMatch(new RegExp(addressOf(service)))
    expect(readText('deploy/functions/template.json')).not.toMatch(
      /windows\.net|usgovcloudapi|listKeys|AccountKey|accountName|AzureWebJobsStorage'|CONTENTAZUREFILE/,
    )
  })

  test('no version of Microsoft.Web is one that government clouds lack', () => {
    const web = functions.resources.filter(({ type }) => type.startsWith('Microsoft.Web/'))
    expect(web.filter(({ apiVersion }) => apiVersion > '2024-04-01')).toEqual([])
  })
})

test('on a stack only API versions of the profile 2020-09-01-hybrid are used', () => {
  // https://github.com/Azure/azure-rest-api-specs/blob/main/profile/2020-09-01-hybrid.json
  for (const { type, apiVersion } of stack.resources)
    expect([type, apiVersion]).toEqual([/^Microsoft\.Web\//, '2018-02-01'])
  const versions = JSON.stringify(stack).match(/20\d\d-\d\d-\d\d(?!-hybrid|\/deployment)/g)
  expect(versions).toEqual(Array(4).fill('2018-02-01'))
})

test('host.json does not sample the lines that the alert query of docs/operations.md reads', () => {
  expect(readText('host.json')).toMatch(/"excludedTypes": "[\w;]*\bTrace\b/)
})
