import type { CloudFile } from '../../../src/lib/clouds/cloud-file.ts'
import { knownClouds } from '../../../src/lib/clouds/known-clouds.ts'
import { ownersIn } from '../../../src/lib/clouds/owner-of.ts'
import { servicesOf } from '../../../src/lib/clouds/services-of.ts'

/** Whose a host is. `clouds` is empty for a value that all clouds share. */
export interface HostOwner {
  readonly service: string
  readonly clouds: readonly string[]
  readonly isAudience: boolean
  /** Whether the host is none of the list, but lies in a zone of the cloud. */
  readonly isUnlisted: boolean
}

/** The clouds that a scan knows. */
export interface Clouds {
  readonly hosts: readonly string[]
  /** The owner of a host that equals a listed host or lies below one: the longest wins. */
  readonly ownerOfHost: (host: string) => HostOwner | undefined
  /** The cloud that tools call so, without case, `_` and `-`. */
  readonly cloudOfName: ReadonlyMap<string, string>
  readonly exactNames: ReadonlySet<string>
  readonly federatedAudiences: ReadonlyMap<string, string>
  /** How many other clouds publish a value of the service. */
  readonly counterpartsOf: (service: string) => number
  readonly isRetired: (service: string) => boolean
}

/** The retired German cloud: its values count as the other cloud of a table, and as nothing else. */
export const retiredCloud = 'germany'
const retiredHosts: readonly (readonly string[])[] = String.raw`
login.microsoftonline.de login
management.microsoftazure.de resource-manager
management.core.cloudapi.de resource-manager
portal.microsoftazure.de portal
core.cloudapi.de storage
vault.microsoftazure.de key-vault
database.cloudapi.de sql
graph.cloudapi.de directory-graph
graph.microsoft.de microsoft-graph
gallery.cloudapi.de gallery
batch.cloudapi.de batch
servicebus.cloudapi.de service-bus
documents.microsoftazure.de cosmos`
  .trim()
  .split('\n')
  .map((row) => row.split(' '))

/** Services of the endpoint tables for the government (compare-azure-government-global-azure), China (resources-developer-guide) and Power BI and Bot Framework guides. */
// cloud-profile-ignore: rows of the table of clouds
const moreServices = String.raw`
foundry ~ ai.azure.com ~ ai.azure.us
machine-learning ~ ml.azure.com ~ ml.azure.us ~ ml.azure.cn
redis ~ redis.azure.com
signalr ~ signalr.azure.com
portal ~ entra.microsoft.com ~ entra.microsoft.us ~ entra.microsoftonline.cn
device-registration ~ enterpriseregistration.windows.net ~ enterpriseregistration.microsoftonline.us ~ enterpriseregistration.partner.microsoftonline.cn
power-bi ~ api.powerbi.com app.powerbi.com analysis.windows.net ~ api.powerbigov.us app.powerbigov.us analysis.usgovcloudapi.net ~ api.powerbi.cn app.powerbi.cn analysis.chinacloudapi.cn
web-pubsub ~ webpubsub.azure.com ~ webpubsub.azure.us ~ webpubsub.azure.cn
container-apps ~ azurecontainerapps.io ~ azurecontainerapps.us
bot-framework ~ botframework.com ~ botframework.azure.us ~ botframework.azure.cn
logic-apps ~ logic.azure.com ~ logic.azure.us ~ logic.azure.cn
maps ~ atlas.microsoft.com ~ atlas.azure.us
arc ~ his.arc.azure.com ~ his.arc.azure.us
office-management ~ manage.office.com ~ manage.office365.us
defender ~ api.securitycenter.microsoft.com ~ api-gov.securitycenter.microsoft.us`
  .trim()
  .split('\n')
  .map((row) => row.split(' ~ '))

