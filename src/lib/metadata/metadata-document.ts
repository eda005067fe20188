import type { FieldPath } from '../profile/field-path.ts'

/** A value in a metadata document, and the profile fields it fills. */
export interface DocumentRow {
  /** Its name since version 2019. */
  readonly newer: string
  /** Its name in versions 2015 and 2018, which have few values. */
  readonly older?: string
  /** A written document has the last field with a value: the audience, if it differs from the address. */
  readonly fields: readonly FieldPath[]
  /** Whether an invalid value is an error. Otherwise the value is ignored. */
  readonly strict?: true
}

/** Addresses and audiences outside `authentication`. Each cloud has some of them. No document has the audience of registries. */
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

/** Members of `suffixes`: the strict ones since 2019, the others since 2022-09-01. */
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

/** Every profile field that a row fills. */
export const documentFields: readonly FieldPath[] = [...addressRows, ...suffixRows].flatMap(({ fields }) => fields)
