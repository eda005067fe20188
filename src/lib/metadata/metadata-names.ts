import type { CloudProfile, DnsService } from '../profile/cloud-profile.ts'

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

/** A value that only other tools need. */
export type Extension = keyof NonNullable<CloudProfile['extensions']>

/** Beside the addresses, from 2019 on; each cloud has some of them. No document names a registry's audience. */
export const extensionNames = {
  microsoftGraph: 'microsoftGraphResourceId',
  batch: 'batch',
  logAnalytics: 'logAnalyticsResourceId',
  applicationInsights: 'appInsightsResourceId',
  sqlManagement: 'sqlManagement',
  openSourceDatabases: 'ossrDbmsResourceId',
  dataLake: 'activeDirectoryDataLake',
} as const satisfies Readonly<Partial<Record<Extension, string>>>
