import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { enclave, stack } from '../../support/sample-profiles.ts'

// The parameter sets in the help of Az.Accounts 2.13.1 (npm package @autorest/powershell 4.0.758, folder resources/modules).
const sets = readFileSync(new URL('az-accounts-2.13.1.tsv', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => {
    const [command, ...both] = line.split('\t')
    const [mandatory = [], optional = []] = both.map((names) => names.split(' ').filter(Boolean))
    return { command, mandatory, optional }
  })
const accepts = (command: string, given: readonly string[]) =>
  sets.some(
    ({ command: name, mandatory, optional }) =>
      name === command &&
      mandatory.every((name) => given.includes(name)) &&
      given.every((name) => [...mandatory, ...optional].includes(name)),
  )

const names = ['microsoftGraph', 'directoryGraph', 'gallery', 'batch', 'logAnalytics', 'dataLake', 'serviceManagement']
const service = { url: 'https://service.test/', audience: 'https://service.test/' }
const services = Object.fromEntries(names.map((name) => [name, service]))
const profiles: readonly (readonly [string, CloudProfile])[] = [
  ['with tenants', { ...enclave, services }],
  ['with a federation service', { ...stack, services }],
]
const render = (profile: CloudProfile) => exportFormats['powershell']?.render(profile) ?? ''

/** The keys of a hash table of the script. */
const keysOf = (script: string, name: string) =>
  [...(new RegExp(`^\\$${name} = @\\{\\n(.*?)^\\}`, 'ms').exec(script)?.[1] ?? '').matchAll(/^ {2}(\w+) = /gm)].map(
    ([, key = '']) => key,
  )

describe.each(profiles)('the module takes every parameter of the script, %s', (_label, profile) => {
  const script = render(profile)

  test('to add the environment', () => {
    const line = script.split('\n').find((each) => each.includes('Add-AzEnvironment @')) ?? ''
    const given = [...keysOf(script, 'environment'), ...[...line.matchAll(/ -(\w+)/g)].map(([, name = '']) => name)]
    expect(given.length).toBeGreaterThan(15)
    expect([given, accepts('Add-AzEnvironment', given)]).toEqual([given, true])
  })

  test.each(['Identity', 'ServicePrincipal', 'UseDeviceAuthentication'])('to sign in with %s', (name) => {
    const clause = script.split(/\n\} else/).find((each) => each.includes(`$login.${name} = $true`)) ?? ''
    const own = [...clause.matchAll(/\$login\.(\w+) = /g)].map(([, key = '']) => key)
    const given = [...new Set(['Environment', 'Tenant', ...own])]
    expect(own.length).toBeGreaterThan(0)
    expect([given, accepts('Connect-AzAccount', given)]).toEqual([given, true])
  })
})

test('the switch of instance discovery is younger than this metadata, so the script checks for it', () => {
  expect(accepts('Update-AzConfig', ['Scope'])).toBe(true)
  expect(accepts('Update-AzConfig', ['DisableInstanceDiscovery', 'Scope'])).toBe(false)
})
