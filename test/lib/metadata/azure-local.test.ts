import { describe, expect, test } from 'vitest'
import { fillProfile, isUncertain } from '../../../src/lib/metadata/fill-profile.ts'
import { compareWithProfile } from '../../../src/lib/metadata/compare-with-profile.ts'
import { mergeMetadata } from '../../../src/lib/metadata/cloud-metadata.ts'
import { parseCloudMetadata, parseWholeMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { placeholderFields } from '../../../src/lib/profile/field-path.ts'
import { lintProfile } from '../../../src/lib/profile/lint-profile.ts'
import { resolveProvider } from '../../../src/lib/profile/identity-provider.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import { recordCalls } from '../../support/run-shell.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

/** The shape of the document of Azure Local disconnected operations, version 2022-09-01. */
const document = {
  name: 'Azure.Local',
  portal: 'https://portal.autonomous.test',
  resourceManager: 'https://armmanagement.autonomous.test',
  authentication: {
    loginEndpoint: 'https://login.autonomous.test',
    audiences: ['https://armmanagement.autonomous.test'],
    tenant: '98b8267d-e97f-426e-8b3f-7956511fd63f',
    identityProvider: 'ADFS',
  },
  suffixes: {
    storage: 'autonomous.test',
    keyVaultDns: 'vault.autonomous.test',
    acrLoginServer: 'edgeacr.autonomous.test',
  },
}
const temp = useTemporaryDirectory()
const endpoint = 'https://armmanagement.autonomous.test/'
const fill = (changed: object) => fillProfile({ metadata: parseWholeMetadata(changed, endpoint), endpoint })
const draft = (authentication: object = {}, suffixes: object = {}) =>
  fill({
    ...document,
    authentication: { ...document.authentication, ...authentication },
    suffixes: { ...document.suffixes, ...suffixes },
  }).profile

const bothAbsent = ['serviceDnsSuffixes.sqlServer', 'serviceAudiences.keyVault']

describe('The document of Azure Local', () => {
  test('gives the authority the path of a federation service, which its login endpoint lacks', () => {
    expect(draft({ identityProvider: 'Adfs' })).toEqual(draft())
    expect(draft()).toMatchObject({
      environment: 'platformstackcloud',
      authorityHost: 'https://login.autonomous.test/adfs/',
      tenantId: 'adfs',
      resourceManagerEndpoint: 'https://armmanagement.autonomous.test/',
      resourceManagerAudience: 'https://armmanagement.autonomous.test/',
      serviceDnsSuffixes: { storage: '.blob.autonomous.test', containerRegistry: '.edgeacr.autonomous.test' },
      services: { containerRegistry: { audience: 'https://armmanagement.autonomous.test' } },
    })
  })

  test.each(['AAD', 'AzureAD', '', 7, undefined])('with the identity provider %j has tenants', (identityProvider) => {
    const found = draft({ identityProvider })
    expect([found.authorityHost, found.tenantId]).toEqual([
      'https://login.autonomous.test/',
      document.authentication.tenant,
    ])
    expect(found.services?.['containerRegistry']).toBeUndefined()
  })

  test('lists what the cloud does not have, so that nothing is left to replace', () => {
    const { profile, fields } = fill(document)
    expect(profile).toMatchObject({
      serviceDnsSuffixes: { sqlServer: '.database.absent.invalid' },
      absent: bothAbsent,
      notes: /Not in this cloud: serviceDnsSuffixes\.sqlServer, /,
    })
    expect(fields.filter(isUncertain)).toEqual([])
    expect(placeholderFields(parseCloudProfile(profile))).toEqual([])
    expect(lintProfile(resolveProvider({ profile }), { authMode: 'managedIdentity' })).toEqual([])
  })

  test.each([
    ['a suffix that the document has', {}, { sqlServerHostname: 'sql.autonomous.test' }, ['serviceAudiences.keyVault']],
    ['a cloud with tenants', { identityProvider: 'AAD' }, {}, undefined],
    ['a stack, whose document has suffixes too', { audiences: ['https://management.adfs.test/98b8'] }, {}, bothAbsent],
  ])('declares absent what is missing in the document of %s', (_label, authentication, suffixes, absent) => {
    expect(draft(authentication, suffixes).absent).toEqual(absent)
  })

  test('ends what an older profile declares absent, once the metadata has it', () => {
    const older = parseCloudProfile(draft())
    const active = explainProfile({ customProfilePath: temp.write('local.json', older), env: {} })
    const suffixes = { ...document.suffixes, sqlServerHostname: 'sql.autonomous.test' }
    const { profile } = fillProfile({ active, metadata: parseWholeMetadata({ ...document, suffixes }, endpoint) })
    expect(profile).toMatchObject({
      serviceDnsSuffixes: { sqlServer: '.sql.autonomous.test' },
      absent: ['serviceAudiences.keyVault'],
    })
  })

  test('gives the same profile where the manager also has the first version, which names no identity provider', () => {
    const older = {
      portalEndpoint: document.portal,
      authentication: { loginEndpoint: 'https://login.autonomous.test/', audiences: document.authentication.audiences },
    }
    const first = parseWholeMetadata(older, endpoint, '2015-01-01')
    const newer = parseWholeMetadata(document, endpoint, '2022-09-01')
    const { metadata, warnings } = mergeMetadata(first, newer)
    expect(warnings).toEqual([])
    const { notes, ...profile } = fillProfile({ metadata, endpoint }).profile
    expect({ ...profile, notes: fill(document).profile.notes }).toEqual(fill(document).profile)
    expect(notes).toContain('/metadata/endpoints (api-version 2015-01-01 and 2022-09-01).')
    // Another login host stays, because the service requests the first version at run time.
    const moved = { ...first, loginEndpoint: 'https://sts.autonomous.test/' }
    expect(mergeMetadata(moved, newer).metadata.loginEndpoint).toBe(moved.loginEndpoint)
  })

  test('agrees with the profile that it gives, in every field', () => {
    const { profile, fields } = fill(document)
    const metadata = parseWholeMetadata(document, endpoint)
    expect(compareWithProfile(profile, metadata).filter(({ equal }) => !equal)).toEqual([])
    expect(fields.filter(({ differs }) => differs !== undefined)).toEqual([])
    // The run of the service reads less of the document.
    expect(parseCloudMetadata(document, endpoint).loginEndpoint).toBe(profile.authorityHost)
    const moved = { ...profile, authorityHost: 'https://login.other.test/adfs/' }
    expect(compareWithProfile(moved, metadata).filter(({ equal }) => !equal)).toMatchObject([{ path: 'authorityHost' }])
  })
})

test('Azure Local registers with az in lower case, and with its registry audience; Terraform has no provider of stacks', () => {
  const render = (format: string) => exportFormats[format]?.render({ ...draft(), name: 'Azure.Local' }) ?? ''
  const calls = recordCalls(render('az'), 'az').map((words) => words.join(' '))
  expect(calls[0]).toMatch(/ --name=azure\.local .*-active-directory=https:\/\/login\.autonomous\.test\/adfs /)
  const audience = 'config set acr.audience_resource=https://armmanagement.autonomous.test --only-show-errors'
  expect(calls).toContain(audience)
  expect(render('terraform')).toMatch(
    /^provider "azurerm" \{\n.*\n  metadata_host = "armmanagement\.autonomous\.test"/m,
  )
  expect(render('terraform')).not.toContain('provider "azurestack"')
})
