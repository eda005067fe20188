import { expect, test } from 'vitest'
import { createAuthority, tenantOf } from '../../../src/lib/auth/authority.ts'
import { knownCloudOf } from '../../../src/lib/clouds/equal-values.ts'
import { exportFormats } from '../../../src/lib/export/export-formats.ts'
import { quotePowerShell, quoteWide } from '../../../src/lib/export/quote.ts'
import { templateValues } from '../../../src/lib/export/template-values.ts'
import { fillProfile } from '../../../src/lib/metadata/fill-profile.ts'
import { parseCloudMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { writeMetadata } from '../../../src/lib/metadata/write-metadata.ts'
import { cliRegistrationCommands } from '../../../src/lib/profile/tool-values.ts'
import type { CloudProfile } from '../../../src/lib/profile/cloud-profile.ts'
import { identityProviderOf } from '../../../src/lib/profile/identity-provider.ts'
import { lintProfile } from '../../../src/lib/profile/lint-profile.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'
import { fc } from '../../support/properties.ts'
import { enclave } from './profiles.ts'

const render = (format: string, profile: CloudProfile) => exportFormats[format]?.render(profile) ?? ''

/** Every way a profile can name its identity provider, and near misses. */
const profiles: fc.Arbitrary<CloudProfile> = fc
  .record({
    authorityHost: fc.constantFrom(
      'https://fs.test/adfs/',
      'https://fs.test/ADFS/',
      'https://fs.test:8443/x/adfs/',
      'https://fs.test/',
      'https://adfs/',
      'https://adfs.test/',
      'https://fs.test/adfs2/',
      'https://login.microsoftonline.us/',
      'https://LOGIN.enclave.test/',
    ),
    tenantId: fc.constantFrom(undefined, 'adfs', 'ADFS', 'contoso.test', '11111111-2222-3333-4444-555555555555'),
  })
  .map(({ authorityHost, tenantId }) => {
    const { tenantId: _own, ...profile } = enclave
    return { ...profile, authorityHost, ...(tenantId === undefined ? {} : { tenantId }) }
  })

test('sign-in, exports, metadata, drafts and lint agree on the identity provider of every profile', () => {
  fc.assert(
    fc.property(profiles, (profile) => {
      const provider = identityProviderOf(profile)
      const isFederation = provider.kind === 'federation-service'
      const tenant = provider.tenantId

      expect(tenantOf(profile, readSettings({}))).toBe(tenant)
      const { disableInstanceDiscovery } = provider
      const signIn = createAuthority(profile.authorityHost, profile.tenantId ?? tenant ?? 'any')
      expect(signIn).toMatchObject({ tenantId: tenant ?? 'any', disableInstanceDiscovery })
      expect(templateValues(profile)).toMatchObject({
        authority: provider.authorityBase,
        tenantId: tenant ?? '',
        disableInstanceDiscovery,
      })
      expect(JSON.parse(render('go-autorest', profile))).toMatchObject({
        activeDirectoryEndpoint: provider.authorityBase,
      })

      const powerShell = render('powershell', profile)
      expect(powerShell.includes('-EnableAdfsAuthentication')).toBe(isFederation)
      expect(powerShell).toContain(`ActiveDirectoryEndpoint = ${quotePowerShell(provider.authorityUrl)}\n`)
      const ansible = render('ansible', profile)
      expect(ansible.includes('adfs_authority_url')).toBe(isFederation)
      expect(ansible).not.toMatch(/adfs_authority_url: .*[^/]\/adfs"/i)
      expect(ansible.includes(`tenant: ${quoteWide(tenant ?? 'none')}`)).toBe(tenant !== undefined)
      expect(render('az', profile).includes('PLATFORM_DIRECTORY_ID')).toBe(isFederation)
      expect(knownCloudOf(profile)).toBeUndefined()
      expect(JSON.parse(render('az-json', profile))).toMatchObject({
        endpoints: { activeDirectory: provider.authorityUrl.replace(/\/$/, '') },
      })
      const login = cliRegistrationCommands(profile, profile.tenantId).at(-1)
      expect(login?.includes('--tenant')).toBe(!isFederation && tenant !== undefined)

      const codes = lintProfile(profile).map(({ code }) => code)
      const federationCodes = new Set<string>([
        'GUID_TENANT_WITH_FEDERATION_SERVICE',
        'FEDERATION_SERVICE_OUTSIDE_STACK',
      ])
      expect(codes.some((code) => federationCodes.has(code))).toBe(isFederation)

      expect(writeMetadata(profile, '2022-09-01')).toMatchObject({
        authentication: { identityProvider: isFederation ? 'ADFS' : 'AAD', tenant: tenant ?? 'common' },
      })
      const endpoint = profile.resourceManagerEndpoint
      const metadata = parseCloudMetadata(writeMetadata(profile, '2022-09-01'), endpoint)
      const { profile: draft } = fillProfile({
        metadata: { ...metadata, resourceManagerEndpoint: endpoint },
        endpoint,
      })
      const { kind, authorityUrl, tenantId } = identityProviderOf(draft)
      expect({ kind, authorityUrl: new URL(authorityUrl).href, tenantId }).toEqual({
        kind: provider.kind,
        authorityUrl: new URL(provider.authorityUrl).href,
        tenantId: tenant,
      })
    }),
  )
})
