import commercial from '../../../cloud-profiles/platform-commercial.json' with { type: 'json' }
import usGovSecret from '../../../cloud-profiles/platform-us-gov-secret.json' with { type: 'json' }
import usGovTopSecret from '../../../cloud-profiles/platform-us-gov-topsecret.json' with { type: 'json' }
import usGovernment from '../../../cloud-profiles/platform-us-government.json' with { type: 'json' }
import stack from '../../../cloud-profiles/platformstack-custom.json' with { type: 'json' }
import type { CloudFile, CloudService } from './cloud-profile.ts'
import { knownFiles, type ServiceName } from './known-files.ts'

// This folder reads the cloud files and tells which cloud a value belongs to. It imports src/lib/base and nothing else.

/** The five clouds that PLATFORM_CLOUD selects, not yet validated. */
export const builtInClouds: readonly CloudFile[] = [commercial, usGovernment, usGovSecret, usGovTopSecret, stack]

/** Every cloud with published values: placeholder profiles have none. */
export const knownClouds: readonly CloudFile[] = [commercial, usGovernment, ...Object.values(knownFiles)]

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

export const builtInProfiles: ReadonlyMap<string, CloudFile> = new Map(
  builtInClouds.map((document) => [document.name, document]),
)

export const builtInProfileNames: readonly string[] = builtInClouds.map(({ name }) => name)

/** The profile used when nothing is configured. */
export const defaultProfileName = usGovernment.name

/** The other services of a storage account. Their suffixes differ from the blob suffix only in the first label. */
const otherStorageServices = ['queue', 'table', 'file', 'dfs'] as const

/**
 * Every service that a cloud publishes. Storage, key vaults, SQL servers and registries come from `serviceDnsSuffixes` and
 * `serviceAudiences`, because variables may override them. If the storage suffix doesn't begin with `.blob.`, the suffixes of queues, tables
 * and files are unknown.
 */
export function servicesOf(cloud: CloudFile): Readonly<Partial<Record<ServiceName, CloudService>>> {
  const { services = {} } = cloud
  const absent = new Set(cloud.absent)
  const present = <T extends object>(group: 'serviceDnsSuffixes' | 'serviceAudiences', values: T | undefined) =>
    Object.fromEntries(
      Object.entries(values ?? {}).filter(([key]) => !absent.has(key) && !absent.has(`${group}.${key}`)),
    ) as Partial<T>
  const suffixes = present('serviceDnsSuffixes', cloud.serviceDnsSuffixes)
  const audiences = present('serviceAudiences', cloud.serviceAudiences)
  const base = storageBase({ ...cloud, serviceDnsSuffixes: suffixes })
  const derived: Readonly<Record<string, CloudService>> = {
    blob: values(suffixes.storage, audiences.storage),
    ...Object.fromEntries(
      otherStorageServices.map((service) => [
        service,
        values(base && `.${service}.${base}`, base && audiences.storage),
      ]),
    ),
    keyVault: values(suffixes.keyVault, audiences.keyVault),
    sqlServer: values(suffixes.sqlServer),
    containerRegistry: values(suffixes.containerRegistry),
  }
  const names = Object.keys({ ...derived, ...services }).filter((name) => !absent.has(name))
  const all = names.map((name): [string, CloudService] => [name, { ...services[name], ...derived[name] }])
  return Object.fromEntries(
    all.filter(([, { dnsSuffix, url, audience }]) => (dnsSuffix ?? url ?? audience) !== undefined),
  )
}

/** `core.windows.net` for the storage suffix `.blob.core.windows.net`. */
export function storageBase({ serviceDnsSuffixes }: CloudFile): string | undefined {
  return /^\.blob\.(.+)$/i.exec(serviceDnsSuffixes?.storage ?? '')?.[1]
}

function values(dnsSuffix: string | undefined, audience?: string): CloudService {
  return { ...(dnsSuffix !== undefined && { dnsSuffix }), ...(audience !== undefined && { audience }) }
}