/** DNS zones of a cloud: a host below one that no list names is a note. */
export const zones: Readonly<Record<string, string>> = {
  'azure.com': 'public',
  'azure.net': 'public',
  'windows.net': 'public',
  'microsoftonline.com': 'public',
  'azure.us': 'usgovernment',
  'usgovcloudapi.net': 'usgovernment',
  'microsoftonline.us': 'usgovernment',
  'azure.cn': 'china',
  'chinacloudapi.cn': 'china',
}

/** Hosts in those zones that serve people or every cloud. */
const forPeople = /^(?:(?:www|docs|feedback|status|dev|[\w-]+\.dev|[\w.-]+\.in|techcommunity)\.azure\.(?:com|us|cn))$/

/** Audiences that are the same in every cloud, and hosts of identifiers that are no addresses. */
const sharedAudiences: Readonly<Record<string, string>> = {
  'storage.azure.com': 'storage',
  'servicebus.azure.net': 'service-bus',
  'eventhubs.azure.net': 'service-bus',
}
const sharedHosts = ['schema.management.azure.com']
// cloud-profile-ignore: an identifier
const identifierHosts = new Set(['azurehealthcareapis.com'])

/** A profile file, or a subset: not validated, because only its values are read. */
export type CloudDocument = CloudFile

export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '')
/** Terraform's name is the shortest, and has been the name of a cloud in findings. */
const idOf = ({ name, toolNames }: CloudFile): string => toolNames?.['terraform'] ?? name

/** The built-in knowledge, and the clouds of these files. */
export function createClouds(documents: readonly CloudDocument[] = []): Clouds {
  const files = [...knownClouds, ...documents]
  const index = new Map<string, HostOwner>()
  const audiences = audiencesOf(files)
  for (const [host, { clouds, service }] of ownersIn(files)) {
    const id = host.startsWith('ossrdbms-aad.') ? 'open-source-databases' : idOfService(service)
    index.set(host, { service: id, clouds: clouds.map(idOf), isAudience: audiences.has(host), isUnlisted: false })
  }
  for (const [service = '', ...hosts] of moreServices)
    for (const [position, list] of hosts.entries())
      for (const host of list.split(' ')) {
        const cloud = ['public', 'usgovernment', 'china'][position] ?? ''
        index.set(host, { service, clouds: [cloud], isAudience: false, isUnlisted: false })
      }
  const counts = new Map<string, Set<string>>()
  for (const { service, clouds } of index.values())
    for (const cloud of clouds) counts.set(service, (counts.get(service) ?? new Set()).add(cloud))
  for (const [host = '', service = ''] of retiredHosts)
    index.set(host, { service, clouds: [retiredCloud], isAudience: false, isUnlisted: false })
  for (const [host, service] of Object.entries(sharedAudiences))
    index.set(host, { service, clouds: [], isAudience: true, isUnlisted: false })
  addParents(index)
  const exactNames = new Map(files.flatMap((file) => namesOf(file).map((name) => [name, idOf(file)] as const)))
  const retiredServices = files.flatMap(({ services = {} }) =>
    Object.entries(services).flatMap(([name, { retired: isRetired }]) =>
      isRetired === true ? [idOfService(name)] : [],
    ),
  )
  const retired = new Set(retiredServices)
  return {
    hosts: [...index.keys()],
    ownerOfHost: (host) => ownerIn(index, host),
    cloudOfName: new Map([...exactNames].map(([name, cloud]) => [plainName(name), cloud])),
    exactNames: new Set(exactNames.keys()),
    federatedAudiences: new Map(
      files.flatMap((file) =>
        file.federatedAudience === undefined ? [] : [[file.federatedAudience, idOf(file)] as const],
      ),
    ),
    counterpartsOf: (service) => (service === 'cloud' ? 2 : (counts.get(service)?.size ?? 1) - 1),
    isRetired: (service) => retired.has(service) && !notRetired.has(service),
  }
}

