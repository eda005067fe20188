import { readFileSync } from 'node:fs'
import type { FieldPath } from '../../src/lib/profile/field-path.ts'

/** A cloud in the table of a package: its name or login host, and its values, with the names of the package. */
interface TableCloud {
  readonly name: string
  readonly values: readonly (readonly [key: string, value: string])[]
}

/** A released package with values of clouds. */
export interface CloudTable {
  readonly client: 'npm' | 'pip' | 'go'
  readonly package: string
  /** Files of the package. They are read as one text. */
  readonly files: readonly string[]
  readonly read: (text: string) => readonly TableCloud[]
  /** Whether the table lists clouds for which we have no file. They are ignored. */
  readonly isPartial?: true
}

/** Splits a text at each cloud and reads its values. Group 1 of `head` is the cloud's name; groups 1 and 2 of a pair are key and value. */
const blocks =
  (head: RegExp, pairs: Readonly<Record<string, RegExp>>) =>
  (text: string): TableCloud[] => {
    const heads = [...text.matchAll(head)]
    return heads.map((match, index) => {
      const block = text.slice(match.index, heads[index + 1]?.index)
      const values = Object.entries(pairs).flatMap(([suffix, pattern]) =>
        [...block.matchAll(pattern)].map(([, key = '', value = '']) => [`${key}${suffix}`, value] as const),
      )
      return { name: match[1] ?? '', values }
    })
  }

/** An SDK with an enumeration of the audiences of its service. */
const audiencesOf = (name: string, file: string): CloudTable => ({
  client: 'npm',
  package: name,
  files: [`dist/esm/${file}.js`],
  read: blocks(/Audience\["(\w+)"\]/g, { '': /()= "(https:[^"]*)"/g }),
})

export const cloudTables: readonly CloudTable[] = [
  {
    client: 'pip',
    package: 'azure-cli-core',
    files: ['azure/cli/core/cloud.py'],
    read: blocks(/^ {4}CloudNameEnum\.(\w+),$/gm, { '': /^ +(\w+)='([^']*)'/gm }),
  },
  {
    client: 'pip',
    package: 'azure-mgmt-core',
    files: ['azure/mgmt/core/tools.py'],
    read: blocks(/== AzureClouds\.(\w+):$/gm, {
      '': /"(resource_manager)": "([^"]*)"/g,
      '.audience': /"(credential_scopes)": \["([^"]*)\.default"\]/g,
    }),
  },
  audiencesOf('@azure/search-documents', 'searchAudience'),
  audiencesOf('@azure/app-configuration', 'models'),
  audiencesOf('@azure/monitor-query-metrics', 'models'),
  {
    client: 'pip',
    package: 'databricks-sdk',
    files: ['databricks/sdk/environments.py'],
    read: (text) => {
      const [, id = ''] = /ARM_DATABRICKS_RESOURCE_ID = "([^"]*)"/.exec(text) ?? []
      const zones = text.matchAll(/"\.((?:azuredatabricks|databricks\.azure)\.\w+)",\s+azure_application_id=ARM_/g)
      return [...zones].map(([, name = '']) => ({ name, values: [['', id]] }))
    },
  },
  {
    client: 'npm',
    package: '@azure/msal-common',
    files: ['src/authority/AuthorityMetadata.ts'],
    read: blocks(/^ +preferred_network: "([^"]+)"/gm, { '': /()"(login[^"]+|sts[^"]+)"/g }),
  },
  {
    client: 'pip',
    package: 'azure-kusto-data',
    files: ['azure/kusto/data/wellKnownKustoEndpoints.json'],
    isPartial: true,
    read: blocks(/"https:\/\/(login[^"]+)": \{/g, { '': /()"(\.kusto\.(?!data\.|fabric\.|azuresynapse\.)[^"]+)"/g }),
  },
  {
    client: 'go',
    package: 'github.com/hashicorp/go-azure-sdk/sdk',
    files: ['public', 'gov', 'china'].map((name) => `environments/azure_${name}.go`),
    read: blocks(/^func Azure(\w+)\(/gm, {
      '': /^\t+(?:env\.)?(LoginEndpoint|\w+)(?: = \w+\(|: +)"([^"]*)"/gm,
      '.suffix': /^\tenv\.(\w+) = \w+\("[^"]*", "([^"]*)"/gm,
      '.audience': /^\tenv\.(\w+) = .*\.WithResourceIdentifier\("([^"]*)"/gm,
    }),
  },
]

/** The rows of a table in this folder. */
const rowsOf = (name: string): readonly (readonly string[])[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'))

/** Our field of each value, by the package and its name for the value. */
export const fields: ReadonlyMap<string, FieldPath> = new Map(
  rowsOf('fields.tsv').map(([name, key, field]) => [`${name} ${key}`, field as FieldPath]),
)

/** Differences that were checked, and why the cloud file keeps its value. */
export const knownDifferences = rowsOf('known-differences.tsv').map(
  ([name = '', cloud = '', field = '', theirs = '', reason = '']) => ({ package: name, cloud, field, theirs, reason }),
)
