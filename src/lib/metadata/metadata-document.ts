import type { FieldPath } from '../profile/field-path.ts'

/** A value in a metadata document, and the profile fields that it fills. */
export interface DocumentRow {
  /** The name since version 2019. */
  readonly newer: string
  /** The name in versions 2015 and 2018. Absent if they don't have the value. */
  readonly older?: string
  /** A written document gets the value of the last field that has one. So an audience wins over an address. */
  readonly fields: readonly FieldPath[]
  /** Whether an invalid value is an error. By default, an invalid value is ignored. */
  readonly strict?: true
}

/** Addresses and audiences outside of `authentication`. Each cloud publishes some of them. */
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

/** Members of `suffixes`. The strict ones exist since version 2019-05-01, the others since 2022-09-01. */
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

/** All fields that these rows fill. */
export const documentFields: readonly FieldPath[] = [...addressRows, ...suffixRows].flatMap(({ fields }) => fields)
