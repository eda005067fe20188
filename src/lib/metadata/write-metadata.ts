import { equalUrls, withoutFinalSlashes } from '../base/address.ts'
import { servicesOf } from '../clouds/services-of.ts'
import { valueAt } from '../base/json.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { storageEndpointSuffix, unknownGraph, withoutDot } from '../profile/tool-values.ts'
import { addressNames, serviceRows, serviceSuffixRows, suffixNames, type ServiceRow } from './metadata-document.ts'

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
  switch (version) {
    case '2015-01-01':
      return { ...addresses(profile, 'older'), authentication: login(profile) }
    case '2018-01-01':
      return {
        ...addresses(profile, 'older'),
        graphAudience: graphOf(profile),
        authentication: { ...login(profile), ...identityProvider(profile) },
        cloudEndpoint: {},
      }
    case '2019-05-01':
    case '2020-06-01':
      return [cloud(profile)]
    case '2022-09-01':
      return cloud(profile)
  }
}

function cloud(profile: CloudProfile) {
  const { serviceDnsSuffixes: suffixes } = profile
  const values = servicesOf(profile)
  return {
    name: profile.name,
    ...addresses(profile, 'newer'),
    // Clients of the Terraform family put `/subscriptions` behind it.
    resourceManager: withoutFinalSlashes(profile.resourceManagerEndpoint),
    authentication: { ...login(profile, 'newer'), ...identityProvider(profile) },
    graphAudience: graphOf(profile),
    microsoftGraphResourceId: unknownGraph,
    ...services(serviceRows, values),
    suffixes: {
      ...named(suffixNames, { ...suffixes, storage: storageEndpointSuffix(profile) }, withoutDot),
      ...services(serviceSuffixRows, values, withoutDot),
    },
  }
}

function addresses(profile: CloudProfile, age: 'older' | 'newer'): Record<string, string> {
  const values = {
    portalEndpoint: profile.portalUrl,
    graphEndpoint: graphOf(profile),
    galleryEndpoint: servicesOf(profile).gallery?.url,
  }
  const names = Object.fromEntries(Object.entries(addressNames).map(([field, each]) => [field, each[age]]))
  return named(names, values)
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

/** Values under other names. Absent values are omitted. */
function named(
  names: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string | undefined>>,
  write: (value: string) => string = (value) => value,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, name]) => {
      const value = values[field]
      return value === undefined ? [] : [[name, write(value)]]
    }),
  )
}

/** Values of services. The last field that has a value wins: the audience, where the address differs. */
function services(
  rows: readonly ServiceRow[],
  values: ReturnType<typeof servicesOf>,
  write: (value: string) => string = (value) => value,
): Record<string, string> {
  return Object.fromEntries(
    rows.flatMap(({ name, fields }) => {
      const value = fields.map((field) => valueAt(values, field)).findLast((each) => typeof each === 'string')
      return value === undefined ? [] : [[name, write(value)]]
    }),
  )
}

function graphOf(profile: CloudProfile): string {
  return servicesOf(profile).directoryGraph?.url ?? unknownGraph
}