/** Names that no other text has: the plain words of Terraform and of Microsoft Graph mean a cloud in their settings only. */
function namesOf({ name, toolNames = {} }: CloudFile): readonly string[] {
  const own = Object.values(toolNames).filter((each) => /azure|cloud/i.test(each) && plainName(each) !== 'azure')
  return name.startsWith('platform') ? own : [...new Set([...own, ...(name.length > 7 ? [name] : [])])]
}

/** The names of services in findings, where they differ from those of the files. */
const serviceIds: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['blob', 'queue', 'table', 'file', 'dfs'].map((name) => [name, 'storage'])),
  ...Object.fromEntries(['serviceManagement', 'sqlManagement'].map((name) => [name, 'resource-manager'])),
  sqlServer: 'sql',
  kubernetes: 'kubernetes-service',
  search: 'ai-search',
  cognitiveServices: 'ai-services',
  openai: 'ai-services',
  kusto: 'data-explorer',
  monitorIngestion: 'monitor',
  classicPortal: 'portal',
  dataLake: 'data-lake-gen1',
}
/** Some of their hosts are in use. */
const notRetired = new Set(['portal', 'directory-graph', 'mariadb'])

const idOfService = (name: string): string =>
  serviceIds[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The hosts that are audiences and no addresses. */
function audiencesOf(files: readonly CloudFile[]): ReadonlySet<string> {
  const hostOf = (value: string | undefined) =>
    value === undefined ? [] : [(URL.parse(value)?.hostname ?? value).toLowerCase().replace(/^\./, '')]
  const services = files.flatMap((file) => Object.values(servicesOf(file)))
  const others = files.flatMap(({ services: listed = {} }) =>
    Object.values(listed).flatMap(({ otherHosts = [] }) => otherHosts),
  )
  const addresses = new Set([
    ...services.flatMap(({ dnsSuffix, url }) => [...hostOf(dnsSuffix), ...hostOf(url)]),
    ...files.flatMap((file) => [file.authorityHost, file.resourceManagerEndpoint, file.portalUrl].flatMap(hostOf)),
    ...files.flatMap(({ aliases }) =>
      [
        ...(aliases?.authorityHosts ?? []),
        ...(aliases?.issuers ?? []),
        ...(aliases?.resourceManagerAudiences ?? []),
      ].flatMap(hostOf),
    ),
    ...others,
  ])
  return new Set(services.flatMap(({ audience }) => hostOf(audience)).filter((host) => !addresses.has(host)))
}

/** `database.azure.com` is a part of three listed suffixes, and programs compare with it. */
function addParents(index: Map<string, HostOwner>): void {
  const listed = Array.from(index)
  for (const [host, owner] of listed) {
    const parent = host.slice(host.indexOf('.') + 1)
    if (
      parent.split('.').length < 3 ||
      index.has(parent) ||
      owner.clouds.length !== 1 ||
      owner.clouds[0] === retiredCloud
    )
      continue
    if (ownerIn(index, parent)?.isUnlisted === false) continue
    if (/^(?:database|cache|cosmos)\./.test(parent)) index.set(parent, owner)
  }
}

function ownerIn(index: ReadonlyMap<string, HostOwner>, host: string): HostOwner | undefined {
  const name = host.toLowerCase().replaceAll(/^\.|\.$/g, '')
  if (sharedHosts.some((shared) => name === shared || name.endsWith(`.${shared}`))) return undefined
  for (let rest = name; ;) {
    const owner = index.get(rest)
    // An audience that all clouds share, and the hosts of the retired cloud, are no suffixes.
    if (owner !== undefined && (rest === name || owner.clouds.length > 0)) return owner
    const zone = zones[rest]
    if (zone !== undefined)
      return rest === name || forPeople.test(name)
        ? undefined
        : { service: 'unlisted', clouds: [zone], isAudience: false, isUnlisted: true }
    const dot = rest.indexOf('.')
    if (dot === -1) return undefined
    rest = rest.slice(dot + 1)
  }
}

/** Whether an address with a path below this host is an identifier that nothing answers at. */
export const isIdentifierHost = (host: string): boolean => identifierHosts.has(host)
