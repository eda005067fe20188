import type { CloudFile, CloudService } from './cloud-file.ts'
import type { ServiceName } from './known-files.ts'

/** The services of storage accounts beside `blob`. Their suffixes differ from that of blobs in the first label only. */
const besideBlob = ['queue', 'table', 'file', 'dfs'] as const

/**
 * Every service of a cloud. Storage, key vaults, SQL servers and registries come from the suffixes and audiences of the profile, which variables may
 * override; a storage suffix that does not begin with `.blob.` says nothing about queues, tables and files. A service that the cloud does
 * not publish is absent.
 */
export function servicesOf(cloud: CloudFile): Readonly<Partial<Record<ServiceName, CloudService>>> {
  const { serviceDnsSuffixes: suffixes = {}, serviceAudiences: audiences = {}, services = {} } = cloud
  const base = storageBase(cloud)
  const derived: Readonly<Record<string, CloudService>> = {
    blob: values(suffixes.storage, audiences.storage),
    ...Object.fromEntries(
      besideBlob.map((service) => [service, values(base && `.${service}.${base}`, base && audiences.storage)]),
    ),
    keyVault: values(suffixes.keyVault, audiences.keyVault),
    sqlServer: values(suffixes.sqlServer),
    containerRegistry: values(suffixes.containerRegistry),
  }
  const names = Object.keys({ ...derived, ...services })
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
