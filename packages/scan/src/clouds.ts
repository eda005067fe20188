import { applicationServices } from '../../../src/lib/clouds/application-services.ts'
import { namesInTools } from '../../../src/lib/clouds/cloud-names.ts'
import { cloudNames } from '../../../src/lib/clouds/cloud-service.ts'
import { profileServices } from '../../../src/lib/clouds/profile-services.ts'
import { identifierHosts, sharedAudiences, sharedHosts } from '../../../src/lib/clouds/shared-values.ts'

/** A host or DNS suffix that one cloud publishes for a service. */
interface ListedHost {
  readonly host: string
  readonly service: string
  readonly cloud: string
  /** Whether the host is that of an audience, and no address of the service. */
  readonly isAudience: boolean
}

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

/** Services of the endpoint tables for the government (compare-azure-government-global-azure), China (resources-developer-guide) and Power BI and Bot Framework guides. */
const moreServices: readonly (readonly [service: string, hosts: Readonly<Record<string, readonly string[]>>])[] = [
  ['foundry', { public: ['ai.azure.com'], usgovernment: ['ai.azure.us'] }],
  ['machine-learning', { public: ['ml.azure.com'], usgovernment: ['ml.azure.us'], china: ['ml.azure.cn'] }],
  // cloud-profile-ignore: a row of the table of clouds; the others publish none
  ['redis', { public: ['redis.azure.com'] }],
  ['signalr', { public: ['signalr.azure.com'] }],
  [
    'portal',
    { public: ['entra.microsoft.com'], usgovernment: ['entra.microsoft.us'], china: ['entra.microsoftonline.cn'] },
  ],
  [
    'device-registration',
    {
      public: ['enterpriseregistration.windows.net'],
      usgovernment: ['enterpriseregistration.microsoftonline.us'],
      china: ['enterpriseregistration.partner.microsoftonline.cn'],
    },
  ],
  [
    'power-bi',
    {
      public: ['api.powerbi.com', 'app.powerbi.com', 'analysis.windows.net'],
      usgovernment: ['api.powerbigov.us', 'app.powerbigov.us', 'analysis.usgovcloudapi.net'],
      china: ['api.powerbi.cn', 'app.powerbi.cn', 'analysis.chinacloudapi.cn'],
    },
  ],
  [
    'web-pubsub',
    { public: ['webpubsub.azure.com'], usgovernment: ['webpubsub.azure.us'], china: ['webpubsub.azure.cn'] },
  ],
  ['container-apps', { public: ['azurecontainerapps.io'], usgovernment: ['azurecontainerapps.us'] }],
  [
    'bot-framework',
    { public: ['botframework.com'], usgovernment: ['botframework.azure.us'], china: ['botframework.azure.cn'] },
  ],
  ['logic-apps', { public: ['logic.azure.com'], usgovernment: ['logic.azure.us'], china: ['logic.azure.cn'] }],
  ['maps', { public: ['atlas.microsoft.com'], usgovernment: ['atlas.azure.us'] }],
  ['arc', { public: ['his.arc.azure.com'], usgovernment: ['his.arc.azure.us'] }],
  ['office-management', { public: ['manage.office.com'], usgovernment: ['manage.office365.us'] }],
  ['defender', { public: ['api.securitycenter.microsoft.com'], usgovernment: ['api-gov.securitycenter.microsoft.us'] }],
]

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

const federated: readonly (readonly [audience: string, cloud: string])[] = [
  ['api://AzureADTokenExchange', 'public'],
  ['api://AzureADTokenExchangeUSGov', 'usgovernment'],
  ['api://AzureADTokenExchangeChina', 'china'],
]

/** A profile file, or a subset: not yet validated, because only its values are read. */
export type CloudDocument = Readonly<Record<string, unknown>> & { readonly name: string }

export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '')

