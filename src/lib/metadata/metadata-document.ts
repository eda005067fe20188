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
