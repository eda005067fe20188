import { equalUrls, withoutFinalSlashes } from '../base/address.ts'
import { servicesOf } from '../clouds/known-clouds.ts'
import { textAt } from '../base/json.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import { valuesOfAbsent } from '../profile/field-path.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { storageEndpointSuffix, withoutDot } from '../clouds/tool-names.ts'
import { unknownGraph } from '../profile/az-cloud.ts'
import { addressRows, suffixRows, type DocumentRow } from './metadata-document.ts'

/** The versions of the metadata document that this service writes, oldest first. */
export const metadataVersions = ['2015-01-01', '2018-01-01', '2019-05-01', '2020-06-01', '2022-09-01'] as const

export type MetadataVersion = (typeof metadataVersions)[number]

/** A version of the document, and whether it is the requested version. */
export interface NearestVersion {
  readonly version: MetadataVersion
  readonly exact: boolean
}

/** The newest version that isn't newer than the requested one. For an invalid or older date, the first version. */
export function nearestVersion(requested: string): NearestVersion {
  const date = /^\d{4}-\d{2}-\d{2}/.exec(requested)?.[0] ?? ''
  const version = metadataVersions.findLast((each) => each <= date) ?? metadataVersions[0]
  return { version, exact: version === requested }
}

/**
 * Writes the metadata document that a cloud with this profile would serve. `parseCloudMetadata` reads the same values from it. `az` requires
 * `graph`, and the providers of Terraform require `microsoftGraphResourceId`. If the profile has no value for them, they get a placeholder.
 */
export function writeMetadata(profile: CloudProfile, version: MetadataVersion): unknown {
  const { url = unknownGraph, audience: graphAudience = url } = servicesOf(profile).directoryGraph ?? {}
  const older = rowsOf(profile, addressRows, 'older')
  switch (version) {
    case '2015-01-01':
      return { ...older, authentication: login(profile) }
    case '2018-01-01':
      return {
        ...older,
        graphAudience,
        authentication: { ...login(profile), ...identityProvider(profile) },
        cloudEndpoint: {},
      }
    case '2019-05-01':
    case '2020-06-01':
      return [cloud(profile, graphAudience)]
    case '2022-09-01':
      return cloud(profile, graphAudience)
  }
}

function cloud(profile: CloudProfile, graphAudience: string) {
  const suffixes = rowsOf(profile, suffixRows, 'newer', withoutDot)
  return {
    name: profile.name,
    microsoftGraphResourceId: unknownGraph,
    ...rowsOf(profile, addressRows, 'newer'),
    // The SDK of the Terraform providers appends `/subscriptions`.
    resourceManager: withoutFinalSlashes(profile.resourceManagerEndpoint),
    authentication: { ...login(profile, 'newer'), ...identityProvider(profile) },
    graphAudience,
    suffixes: { ...suffixes, ...('storage' in suffixes && { storage: storageEndpointSuffix(profile) }) },
  }
}

/** The values of the profile by their names in the document. */
function rowsOf(
  profile: CloudProfile,
  rows: readonly DocumentRow[],
  age: 'older' | 'newer',
  write: (value: string) => string = (value) => value,
): Record<string, string> {
  const services = servicesOf(profile)
  const directoryGraph = { ...services.directoryGraph, url: services.directoryGraph?.url ?? unknownGraph }
  const document = { ...profile, services: { ...services, directoryGraph } }
  const absent = new Set<string>(profile.absent?.flatMap(valuesOfAbsent))
  return Object.fromEntries(
    rows.flatMap(({ fields, [age]: name }) => {
      const values = fields.map((field) => (absent.has(field) ? undefined : textAt(document, field)))
      const value = values.findLast((each) => each !== undefined)
      return value === undefined || name === undefined ? [] : [[name, write(value)]]
    }),
  )
}

function login(profile: CloudProfile, age: 'older' | 'newer' = 'older') {
  const { authorityHost, resourceManagerAudience, serviceAudiences } = profile
  const isFederation = identityProviderOf(profile).kind === 'federation-service'
  return {
    // Tools recognize a federation service by `/adfs` without a final slash. The SDK of the Terraform providers appends `/` and the tenant, so
    // clouds write no slash in newer documents.
    loginEndpoint: isFederation || age === 'newer' ? withoutFinalSlashes(authorityHost) : authorityHost,
    // Tools append `/.default` or `/openid`, and some services refuse two slashes.
    audiences: [
      resourceManagerAudience,
      ...(equalUrls(serviceAudiences.arm, resourceManagerAudience) ? [] : [serviceAudiences.arm]),
    ].map(withoutFinalSlashes),
  }
}

function identityProvider(profile: CloudProfile) {
  const { kind, tenantId = 'common' } = identityProviderOf(profile)
  return { tenant: tenantId, identityProvider: kind === 'federation-service' ? 'ADFS' : 'AAD' }
}