/** The built-in knowledge, and the clouds of these files. */
export function createClouds(documents: readonly CloudDocument[] = []): Clouds {
  const listed = [...builtInHosts(), ...documents.flatMap(hostsOfDocument)]
  const index = new Map<string, HostOwner>()
  for (const { host, service, cloud, isAudience } of listed) {
    const known = index.get(host)
    const clouds = [...new Set([...(known?.clouds ?? []), cloud])]
    index.set(host, {
      service: known?.service ?? service,
      clouds,
      isAudience: (known?.isAudience ?? true) && isAudience,
      isUnlisted: false,
    })
  }
  for (const [host, service] of retiredHosts)
    index.set(host, { service, clouds: [retiredCloud], isAudience: false, isUnlisted: false })
  for (const { value, service } of sharedAudiences)
    index.set(new URL(value).hostname, { service, clouds: [], isAudience: true, isUnlisted: false })
  addParents(index)
  const names = new Map<string, string>()
  const exactNames = new Set<string>()
  for (const cloud of cloudNames)
    for (const name of Object.keys(namesInTools[cloud])) {
      names.set(plainName(name), cloud)
      exactNames.add(name)
    }
  for (const { name, toolNames } of documents)
    for (const each of [name, ...stringsOf(toolNames)]) {
      names.set(plainName(each), name)
      exactNames.add(each)
    }
  const byService = new Map<string, Set<string>>()
  for (const { service, cloud } of listed) byService.set(service, (byService.get(service) ?? new Set()).add(cloud))
  const retired = new Set(
    [...profileServices, ...applicationServices].filter(({ isRetired }) => isRetired).map(({ id }) => id),
  )
  const federations = documents.flatMap(({ name, federatedAudience }) =>
    typeof federatedAudience === 'string' ? [[federatedAudience, name] as const] : [],
  )
  return {
    hosts: [...index.keys()],
    ownerOfHost: (host) => ownerIn(index, host),
    cloudOfName: names,
    exactNames,
    federatedAudiences: new Map([...federated, ...federations]),
    counterpartsOf: (service) =>
      service === 'cloud' ? cloudNames.length - 1 : (byService.get(service)?.size ?? 1) - 1,
    isRetired: (service) => retired.has(service),
  }
}

function builtInHosts(): readonly ListedHost[] {
  const tables = [...profileServices, ...applicationServices].flatMap((service) =>
    cloudNames.flatMap((cloud) => {
      const values = service[cloud]
      if (values === 'not published') return []
      return [
        ...(values.hosts ?? []).map((host) => ({ host, service: service.id, cloud, isAudience: false })),
        ...(values.audiences ?? []).map((url) => ({
          host: new URL(url).hostname,
          service: service.id,
          cloud,
          isAudience: true,
        })),
      ]
    }),
  )
  const more = moreServices.flatMap(([service, clouds]) =>
    Object.entries(clouds).flatMap(([cloud, hosts]) =>
      hosts.map((host) => ({ host, service, cloud, isAudience: false })),
    ),
  )
  return [...tables, ...more]
}

/** A field of a profile, and the service whose value it holds. */
const services: Readonly<Record<string, string>> = {
  authorityHost: 'login',
  authorityHosts: 'login',
  issuers: 'login',
  portalUrl: 'portal',
  keyVault: 'key-vault',
  sqlServer: 'sql',
  containerRegistry: 'container-registry',
  storage: 'storage',
  microsoftGraph: 'microsoft-graph',
}

/** Every host and suffix of a profile file. A value that all clouds share is skipped, and so is a placeholder. */
function hostsOfDocument(document: CloudDocument): readonly ListedHost[] {
  const found: ListedHost[] = []
  const visit = (value: unknown, key: string, parent: string) => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, child] of Object.entries(value))
        if (name !== 'toolNames' && name !== 'notes') visit(child, Array.isArray(value) ? key : name, key)
      return
    }
    if (typeof value !== 'string') return
    const host = (
      value.startsWith('.') ? value.slice(1) : /^https?:/i.test(value) ? URL.parse(value)?.hostname : undefined
    )?.toLowerCase()
    if (
      host === undefined ||
      !host.includes('.') ||
      host.endsWith('.invalid') ||
      sharedAudiences.some((each) => new URL(each.value).hostname === host)
    )
      return
    const isAudience = /audience/i.test(key + parent)
    const service =
      services[key] ??
      services[parent] ??
      (/^(?:arm|resourceManager)/.test(key)
        ? 'resource-manager'
        : /^(?:dnsSuffix|url|audience)$/.test(key)
          ? kebab(parent)
          : kebab(key))
    found.push({
      host: service === 'storage' ? host.replace(/^blob\./, '') : host,
      service,
      cloud: document.name,
      isAudience,
    })
  }
  visit(document, '', '')
  return found
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const stringsOf = (value: unknown): readonly string[] =>
  Object.values(value ?? {}).filter((each) => typeof each === 'string')

/** `database.azure.com` is a part of three listed suffixes, and programs compare with it. */
function addParents(index: Map<string, HostOwner>): void {
  for (const [host, owner] of [...index]) {
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
export const isIdentifierHost = (host: string): boolean => identifierHosts.includes(host)
