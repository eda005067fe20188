import * as z from 'zod/mini'
import type { ServiceName } from '../clouds/known-files.ts'
import type { DnsService } from '../profile/cloud-profile.ts'

/**
 * The names of the fields in a metadata document. The versions of 2015 and 2018 have the older names, those from 2019
 * on the newer ones. The parser and the writer both read this table.
 */
export const addressNames = {
  portalEndpoint: { older: 'portalEndpoint', newer: 'portal' },
  graphEndpoint: { older: 'graphEndpoint', newer: 'graph' },
  galleryEndpoint: { older: 'galleryEndpoint', newer: 'gallery' },
} as const

/** Under `suffixes`, from 2019 on. */
export const suffixNames = {
  storage: 'storage',
  keyVault: 'keyVaultDns',
  sqlServer: 'sqlServerHostname',
  containerRegistry: 'acrLoginServer',
} as const satisfies Readonly<Partial<Record<DnsService, string>>>

/** The name of a service in host names, for drafts; and whether an on-premises stack is documented to have it. */
export const serviceHosts: Readonly<Record<DnsService, { readonly label: string; readonly onStack?: true }>> = {
  storage: { label: 'blob', onStack: true },
  keyVault: { label: 'vault', onStack: true },
  sqlServer: { label: 'database' },
  containerRegistry: { label: 'registry' },
}

/** A value of `services` in a document, with the fields of a profile that it fills. */
export interface ServiceRow {
  readonly name: string
  /** Below `services`. */
  readonly fields: readonly `${ServiceName}.${'dnsSuffix' | 'url' | 'audience'}`[]
}

/** Beside the addresses, from 2019 on; each cloud has some of them. No document names a registry's audience. */
export const serviceRows = [
  { name: 'microsoftGraphResourceId', fields: ['microsoftGraph.url', 'microsoftGraph.audience'] },
  { name: 'batch', fields: ['batch.audience'] },
  { name: 'logAnalyticsResourceId', fields: ['logAnalytics.url', 'logAnalytics.audience'] },
  { name: 'appInsightsResourceId', fields: ['applicationInsights.url', 'applicationInsights.audience'] },
  { name: 'sqlManagement', fields: ['sqlManagement.url'] },
  { name: 'ossrDbmsResourceId', fields: ['postgresql.audience', 'mysql.audience'] },
  { name: 'activeDirectoryDataLake', fields: ['dataLake.audience'] },
] as const satisfies readonly ServiceRow[]

/** Under `suffixes`, from 2022-09-01 on. */
export const serviceSuffixRows = [
  { name: 'mhsmDns', fields: ['managedHsm.dnsSuffix'] },
  { name: 'postgresqlServerEndpoint', fields: ['postgresql.dnsSuffix'] },
  { name: 'mysqlServerEndpoint', fields: ['mysql.dnsSuffix'] },
  { name: 'mariadbServerEndpoint', fields: ['mariadb.dnsSuffix'] },
  { name: 'synapseAnalytics', fields: ['synapse.dnsSuffix'] },
  { name: 'attestationEndpoint', fields: ['attestation.dnsSuffix'] },
  { name: 'storageSyncEndpointSuffix', fields: ['fileSync.dnsSuffix'] },
  { name: 'azureFrontDoorEndpointSuffix', fields: ['frontDoor.dnsSuffix'] },
] as const satisfies readonly ServiceRow[]

/** The fields that the addresses of the older versions fill too. */
export const serviceAddresses = {
  graphEndpoint: ['directoryGraph.url', 'directoryGraph.audience'],
  galleryEndpoint: ['gallery.url'],
} as const satisfies Readonly<Record<string, ServiceRow['fields']>>

/** Every field of `services` that a document can fill, as a path of a profile. */
export const servicePaths: readonly string[] = [
  ...serviceRows.flatMap(({ fields }) => fields),
  ...serviceSuffixRows.flatMap(({ fields }) => fields),
  ...Object.values(serviceAddresses).flat(),
].map((field) => `services.${field}`)

