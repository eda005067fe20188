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
