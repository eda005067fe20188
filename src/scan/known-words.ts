import { cloudNames, listedValues, namesInTools, services, sharedAudiences, type CloudName } from './services.ts'

/** The possible meanings of a word that the matcher found. */
export type WordKind = 'host' | 'name' | 'construct'

/** The audiences that no cloud owns, by their hosts. */
export const sharedAudienceHosts: ReadonlyMap<string, string> = new Map(
  sharedAudiences.map(({ value, service }) => [new URL(value).hostname, service]),
)

/** The retired German cloud, by service: its values count as the other clouds of a table, and as nothing else. */
const retiredHosts: readonly (readonly [host: string, service: string])[] = [
  ['login.microsoftonline.de', 'login'],
  ['management.microsoftazure.de', 'resource-manager'],
  ['management.core.cloudapi.de', 'resource-manager'],
  ['portal.microsoftazure.de', 'portal'],
  ['core.cloudapi.de', 'storage'],
  ['vault.microsoftazure.de', 'key-vault'],
  ['database.cloudapi.de', 'sql'],
  ['graph.cloudapi.de', 'directory-graph'],
  ['graph.microsoft.de', 'microsoft-graph'],
  ['gallery.cloudapi.de', 'gallery'],
  ['batch.cloudapi.de', 'batch'],
  ['servicebus.cloudapi.de', 'service-bus'],
  ['documents.microsoftazure.de', 'cosmos'],
]

export const retiredIndex: ReadonlyMap<string, string> = new Map(retiredHosts)

const listed = services.flatMap((service) => cloudNames.flatMap((cloud) => listedValues(service, cloud)))

const windowLength = 10

/** What may stand before a host that is shorter than the matcher's window. */
const signsBefore = ['.', '"', "'", '`', '/', ':', '=', '@', ',', ' ', '\t', '\n', '>', '(', '-']

/** A host as text, and as regular expressions and JSON hold it. */
const spellings = (host: string) => [
  ...(host.length < windowLength ? signsBefore.map((sign) => sign + host) : [host]),
  host.replaceAll('.', '\\.'),
  host.replaceAll('.', '\\\\.'),
]

const names = [
  ...cloudNames.flatMap((cloud) => namesInTools[cloud]),
  'azure.PublicCloud',
  'azure.USGovernmentCloud',
  'azure.ChinaCloud',
  'AzureEnvironment.AZURE',
  'ARM_ENVIRONMENT',
  'AZURE_ENVIRONMENT',
  'AZURE_CLOUD_NAME',
  'cloud_environment_name',
  'azure:environment',
  'azure-native:environment',
]

/** The libraries and steps that reach a cloud: only files with one of them are searched for constructs. */
const constructs = [
  '@azure/identity',
  'azure.identity',
  'azure import identity',
  'azidentity',
  '@azure/arm-',
  'azure.mgmt',
  'sdk/resourcemanager',
  'sdk/azcore/arm"',
  'azure.resourcemanager',
  'Connect-AzAccount',
  'Login-AzAccount',
  'Add-AzAccount',
  'Connect-MgGraph',
  'Connect-AzureAD',
  'Connect-AzureRmAccount',
  'Login-AzureRmAccount',
  'Add-AzureRmAccount',
  'azure/login@',
  'AccountName=',
  'DefaultEndpointsProtocol=',
  ...['"azurerm"', '"azuread"', '"azapi"'].flatMap((name) => [`provider ${name}`, `backend ${name}`]),
]

/** The longest part of each word that the matcher looks for. The host of one may be the end of another. */
const rows: readonly (readonly [kind: WordKind, words: readonly string[]])[] = [
  ['host', [...listed, ...sharedAudienceHosts.keys(), ...retiredIndex.keys()].flatMap(spellings)],
  ['name', names],
  ['construct', constructs],
]

/** Each distinct end of a word, with what it may be. */
const kinds = new Map<string, WordKind>()
for (const [kind, words] of rows) {
  for (const word of words) {
    const end = word.slice(-windowLength).toLowerCase()
    kinds.set(end, kinds.get(end) ?? kind)
  }
}

export const words: readonly string[] = [...kinds.keys()]
export const kindOfWord: readonly WordKind[] = [...kinds.values()]

/** The name of the cloud that a word is, in any case. */
export const cloudOfName: ReadonlyMap<string, CloudName> = new Map(
  cloudNames.flatMap((cloud) => namesInTools[cloud].map((name) => [name.toLowerCase(), cloud] as const)),
)

const counterparts = new Map(
  services.map((service) => [service.id, cloudNames.filter((cloud) => service[cloud] !== 'not published').length - 1]),
)

/** How many other clouds publish a value of a service. */
export function counterpartsOf(service: string): number {
  return counterparts.get(service) ?? 0
}

const retired = new Set(services.filter((service) => service.isRetired === true).map(({ id }) => id))

/** Whether the service is retired in every cloud. */
export function isRetired(service: string): boolean {
  return retired.has(service)
}

const exactNames = new Set(cloudNames.flatMap((cloud) => namesInTools[cloud]))

/** Whether a name is written as its tool writes it, or in capitals. */
export function isExactName(name: string): boolean {
  return exactNames.has(name) || (name === name.toUpperCase() && cloudOfName.has(name.toLowerCase()))
}