/** Length limit of values in characters, far above any real one. A document is at most 1 MiB. */
const longestUrl = 2048
const longestName = 256
const mostAudiences = 64

/** Absent, `null` and `""` all mean that the cloud publishes no value. */
const text = (longest: number) =>
  z.pipe(
    z.nullish(z.string().check(z.maxLength(longest))),
    z.transform((value) => (value?.trim() ? value.trim() : undefined)),
  )
const url = text(longestUrl)
const name = text(longestName)

const Authentication = z.object({
  loginEndpoint: url,
  audiences: z.pipe(
    z.nullish(z.array(url).check(z.maxLength(mostAudiences))),
    z.transform((values) => (values ?? []).filter((value) => value !== undefined)),
  ),
  tenant: name,
})

/** Each name with the same rule. */
const each = <const Names extends readonly string[], Rule extends z.ZodMiniType>(names: Names, rule: Rule) =>
  Object.fromEntries(names.map((key) => [key, rule])) as Record<Names[number], Rule>

/** An invalid value for another tool is no reason to refuse a cloud: it counts as absent. */
const usable = z.optional(
  z.pipe(
    z.unknown(),
    z.transform((value) =>
      typeof value === 'string' && value.length <= longestUrl && value.trim() !== '' ? value.trim() : undefined,
    ),
  ),
)

/** Which cloud an entry of a metadata list stands for: the part that must be readable in every entry. */
export const ListedCloud = z.object({ name, resourceManager: url })

/**
 * One cloud of a metadata document. The 2015 to 2018 versions call the addresses `portalEndpoint` and so on and have
 * neither `resourceManager` nor `suffixes`; the 2019 and later ones call them `portal`, `graph` and `gallery`.
 */
export const MetadataDocument = z.object({
  resourceManager: url,
  ...each(
    Object.values(addressNames).flatMap(({ older, newer }) => [older, newer] as const),
    url,
  ),
  ...each(
    serviceRows.map(({ name: key }) => key),
    usable,
  ),
  authentication: Authentication,
  suffixes: z.nullish(
    z.object({
      ...each(Object.values(suffixNames), name),
      ...each(
        serviceSuffixRows.map(({ name: key }) => key),
        usable,
      ),
    }),
  ),
})

export type MetadataDocument = z.infer<typeof MetadataDocument>

/**
 * The schema of the document that `/metadata/endpoints` publishes, for `docs/reference/openapi.json`. The documents of other clouds are
 * looser: {@link MetadataDocument}.
 */
export function publishedMetadata() {
  const value = z.string()
  const optionals = (names: readonly string[]) => Object.fromEntries(names.map((key) => [key, z.exactOptional(value)]))
  const addresses = (age: 'older' | 'newer') => optionals(Object.values(addressNames).map((names) => names[age]))
  const login = { loginEndpoint: value, audiences: z.array(value).check(z.minLength(1)) }
  const identityProvider = { tenant: value, identityProvider: z.enum(['AAD', 'ADFS']) }
  const authentication = z.strictObject({ ...login, ...identityProvider })
  const of2015 = z.strictObject({ ...addresses('older'), authentication: z.strictObject(login) })
  const of2018 = z.strictObject({
    ...addresses('older'),
    graphAudience: value,
    authentication,
    cloudEndpoint: z.strictObject({}),
  })
  const of2019 = z.strictObject({
    name: value,
    ...addresses('newer'),
    ...optionals(serviceRows.map((row) => row.name)),
    resourceManager: value,
    graphAudience: value,
    authentication,
    suffixes: z.strictObject(optionals([...Object.values(suffixNames), ...serviceSuffixRows.map((row) => row.name)])),
  })
  return z
    .union([of2015, of2018, of2019, z.array(of2019).check(z.length(1))])
    .check(
      z.describe(
        'The profile as the metadata document of a resource manager. The shape is that of the version 2015-01-01, 2018-01-01, 2022-09-01, or 2019-05-01 and 2020-06-01 (a list).',
      ),
    )
}
