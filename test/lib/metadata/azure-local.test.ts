import { describe, expect, test } from 'vitest'
import { fillProfile } from '../../../src/lib/metadata/fill-profile.ts'
import { parseWholeMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { lintProfile } from '../../../src/lib/profile/lint-profile.ts'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import { stack } from '../../support/sample-profiles.ts'
import { recordCalls } from '../../support/run-shell.ts'

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
const draft = (changes: object = {}) => {
  const endpoint = 'https://armmanagement.autonomous.test/'
  const authentication = { ...document.authentication, ...changes }
  return fillProfile({ metadata: parseWholeMetadata({ ...document, authentication }, endpoint), endpoint }).profile
}
const codes = (profile: Parameters<typeof lintProfile>[0]) =>
  lintProfile(profile, { authMode: 'managedIdentity' }).map(({ code }) => code)

describe('The document of Azure Local', () => {
  test('gives the authority the path of a federation service, which its login endpoint lacks', () => {
    expect(draft()).toMatchObject({
      environment: 'platformstackcloud',
      authorityHost: 'https://login.autonomous.test/adfs/',
      tenantId: 'adfs',
      resourceManagerEndpoint: 'https://armmanagement.autonomous.test/',
      resourceManagerAudience: 'https://armmanagement.autonomous.test/',
      serviceDnsSuffixes: {
        storage: '.blob.autonomous.test',
        keyVault: '.vault.autonomous.test',
        containerRegistry: '.edgeacr.autonomous.test',
      },
    })
  })

  test.each(['adfs', 'Adfs'])('in any case of the word: %s', (identityProvider) => {
    expect(draft({ identityProvider }).authorityHost).toBe('https://login.autonomous.test/adfs/')
  })

  test.each(['AAD', 'AzureAD', '', 7, undefined])('with the identity provider %j has tenants', (identityProvider) => {
    expect(draft({ identityProvider })).toMatchObject({
      authorityHost: 'https://login.autonomous.test/',
      tenantId: document.authentication.tenant,
    })
  })

  test('has managed identities, which Azure Stack Hub lacks', () => {
    expect(codes(draft())).not.toContain('MANAGED_IDENTITY_ON_STACK')
    expect(codes(stack)).toContain('MANAGED_IDENTITY_ON_STACK')
  })

  test('registers with az in lower case, without instance discovery, and with its registry audience', () => {
    const profile = { ...draft(), name: 'Azure.Local' }
    const services = { containerRegistry: { audience: 'https://edgeacr.autonomous.test' } }
    const calls = recordCalls(exportFormats['az']?.render({ ...profile, services }) ?? '', 'az')
    expect(calls[0]).toContain('--name=azure.local')
    expect(calls[0]).toContain('--endpoint-active-directory=https://login.autonomous.test/adfs')
    expect(calls.slice(1, 4)).toEqual([
      ['cloud', 'set', '--name=azure.local'],
      ['config', 'set', 'core.instance_discovery=false', '--only-show-errors'],
      ['config', 'set', 'acr.audience_resource=https://edgeacr.autonomous.test', '--only-show-errors'],
    ])
    expect(JSON.stringify(recordCalls(exportFormats['az']?.render(profile) ?? '', 'az'))).not.toContain(
      'audience_resource',
    )
  })
})
