import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { knownClouds } from '../../src/lib/clouds/known-clouds.ts'
import { compareTable, describeComparisons } from '../../scripts/compare-clouds.ts'
import { cloudTables, knownDifferences } from '../../scripts/compare-clouds/tables.ts'

/** The table of each package as its text is, with one value as the government cloud has it and one that differs. */
const samples = readFileSync(new URL('../fixtures/cloud-tables.txt', import.meta.url), 'utf8')
const texts = Object.fromEntries(
  [...samples.matchAll(/^=== (\S+)\n(.*?)\n(?==== |(?![^]))/gms)].map((found) => found.slice(1)),
)

const compare = (name: string, text = String(texts[name])) => {
  const found = cloudTables.find((table) => table.package === name)
  if (found === undefined) throw new Error(`no table of ${name}`)
  return compareTable(found, text, knownClouds)
}

describe('The table of a package', () => {
  test('has a sample here', () => {
    expect(Object.keys(texts).toSorted()).toEqual(cloudTables.map((table) => table.package).toSorted())
  })

  test.each([
    ['azure-cli-core', 2, 'services.batch.audience'],
    ['azure-mgmt-core', 2, 'resourceManagerEndpoint'],
    ['@azure/search-documents', 1, 'services.search.audience'],
    ['@azure/app-configuration', 1, 'services.appConfiguration.audience'],
    ['@azure/monitor-query-metrics', 1, 'services.monitorMetrics.audience'],
    ['@azure/msal-common', 4, 'authorityHost'],
    ['azure-kusto-data', 1, 'services.kusto.dnsSuffix'],
    ['github.com/hashicorp/go-azure-sdk/sdk', 5, 'serviceAudiences.keyVault'],
  ])('%s: %i values are compared, and the one that differs is found', (name, compared, field) => {
    const found = compare(name)
    expect(found.compared).toBe(compared)
    const difference = { package: name, cloud: 'platform-us-government', field, theirs: /other\.test/ }
    expect(found.differences).toMatchObject([difference])
  })
})

describe('A difference', () => {
  test.each([
    ['a final slash', `active_directory='https://login.microsoftonline.us'`],
    ['a leading dot', `storage_sync_endpoint='.afs.azure.us'`],
    ['an alias of the resource manager', `active_directory_resource_id='https://management.core.usgovcloudapi.net/'`],
  ])('is not %s', (_label, line) => {
    const found = compare('azure-cli-core', `    CloudNameEnum.AzureUSGovernment,\n        ${line},`)
    expect(found).toMatchObject({ compared: 1, differences: [] })
  })

  test('is a value that the cloud file lacks, and a cloud without a file', () => {
    const text = `    CloudNameEnum.AzureBleuCloud,\n        gallery='https://gallery.sovcloud-api.fr/',\n        active_directory_data_lake_resource_id='https://lake.test',\n    CloudNameEnum.AzureMoonCloud,`
    expect(compare('azure-cli-core', text).differences).toEqual([
      { package: 'azure-cli-core', cloud: 'bleu', field: 'services.dataLake.audience', theirs: 'https://lake.test' },
      { package: 'azure-cli-core', cloud: 'AzureMoonCloud', field: 'the whole cloud', theirs: 'has no file here' },
    ])
  })

  test('that is known has its reason, and its value only', () => {
    const line = (host: string) =>
      `    CloudNameEnum.AzureUSGovernment,\n        active_directory_graph_resource_id='https://${host}/',`
    const reasonOf = (host: string) => compare('azure-cli-core', line(host)).differences[0]?.reason
    expect(reasonOf('graph.microsoftazure.us')).toMatch(/graph\.windows\.net/)
    expect(reasonOf('graph.other.test')).toBeUndefined()
  })
})

describe('The report', () => {
  const values = { ours: 'https://a.test', theirs: 'https://b.test', reason: undefined }
  const fresh = { package: 'p', cloud: 'bleu', field: 'portalUrl', ...values }

  test.each([
    ['with the known differences only', knownDifferences, true, /azure-cli-core +2\.91\.0 +99(?![^]*New differences)/],
    ['not with a new one', [...knownDifferences, fresh], false, /New[^]*bleu +portalUrl +\S+a\.test +\S+b\.test/],
    ['not without a known one', knownDifferences.slice(1), false, /that are gone[^]*AzureGermanCloud/],
  ])('is current %s', (_what, differences, isCurrent, text) => {
    const comparison = { package: 'azure-cli-core', version: '2.91.0', compared: 99, differences }
    expect(describeComparisons([comparison] as Parameters<typeof describeComparisons>[0])).toEqual({ isCurrent, text })
  })
})
