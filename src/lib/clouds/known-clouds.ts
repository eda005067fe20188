import commercial from '../../../cloud-profiles/platform-commercial.json' with { type: 'json' }
import usGovSecret from '../../../cloud-profiles/platform-us-gov-secret.json' with { type: 'json' }
import usGovTopSecret from '../../../cloud-profiles/platform-us-gov-topsecret.json' with { type: 'json' }
import usGovernment from '../../../cloud-profiles/platform-us-government.json' with { type: 'json' }
import stack from '../../../cloud-profiles/platformstack-custom.json' with { type: 'json' }
import type { CloudFile, CloudService } from './cloud-profile.ts'
import { knownFiles, type ServiceName } from './known-files.ts'

/** The clouds that PLATFORM_CLOUD selects by specification, not yet validated. */
export const builtInClouds: readonly CloudFile[] = [commercial, usGovernment, usGovSecret, usGovTopSecret, stack]

/** Every cloud with published values. */
export const knownClouds: readonly CloudFile[] = [commercial, usGovernment, ...Object.values(knownFiles)]

/** The audience of storage, which is the same in every known cloud. */
export const usualStorageAudience = commercial.serviceAudiences.storage

/** The registry audience of `az`, which every known cloud accepts. */
export const usualRegistryAudience = commercial.services.containerRegistry.audience

/** The login authority of the public cloud. Clients request the instance discovery there. */
export const publicAuthority = commercial.authorityHost

/** The hosts of the public instance discovery. */
export const publicDiscoveryHosts: readonly string[] = [publicAuthority, ...commercial.aliases.authorityHosts].map(
  (url) => new URL(url).host,
)

/** The built-in profiles by name. */
export const builtInProfiles: ReadonlyMap<string, CloudFile> = new Map(
  builtInClouds.map((document) => [document.name, document]),
)

/** The names of the built-in profiles. */
export const builtInProfileNames: readonly string[] = builtInClouds.map(({ name }) => name)

/** The profile used when nothing is configured. */
export const defaultProfileName = usGovernment.name

/** The services of storage accounts other than `blob`. Their suffixes differ from the blob suffix in the first label only. */
const besideBlob = ['queue', 'table', 'file', 'dfs'] as const

/**
 * Every service of a cloud. Storage, key vaults, SQL servers and registries come from the suffixes and audiences of the profile, which variables may
 * override; a storage suffix that does not begin with `.blob.` says nothing about queues, tables and files. A service that the cloud does
 * not publish is absent.
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
      besideBlob.map((service) => [service, values(base && `.${service}.${base}`, base && audiences.storage)]),
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
