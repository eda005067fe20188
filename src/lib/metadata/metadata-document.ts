import * as z from 'zod/mini'
import type { FieldPath } from '../profile/field-path.ts'

/** A value of a metadata document, and the fields of a profile that it fills. */
export interface DocumentRow {
  /** Its name in the versions from 2019 on. */
  readonly newer: string
  /** Its name in the versions of 2015 and 2018, which lack most values. */
  readonly older?: string
  /** The last one that has a value is written: the audience, if it differs from the address. */
  readonly fields: readonly FieldPath[]
  /** Whether an invalid value refuses the cloud. Any other one counts as absent. */
  readonly strict?: true
}

/** The addresses and audiences beside `authentication`. Each cloud has some of them; no document names the audience of a registry. */
export const addressRows = [
  { newer: 'portal', older: 'portalEndpoint', fields: ['portalUrl'], strict: true },
  {
    newer: 'graph',
    older: 'graphEndpoint',
    fields: ['services.directoryGraph.audience', 'services.directoryGraph.url'],
    strict: true,
  },
  { newer: 'gallery', older: 'galleryEndpoint', fields: ['services.gallery.url'], strict: true },
  {
    newer: 'microsoftGraphResourceId',
    fields: ['services.microsoftGraph.url', 'services.microsoftGraph.audience'],
  },
  { newer: 'batch', fields: ['services.batch.audience'] },
  { newer: 'logAnalyticsResourceId', fields: ['services.logAnalytics.url', 'services.logAnalytics.audience'] },
  {
    newer: 'appInsightsResourceId',
    fields: ['services.applicationInsights.url', 'services.applicationInsights.audience'],
  },
  { newer: 'sqlManagement', fields: ['services.sqlManagement.url'] },
  { newer: 'ossrDbmsResourceId', fields: ['services.postgresql.audience', 'services.mysql.audience'] },
  { newer: 'activeDirectoryDataLake', fields: ['services.dataLake.audience'] },
] as const satisfies readonly DocumentRow[]

/** Below `suffixes`: the strict ones from 2019 on, the others from 2022-09-01 on. */
export const suffixRows = [
  { newer: 'storage', fields: ['serviceDnsSuffixes.storage'], strict: true },
  { newer: 'keyVaultDns', fields: ['serviceDnsSuffixes.keyVault'], strict: true },
  { newer: 'sqlServerHostname', fields: ['serviceDnsSuffixes.sqlServer'], strict: true },
  { newer: 'acrLoginServer', fields: ['serviceDnsSuffixes.containerRegistry'], strict: true },
  { newer: 'mhsmDns', fields: ['services.managedHsm.dnsSuffix'] },
  { newer: 'postgresqlServerEndpoint', fields: ['services.postgresql.dnsSuffix'] },
  { newer: 'mysqlServerEndpoint', fields: ['services.mysql.dnsSuffix'] },
  { newer: 'mariadbServerEndpoint', fields: ['services.mariadb.dnsSuffix'] },
  { newer: 'synapseAnalytics', fields: ['services.synapse.dnsSuffix'] },
  { newer: 'attestationEndpoint', fields: ['services.attestation.dnsSuffix'] },
  { newer: 'storageSyncEndpointSuffix', fields: ['services.fileSync.dnsSuffix'] },
  { newer: 'azureFrontDoorEndpointSuffix', fields: ['services.frontDoor.dnsSuffix'] },
] as const satisfies readonly DocumentRow[]

/** Every field of a profile that a row fills. */
export const documentFields: readonly FieldPath[] = [...addressRows, ...suffixRows].flatMap(({ fields }) => fields)

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

const strictOrUsable = (rows: readonly DocumentRow[], strict: typeof url) =>
  Object.fromEntries(
    rows.flatMap(({ newer, older, ...row }) =>
      [newer, older].flatMap((key) => (key === undefined ? [] : [[key, row.strict === true ? strict : usable]])),
    ),
  ) as Record<string, typeof url>

/** One cloud of a metadata document of any version. Those from 2015 to 2018 have neither `resourceManager` nor `suffixes`. */
export const MetadataDocument = z.object({
  resourceManager: url,
  authentication: z.object({
    loginEndpoint: url,
    audiences: z.pipe(
      z.nullish(z.array(url).check(z.maxLength(mostAudiences))),
      z.transform((values) => (values ?? []).filter((value) => value !== undefined)),
    ),
    tenant: name,
  }),
  suffixes: z.nullish(z.object(strictOrUsable(suffixRows, name))),
})

/** The addresses of the same document, apart, because their names come from the table. */
export const DocumentAddresses = z.object(strictOrUsable(addressRows, url))

/**
 * The schema of the document that `/metadata/endpoints` publishes, for `docs/reference/openapi.json`. The documents of other clouds are
 * looser: {@link MetadataDocument}.
 */
export function publishedMetadata() {
  const value = z.string()
  const optionals = (names: readonly string[]) => Object.fromEntries(names.map((key) => [key, z.exactOptional(value)]))
  const older = optionals(addressRows.flatMap((row) => ('older' in row ? [row.older] : [])))
  const newer = (rows: readonly DocumentRow[]) => optionals(rows.map((row) => row.newer))
  const login = { loginEndpoint: value, audiences: z.array(value).check(z.minLength(1)) }
  const identityProvider = { tenant: value, identityProvider: z.enum(['AAD', 'ADFS']) }
  const authentication = z.strictObject({ ...login, ...identityProvider })
  const of2015 = z.strictObject({ ...older, authentication: z.strictObject(login) })
  const of2018 = z.strictObject({ ...older, graphAudience: value, authentication, cloudEndpoint: z.strictObject({}) })
  const of2019 = z.strictObject({
    name: value,
    ...newer(addressRows),
    resourceManager: value,
    graphAudience: value,
    authentication,
    suffixes: z.strictObject(newer(suffixRows)),
  })
  return z
    .union([of2015, of2018, of2019, z.array(of2019).check(z.length(1))])
    .check(
      z.describe(
        'The profile as the metadata document of a resource manager. The shape is that of the version 2015-01-01, 2018-01-01, 2022-09-01, or 2019-05-01 and 2020-06-01 (a list).',
      ),
    )
}
