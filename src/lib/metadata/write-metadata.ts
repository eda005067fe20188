import { equalUrls, withoutFinalSlashes } from '../base/address.ts'
import { servicesOf } from '../clouds/known-clouds.ts'
import { textAt } from '../base/json.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import { valuesOfAbsent } from '../profile/field-path.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { storageEndpointSuffix, withoutDot } from '../clouds/tool-names.ts'
import { unknownGraph } from '../profile/az-cloud.ts'
import { addressRows, suffixRows, type DocumentRow } from './metadata-document.ts'

/** The versions of a metadata document that are written, oldest first. */
export const metadataVersions = ['2015-01-01', '2018-01-01', '2019-05-01', '2020-06-01', '2022-09-01'] as const

export type MetadataVersion = (typeof metadataVersions)[number]

/** A version of the document for a query, and whether it is the requested one. */
export interface NearestVersion {
  readonly version: MetadataVersion
  readonly exact: boolean
}

/** The newest version that is not newer than the requested one. An invalid or too old date gets the first version. */
export function nearestVersion(asked: string): NearestVersion {
  const date = /^\d{4}-\d{2}-\d{2}/.exec(asked)?.[0] ?? ''
  const version = metadataVersions.findLast((each) => each <= date) ?? metadataVersions[0]
  return { version, exact: version === asked }
}

/**
 * The metadata document that a cloud with this profile would serve. {@link parseCloudMetadata} reads the same profile from it. Two clients
 * insist on a directory address (`az` on `graph`, the providers of Terraform on `microsoftGraphResourceId`); without one in the profile it
 * is a placeholder. Everything else that the profile does not say is left out.
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
    // Clients of the Terraform family put `/subscriptions` behind it.
    resourceManager: withoutFinalSlashes(profile.resourceManagerEndpoint),
    authentication: { ...login(profile, 'newer'), ...identityProvider(profile) },
    graphAudience,
    suffixes: { ...suffixes, ...('storage' in suffixes && { storage: storageEndpointSuffix(profile) }) },
  }
}

/** The values of the rows that the cloud has, by their names in the document. */
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
    // As the clouds spell it: a federation service's never has its final slash, and tools know it by that. In the newer
    // documents no login endpoint has one: the SDK of the Terraform providers puts `/` and the tenant behind it.
    loginEndpoint: isFederation || age === 'newer' ? withoutFinalSlashes(authorityHost) : authorityHost,
    // Readers append `/.default` or `/openid`, and some of their libraries decline two slashes.
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
