import { describe, expect, test } from 'vitest'
import { explainCloudProfile, resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { readKnownClouds } from '../../../src/lib/profile/profile-files.ts'
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

describe('A known cloud can be selected if its file has every required field', () => {
  test.each(['bleu', 'platform-china'])('%s', (name) => {
    const profile = resolveCloudProfile({ env: { PLATFORM_CLOUD: name } })
    expect(profile).toMatchObject({
      name,
      environment: 'custom',
      serviceAudiences: { storage: 'https://storage.azure.com/' },
    })
    expect(explainCloudProfile({ name, env: {} }).warnings).toEqual([])
  })

  test.each([['govsg', 'resourceManagerEndpoint, resourceManagerAudience', 'https://management.CLOUD/']])(
    '%s is refused, with what is missing and the command that finds it',
    (name, missing, endpoint) => {
      expect(() => resolveCloudProfile({ name, env: {} })).toThrow(
        expect.objectContaining({
          code: 'UNSUPPORTED_CLOUD',
          message: expect.stringMatching(
            new RegExp(
              `^Unsupported PLATFORM_CLOUD "${name}".* lack ${missing}.* run: cloud-profile discover ${endpoint} --name ${name}`,
            ),
          ),
        }),
      )
    },
  )
})

describe('PLATFORM_KNOWN_CLOUDS', () => {
  test('may leave fields out; each that is present meets its rules', () => {
    expect(readKnownClouds(folderOf(enclave))).toEqual([enclave])
    expect(() => readKnownClouds(folderOf({ ...enclave, displayName: undefined, portalUrl: 'x' }))).toThrow(
      /^Invalid cloud profile in file .*enclave\.json:\n {2}displayName: is missing\n {2}portalUrl: must be an absolute URL/,
    )
    expect(() => readKnownClouds(folderOf([]))).toThrow('must be an object, but is an array')
  })

  test('that is no folder fails the start by name', () => {
    expect(() => resolveCloudProfile({ env: { PLATFORM_KNOWN_CLOUDS: '/nowhere/clouds' } })).toThrow(
      'PLATFORM_KNOWN_CLOUDS must be a folder of profile files, but "/nowhere/clouds" cannot be read (ENOENT)',
    )
  })
})
