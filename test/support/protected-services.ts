import type { Enclave } from 'cloud-profile-enclave/enclave'
import { configuredEndpoints, isProtected } from '../../src/lib/diagnostics/endpoint-table.ts'
import type { ProtectedEndpoint } from '../../src/lib/diagnostics/run.ts'
import type { CloudProfile } from '../../src/lib/clouds/cloud-profile.ts'

/** The key vault and the storage account of an enclave. They have no host names, so each is asked at its loopback address. */
export function protectedServices(
  { vaultEndpoint, storageEndpoint, ...enclave }: Pick<Enclave, 'vaultEndpoint' | 'storageEndpoint' | 'profile'>,
  profile: CloudProfile = enclave.profile,
): readonly ProtectedEndpoint[] {
  const addresses: Readonly<Record<string, string>> = { 'key-vault': vaultEndpoint, storage: storageEndpoint }
  const endpoints = configuredEndpoints(profile, { keyVault: 'vault', storageAccount: 'data' }).filter(isProtected)
  return endpoints.flatMap(({ protectedResource, ...endpoint }) => {
    const address = addresses[endpoint.id]
    if (address === undefined) return []
    const { pathname, search } = protectedResource.url
    const url = new URL(address)
    return [{ ...endpoint, url, protectedResource: { ...protectedResource, url: new URL(pathname + search, url) } }]
  })
}
