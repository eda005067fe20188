import { checkDocument } from '../../src/lib/profile/parse-cloud-profile.ts'
import type { CloudProfile } from '../../src/lib/clouds/cloud-profile.ts'
import { fc } from './properties.ts'

/** Some tool executes each of these, ends a text at it, or reads on differently after it. */
export const orders = [
  '(coding: utf-7) +AAo-import os',
  ' vim: set modeline: ',
  String.raw`\u000aclass Evil {}`,
  String.raw`\u0022+evil()+\u0022`,
  '{{ lookup("pipe", "id") }}',
  '$(id)',
  '%{ if true }',
  '"; evil(); "',
  "'; evil; '",
  '"""',
  '*/ evil /*',
  '--> <!--',
  '@file',
  '!tag',
  '%PATH%',
  '\u201csmart\u201d',
  '\u202Ereversed',
  '\uFEFF',
  '\uFFFE',
  '漢字🎉',
  '\\',
]

const wild = fc.oneof(fc.constantFrom(...orders), fc.string({ unit: 'binary', maxLength: 8 }))

// oxlint-disable-next-line no-control-regex -- it removes control characters
const withoutControls = (text: string) => text.replace(/[\u0000-\u001F\u007F-\u009F]/g, '')

const label = fc
  .array(wild, { minLength: 1, maxLength: 4 })
  .map((parts) => withoutControls(parts.join(' ')))
  .filter((text) => text.trim() !== '')

const host = fc.constantFrom('login.enclave.test', 'a.test:8443', '[::1]', 'xn--mnchen-3ya.test', 'HOST.Example')

/** A path with every character that a URL allows, such as quotes, dollars and backticks. */
const path = fc
  .array(wild, { maxLength: 3 })
  .map((parts) => parts.map((part) => `${withoutControls(part).replace(/[\s\\?#@\p{C}\p{Zl}\p{Zp}]/gu, '')}/`).join(''))

const base = (scheme: fc.Arbitrary<string>) =>
  fc.tuple(scheme, host, path).map(([start, where, rest]) => `${start}://${where}/${rest}`)

const https = base(fc.constant('https'))
const identifier = base(fc.constantFrom('https', 'http', 'api', 'urn'))
const suffix = fc.constantFrom('.blob.core.enclave.test', '.a-b.c', '.BLOB.x', '.vault.enclave.test', '.invalid')
const tenant = fc.constantFrom('adfs', 'ADFS', 'contoso.test', '11111111-2222-3333-4444-555555555555', 'constructor')

const identity = ['name', 'displayName', 'environment'] as const
const addresses = ['authorityHost', 'resourceManagerEndpoint', 'resourceManagerAudience'] as const
const required = [...identity, ...addresses, 'serviceDnsSuffixes', 'serviceAudiences'] as const

/** Profiles that pass validation, with the texts and addresses that are worst for other tools. */
export const arbitraryProfile: fc.Arbitrary<CloudProfile> = fc
  .record(
    {
      name: label,
      displayName: label,
      notes: label,
      environment: fc.constantFrom('custom', 'platformstackcloud', 'public', 'usgovernment'),
      authorityHost: fc.oneof(https, fc.constant('https://adfs.stack.test/adfs/')),
      resourceManagerEndpoint: base(fc.constantFrom('https', 'http')),
      resourceManagerAudience: identifier,
      tenantId: tenant,
      portalUrl: https,
      metadataEndpoint: https,
      serviceDnsSuffixes: fc.record({
        storage: suffix,
        keyVault: suffix,
        sqlServer: suffix,
        containerRegistry: suffix,
      }),
      serviceAudiences: fc.record({ arm: identifier, storage: identifier, keyVault: identifier }),
      services: fc.record(
        {
          microsoftGraph: https.map((url) => ({ url, audience: url })),
          directoryGraph: https.map((url) => ({ url, audience: url })),
          gallery: fc.record({ url: https }),
          batch: fc.record({ audience: identifier }),
          serviceManagement: fc.record({ url: https }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [...required] },
  )
  .map((document) => checkDocument(document).profile)
  .filter((profile) => profile !== undefined)
