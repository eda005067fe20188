import commercial from '../../../cloud-profiles/platform-commercial.json' with { type: 'json' }
import usGovSecret from '../../../cloud-profiles/platform-us-gov-secret.json' with { type: 'json' }
import usGovTopSecret from '../../../cloud-profiles/platform-us-gov-topsecret.json' with { type: 'json' }
import usGovernment from '../../../cloud-profiles/platform-us-government.json' with { type: 'json' }
import stack from '../../../cloud-profiles/platformstack-custom.json' with { type: 'json' }
import { ownCopy, lazilyWithoutPrototypes, textAt, withoutUndefined } from '../base/json.ts'
import type { CloudFile, CloudService, DnsService } from './cloud-profile.ts'
import { knownDocuments, type ServiceName } from './known-files.ts'

// This folder reads the cloud files and tells which cloud a value belongs to. It imports src/lib/base and nothing else.

/** The files as JSON modules, with prototypes. */
const documents: readonly CloudFile[] = [commercial, usGovernment, usGovSecret, usGovTopSecret, stack]

/** The five clouds that PLATFORM_CLOUD selects, not yet validated. */
export const builtInClouds: readonly CloudFile[] = /* @__PURE__ */ lazilyWithoutPrototypes(
  /* @__PURE__ */ documents.slice(),
)

/** Every cloud with published values: placeholder profiles have none. */
export const knownClouds: readonly CloudFile[] = /* @__PURE__ */ lazilyWithoutPrototypes([
  commercial,
  usGovernment,
  ...knownDocuments,
])

/** The audience of storage, which is the same in every known cloud. */
export const usualStorageAudience = commercial.serviceAudiences.storage

/** The registry audience that `az` requests in every known cloud. */
export const usualRegistryAudience = commercial.services.containerRegistry.audience

/** The login authority of the public cloud, where clients request the instance discovery. */
export const publicAuthority = commercial.authorityHost

/** The hosts of the public instance discovery. */
export const publicDiscoveryHosts: readonly string[] = [publicAuthority, ...commercial.aliases.authorityHosts].map(
  (url) => new URL(url).host,
)

// A bundler drops the documents of the built-ins from an application that selects none.
export const builtInProfiles: ReadonlyMap<string, CloudFile> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ documents.map((each) => [each.name, each]),
)

export const builtInProfileNames: readonly string[] = /* @__PURE__ */ documents.map(({ name }) => name)

/** The profile used when nothing is configured. */
export const defaultProfileName = usGovernment.name

/** The other services of a storage account. Their suffixes differ only in the first label, and are unknown if it isn't `.blob.`. */
const otherStorageServices = ['queue', 'table', 'file', 'dfs'] as const

/** Every service that a cloud publishes. The values of serviceDnsSuffixes and serviceAudiences win, because variables may override them. */
export function servicesOf(cloud: CloudFile): Readonly<Partial<Record<ServiceName, CloudService>>> {
  const { services = {} } = cloud
  const absent = new Set(cloud.absent)
  const valueOf = (group: 'serviceDnsSuffixes' | 'serviceAudiences', key: string) =>
    absent.has(key) || absent.has(`${group}.${key}`) ? undefined : textAt(cloud, `${group}.${key}`)
  const valuesOf = (key: DnsService): CloudService =>
    withoutUndefined({ dnsSuffix: valueOf('serviceDnsSuffixes', key), audience: valueOf('serviceAudiences', key) })
  const storage = valuesOf('storage')
  const base = storage.dnsSuffix && storageBase(cloud)
  const derived = new Map<string, CloudService>([
    ['blob', storage],
    ...otherStorageServices.map((name) => [name, base ? { ...storage, dnsSuffix: `.${name}.${base}` } : {}] as const),
    ...(['keyVault', 'sqlServer', 'containerRegistry'] as const).map((name) => [name, valuesOf(name)] as const),
  ])
  const found: Record<string, CloudService> = ownCopy({})
  for (const name of new Set([...derived.keys(), ...Object.keys(services)])) {
    const service = ownCopy({ ...(Object.hasOwn(services, name) && services[name]), ...derived.get(name) })
    if (!absent.has(name) && (service.dnsSuffix ?? service.url ?? service.audience) !== undefined) found[name] = service
  }
  return found
}

/** `core.windows.net` for the storage suffix `.blob.core.windows.net`. */
export function storageBase({ serviceDnsSuffixes }: CloudFile): string | undefined {
  return /^\.blob\.(.+)$/i.exec(serviceDnsSuffixes?.storage ?? '')?.[1]
}
