import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { resolveCloud, resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { readKnownClouds } from '../../../src/lib/profile/profile-files.ts'
import { errorOf } from '../../support/error-of.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()
const enclave = {
  name: 'enclave',
  displayName: 'Enclave One',
  authorityHost: 'https://login.one.example/',
  serviceAudiences: { keyVault: 'https://vault.one.example/' },
}
const folderOf = (document: object) =>
  temp.write(`${Math.random()}/enclave.json`, document).replace(/\/enclave\.json$/, '')

describe('A known cloud is selected by its file', () => {
  test.each([
    ['bleu', 'bleu'],
    ['platform-china', 'china'],
  ])('%s: cloud-profiles/known/%s.json, and its name is refused with that path', (name, file) => {
    const customProfilePath = fileURLToPath(new URL(`../../../cloud-profiles/known/${file}.json`, import.meta.url))
    expect(resolveCloudProfile({ customProfilePath, env: {} })).toMatchObject({ name, environment: 'custom' })
    for (const options of [{ name, env: {} }, { env: { PLATFORM_CLOUD: name } }]) {
      const message = errorOf(() => resolveCloudProfile(options as never)).message
      expect(message).toMatch(new RegExp(`^Unsupported PLATFORM_CLOUD "${name}".*cloud-profiles/known/${file}\\.json`))
    }
  })

  test.each([
    ['AzureUSGovernment', 'platform-us-government'],
    ['usgov', 'platform-us-government'],
    ['AZURE_US_GOV_CLOUD', 'platform-us-government'],
    ['AzureCloud', 'platform-commercial'],
    ['AzureUSGoverment', 'platform-us-government'],
    ['platform-usgov', 'platform-us-government'],
    ['AzureChinaCloud', undefined],
  ])('%s, the name of a tool, gets: Did you mean %s?', (name, meant) => {
    const { message } = errorOf(() => resolveCloudProfile({ env: { PLATFORM_CLOUD: name } }))
    const advice = meant === undefined ? 'cloud-profiles/known/china.json' : `". Did you mean ${meant}? `
    expect(message).toContain(advice)
  })

  test('one that lacks fields is refused, with what is missing and the command that finds it', () => {
    const message =
      /^Unsupported PLATFORM_CLOUD "govsg".* lack resourceManagerEndpoint, resourceManagerAudience.* run: cloud-profile discover https:\/\/management\.CLOUD\/ --name govsg/
    const error = errorOf(() => resolveCloudProfile({ name: 'govsg' as never, env: {} }))
    expect(error).toMatchObject({ code: 'UNSUPPORTED_CLOUD', message })
  })

  test('an option of the library is named, and the advice names no variable', async () => {
    const byName = errorOf(() => resolveCloudProfile({ name: 'bleu' as never, env: {} })).message
    expect(byName).toContain('(options.name)')
    const error: unknown = await resolveCloud({ cloud: 'bleu' as never, env: {} }).catch((each: unknown) => each)
    expect(String(error)).toContain('Unsupported options.cloud "bleu"')
    expect(String(error)).not.toContain('PLATFORM_')
    expect(`${byName} ${String(error)}`).not.toContain('CUSTOM_CLOUD_PROFILE_PATH')
  })
})

describe('PLATFORM_KNOWN_CLOUDS', () => {
  test('may leave fields out, or contain a copy of a known cloud; each field that is present meets its rules', () => {
    const copy = { ...enclave, name: 'bleu', authorityHost: 'https://login.sovcloud-identity.fr/' }
    for (const cloud of [enclave, copy]) expect(readKnownClouds(folderOf(cloud))).toEqual([cloud])
    expect(() => readKnownClouds(folderOf({ ...enclave, displayName: undefined, portalUrl: 'x' }))).toThrow(
      /^Invalid cloud profile in file .*enclave\.json:\n {2}displayName: is missing\n {2}portalUrl: must be an absolute URL/,
    )
    expect(() => readKnownClouds(folderOf([]))).toThrow('must be an object, but is an array')
  })

  test.each([
    ['of a known cloud', [{ ...enclave, name: 'bleu' }]],
    ['of a built-in profile', [{ ...enclave, name: 'platform-us-government' }]],
    ['twice', [enclave, { ...enclave, authorityHost: 'https://login.two.example/' }]],
    ['twice, with one authority', [enclave, enclave]],
  ])('may not repeat a name %s', (_whose, documents) => {
    const folder = String(Math.random())
    const path = documents.map((each, at) => temp.write(`${folder}/${at}.json`, each))[0] ?? ''
    expect(() => readKnownClouds(path.replace(/\/0\.json$/, ''))).toThrow('has a second cloud with the name "')
  })

  test("that isn't a folder fails the start by name", () => {
    expect(() => resolveCloudProfile({ env: { PLATFORM_KNOWN_CLOUDS: '/nowhere/clouds' } })).toThrow(
      'PLATFORM_KNOWN_CLOUDS must be a folder of profile files, but "/nowhere/clouds" cannot be read (ENOENT)',
    )
  })
})
